package report

import (
	"context"
	"encoding/json"
	"flag"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
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
	c := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-dev-shm-usage", "--no-first-run",
		"--allow-file-access-from-files", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
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

// TestPageOnAPhone opens the page 360 pixels wide, with long names that are markup, and uses it from outside, as its
// policy lets no other script in: nothing but the boxes made for it is wider, formulas fit their boxes, heads of tables
// keep their words whole, a pointer on a point or a curve is told its values, and a click on the front opens the
// evidence for another formula.
func TestPageOnAPhone(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	path := browser(t)
	file := filepath.Join(t.TempDir(), "inner.html")
	p := planted([3]string{"<b>" + strings.Repeat("wide", 30), "b", "y"}, 300, 0)
	other := *p.Result.Models[0]
	other.ID, other.Targets = 9, []sweep.TargetModel{{Formula: formula.MustParse("1.5*b"), Complexity: 3, Validation: 0.2}}
	p.Result.Models = append(p.Result.Models, &other)
	if err := os.WriteFile(file, []byte(written(t, p)), 0o666); err != nil {
		t.Fatal(err)
	}
	dom, console, _ := open(t, path, `<pre id="told"></pre><iframe style="width:360px;height:900px" src="file://`+file+`"></iframe><script>
onload = () => {
  const frame = document.querySelector("iframe"), page = frame.contentDocument, told = [];
  const figures = [...page.querySelectorAll("svg[data-hover]")];
  const send = (figure, kind, at) => {
    const data = JSON.parse(figure.dataset.hover), box = figure.getBoundingClientRect(), size = figure.viewBox.baseVal;
    const pixel = (axis, v) => {
      const t = ((axis.log ? Math.log10(v) : v) - axis.ends[0]) / (axis.ends[1] - axis.ends[0]);
      return axis.pixels[0] + t * (axis.pixels[1] - axis.pixels[0]);
    };
    const [x, y] = at(data);
    figure.dispatchEvent(new frame.contentWindow.PointerEvent(kind, { bubbles: true,
      clientX: box.left + pixel(data.x, x) * box.width / size.width, clientY: box.top + pixel(data.y, y) * box.height / size.height }));
    return page.querySelector(".tip").textContent.replaceAll("\n", ", ");
  };
  told.push("width " + page.documentElement.scrollWidth);
  told.push("cut " + [...page.querySelectorAll(".formula")].filter((f) => f.scrollWidth > f.clientWidth + 1).length);
  told.push("split " + [...page.querySelectorAll("thead th")].filter((th) => th.scrollWidth > th.clientWidth + 1).length);
  const slice = figures[0], point = JSON.parse(slice.dataset.hover).points[0];
  told.push("rows " + point.numbers.length + " first " + point.numbers[0]);
  told.push("point " + send(slice, "pointermove", (d) => [d.points[0].x[7], d.points[0].y[7]]));
  told.push("wanted row " + point.numbers[7]);
  told.push("curve " + send(slice, "pointermove", (d) => [d.curve.x[150], d.curve.y[150]]));
  told.push("markup " + page.querySelectorAll(".tip *, body b").length);
  const front = figures.find((f) => f.dataset.hover.includes('"link"'));
  told.push("before " + page.querySelectorAll("details.other[open]").length);
  send(front, "click", () => [3, 0.2]);
  told.push("after " + [...page.querySelectorAll("details.other[open] > div")].map((d) => d.id));
  document.getElementById("told").textContent = told.join(";\n") + ";";
};
</script>`)
	if console != "" {
		t.Errorf("on the console: %s", console)
	}
	found := regexp.MustCompile(`(?s)<pre id="told">(.*?)</pre>`).FindStringSubmatch(dom)
	if found == nil {
		t.Fatalf("the page was not used:\n%s", dom)
	}
	told := html.UnescapeString(found[1])
	width := regexp.MustCompile(`width (\d+);`).FindStringSubmatch(told)
	if width == nil {
		t.Fatalf("there is no width in %q", told)
	}
	if width, err := strconv.Atoi(width[1]); err != nil || width > 360 || width < 300 {
		t.Errorf("the page is %d wide, %v, want at most 360", width, err)
	}
	row := regexp.MustCompile(`wanted (row \d+);`).FindStringSubmatch(told)
	for _, want := range []string{
		"cut 0;", "split 0;", "point " + row[1] + ", <b>wide", "curve formula, <b>wide", ", 95 %: ", "markup 0;",
		"before 0;", "after t1-m9;",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("no %q in what using the page told:\n%s", want, told)
		}
	}
}

var axePath = flag.String("axe", "", "the file axe.min.js of the package axe-core, to look for barriers with")

// TestPageHasNoBarriers looks for what keeps people out, in both colour schemes, with all that can be opened open. A
// page with a picture without words shows that it would be seen.
func TestPageHasNoBarriers(t *testing.T) {
	if *axePath == "" {
		t.Skip("needs -axe FILE")
	}
	path := browser(t)
	axe, err := os.ReadFile(*axePath)
	if err != nil {
		t.Fatal(err)
	}
	look := "<script>" + string(axe) + `</script><script>
document.querySelectorAll("details").forEach((d) => { d.open = true; });
axe.run().then((r) => {
  document.title = r.violations.map((v) => v.impact + ": " + v.help + ": " + v.nodes[0].html.slice(0, 200)).join("\n") + "\n" + r.passes.length + " rules passed";
});</script>`
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	page := policy.ReplaceAllString(written(t, planted(plain, 300, 0)), "") // which would keep the script out
	dir, frames := t.TempDir(), ""
	for name, page := range map[string]string{
		"control": `<html lang="en"><title>x</title><main><h1>x</h1><img src="data:,x"></main>`,
		"light":   page,
		"dark":    strings.ReplaceAll(page, "(prefers-color-scheme: dark)", "all"),
	} {
		file := filepath.Join(dir, name+".html")
		if err := os.WriteFile(file, []byte(page+look), 0o666); err != nil {
			t.Fatal(err)
		}
		frames += `<iframe id="` + name + `" style="width:1280px;height:900px" src="file://` + file + `"></iframe>`
	}
	dom, _, _ := open(t, path, frames+`<script>
const look = setInterval(() => {
  const all = [...document.querySelectorAll("iframe")].map((f) => [f.id, f.contentDocument.title]);
  if (!all.every(([, told]) => told.endsWith("rules passed"))) return;
  clearInterval(look);
  for (const [id, told] of all) {
    const pre = document.createElement("pre");
    pre.textContent = id + "\n" + told + "\nend of " + id;
    document.body.append(pre);
  }
}, 50);</script>`)
	told := func(name string) string {
		found := regexp.MustCompile(`(?s)<pre>` + name + `\n(.*?)\nend of ` + name).FindStringSubmatch(dom)
		if found == nil {
			t.Fatalf("there is no result for %s in\n%s", name, dom)
		}
		return html.UnescapeString(found[1])
	}
	if told := told("control"); !strings.Contains(told, "critical: ") {
		t.Fatalf("of a picture without words it tells %q", told)
	}
	for _, scheme := range []string{"light", "dark"} {
		told := told(scheme)
		t.Logf("%s: %s", scheme, told)
		if regexp.MustCompile(`(?m)^(serious|critical): `).MatchString(told) ||
			!regexp.MustCompile(`[1-9]\d rules passed`).MatchString(told) {
			t.Errorf("%s: %s", scheme, told)
		}
	}
}
