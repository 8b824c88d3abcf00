package report

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
// the script has run.
func TestPageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	path := browser(t)
	dir := t.TempDir()
	file, requests := filepath.Join(dir, "page.html"), filepath.Join(dir, "requests.json")
	if err := os.WriteFile(file, []byte(written(t, planted([3]string{`<script>alert(1)</script>`, "b", "y"}, 300, 0))), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--enable-logging=stderr", "--log-net-log="+requests, "--virtual-time-budget=3000", "--dump-dom", "file://"+file)
	var stderr strings.Builder
	c.Stderr = &stderr
	dom, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	for _, line := range strings.Split(stderr.String(), "\n") {
		if strings.Contains(line, ":CONSOLE") {
			t.Errorf("on the console: %s", line)
		}
	}
	if regexp.MustCompile(`<button[^>]* hidden`).Match(dom) || !strings.Contains(string(dom), "<button") {
		t.Error("the script has not shown the buttons")
	}
	for _, url := range requested(t, requests) {
		t.Errorf("the browser asked for %s", url)
	}
}

// requested returns what a log of the network says was asked for.
func requested(t *testing.T, path string) (urls []string) {
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
	if len(log.Events) == 0 {
		t.Fatal("the log of the network is empty")
	}
	own := regexp.MustCompile(`^https?://([a-z.]+\.)?(google|googleapis|gvt1)\.com/`) // the browser's, not the page's
	for _, e := range log.Events {
		if u := e.Params.URL; strings.HasPrefix(u, "http") && !(own.MatchString(u) && e.Params.Initiator == "not an origin") {
			urls = append(urls, u)
		}
	}
	return urls
}
