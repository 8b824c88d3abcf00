package report

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// browser returns a Chromium, and skips the test without one.
func browser(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium on the path to open the page with")
	return ""
}

// TestPageInABrowser opens a page in a browser as a file: nothing on the console, no request, and
// the script has run. A page that does ask and fail shows that the test would see it.
func TestPageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	path := browser(t)
	_, console, requests := open(t, path, `<img src="http://127.0.0.1:9/x.png"><script>console.error("control")</script>`)
	if !strings.Contains(console, "control") || !slices.Contains(requests, "http://127.0.0.1:9/x.png") {
		t.Fatalf("of a page that asks and fails the test sees the console %q and the requests %q", console, requests)
	}
	text := written(t, planted([3]string{`<script>alert(1)</script>`, "b", "y"}, 300, 0))
	dom, console, requests := open(t, path, text)
	if console != "" || len(requests) > 0 {
		t.Errorf("on the console: %s\nrequests: %q", console, requests)
	}
	if regexp.MustCompile(`<button[^>]* hidden`).MatchString(dom) || !strings.Contains(dom, "<button") {
		t.Error("the script has not shown the buttons")
	}
	if len(text) > 700_000 {
		t.Errorf("the page has %d bytes", len(text))
	}
}

// open opens a page and returns what became of it, the lines on the console, and the addresses it
// asked for.
func open(t *testing.T, path, page string) (dom, console string, requests []string) {
	t.Helper()
	dir := t.TempDir()
	file, log := filepath.Join(dir, "page.html"), filepath.Join(dir, "requests.json")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--allow-file-access-from-files", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--enable-logging=stderr", "--log-net-log="+log, "--virtual-time-budget=3000", "--dump-dom", "file://"+file)
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, ":CONSOLE") {
			console += line
		}
	}
	return string(out), console, requested(t, log)
}

// requested returns what a log of the network says that pages asked for; the browser's own requests
// have no page that they come from.
func requested(t *testing.T, path string) (urls []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Events []struct {
			Params struct {
				URL       string `json:"url"`
				Initiator string `json:"initiator"`
			} `json:"params"`
		} `json:"events"`
	}
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	for _, e := range log.Events {
		if p := e.Params; strings.HasPrefix(p.URL, "http") && p.Initiator != "" && p.Initiator != "not an origin" {
			urls = append(urls, p.URL)
		}
	}
	return urls
}

// TestPageFitsAPhone opens the page 360 pixels wide, with long names, and expects that nothing but
// the boxes made for it is wider.
func TestPageFitsAPhone(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	long := strings.Repeat("wide", 30)
	path := browser(t)
	file := filepath.Join(t.TempDir(), "inner.html")
	if err := os.WriteFile(file, []byte(written(t, planted([3]string{long, "b", "y"}, 300, 0))), 0o666); err != nil {
		t.Fatal(err)
	}
	dom, _, _ := open(t, path, `<iframe style="width:360px;height:900px" src="file://`+file+`"></iframe><script>
onload = () => { document.body.append("width " + document.querySelector("iframe").contentDocument.documentElement.scrollWidth + ";"); };
</script>`)
	found := regexp.MustCompile(`width (\d+);`).FindStringSubmatch(dom)
	if found == nil {
		t.Fatalf("there is no width in\n%s", dom)
	}
	if width, err := strconv.Atoi(found[1]); err != nil || width > 360 || width < 300 {
		t.Errorf("the page is %d wide, %v, want at most 360", width, err)
	}
}
