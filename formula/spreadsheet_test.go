package formula

import (
	"archive/zip"
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestSpreadsheet computes formulas of Excel in LibreOffice, which reads the same files.
func TestSpreadsheet(t *testing.T) {
	if testing.Short() {
		t.Skip("starts an office")
	}
	if _, err := exec.LookPath("soffice"); err != nil {
		t.Skip("no soffice on the path")
	}
	var outputs []Named
	r := rand.New(rand.NewPCG(13, 14))
	for i := range 200 {
		outputs = append(outputs, Named{fmt.Sprint("r", i), randomExpr(r, 1+i%4)})
	}
	toX2 := map[string]Expr{"speed (m/s)": Var("x2")}
	for i, s := range printedFormulas {
		outputs = append(outputs, Named{fmt.Sprint("y", i), Substitute(MustParse(s), toX2)})
	}
	t.Run("values", func(t *testing.T) {
		for _, p := range [][]float64{{2, 1, -3}, {0.5, 10, 0.25}} {
			compareCells(t, threeVars, p, outputs)
		}
	})
	t.Run("names", func(t *testing.T) {
		names := awkwardNames(Excel, 150)
		e, point := weighted(names)
		outputs := []Named{{"sum", e}}
		for i, name := range names {
			outputs = append(outputs, Named{name, Mul(number(i+2), Var(name))})
		}
		compareCells(t, names, point, outputs[1:])
	})
}

// compareCells computes the outputs in cells. Excel has errors in place of infinities and NaN, also where an infinity
// passes through a formula whose value is finite.
func compareCells(t *testing.T, inputs []string, point []float64, outputs []Named) {
	t.Helper()
	text, err := Function(Excel, "formulas", inputs, outputs)
	if err != nil {
		t.Fatal(err)
	}
	var formulas []string
	for line := range strings.Lines(text) {
		if f, ok := strings.CutPrefix(line, "="); ok {
			formulas = append(formulas, strings.TrimSpace(f))
		}
	}
	at := map[string]float64{}
	for i, name := range inputs {
		at[name] = point[i]
	}
	cells := computedCells(t, inputs, point, formulas)
	if len(cells) != len(outputs)+1 {
		t.Fatalf("%d rows for %d outputs", len(cells), len(outputs))
	}
	errors := 0
	for i, out := range outputs {
		want, bound := bounded(out.Expr, at)
		field, _, _ := strings.Cut(cells[i+1], ",")
		got, err := strconv.ParseFloat(field, 64)
		if err != nil {
			if errors++; strings.Contains(field, "NAME") || strings.HasPrefix(field, "Err:5") && field < "Err:502" {
				t.Errorf("%s = %s", formulas[i], field)
			}
			if math.IsInf(bound, 0) || math.IsNaN(want) || math.IsInf(want, 0) || !allFinite(out.Expr, at) {
				continue
			}
		}
		if err != nil || bound <= 1e-6*max(1, math.Abs(want)) && !(math.Abs(got-want) <= 1e4*bound) {
			t.Errorf("%s\n=%s is %s, want %v", out.Expr, formulas[i], field, want)
		}
	}
	t.Logf("%d cells, %d errors", len(outputs), errors)
}

// allFinite reports whether all parts of e are numbers.
func allFinite(e Expr, at map[string]float64) bool {
	finite := true
	walk(e, func(x Expr) {
		v := eval(x, at)
		finite = finite && !math.IsNaN(v) && !math.IsInf(v, 0)
	})
	return finite
}

// computedCells writes a workbook with the inputs in the first row, under their names, and a formula in each row
// below. It returns the rows as text.
func computedCells(t *testing.T, inputs []string, point []float64, formulas []string) []string {
	t.Helper()
	var names, sheet strings.Builder
	sheet.WriteString(`<row r="1">`)
	valid := languageNames(Excel, inputs)
	for i, name := range inputs {
		cell := column(i)
		fmt.Fprintf(&names, `<definedName name="%s">Sheet1!$%s$1</definedName>`, valid[name], cell)
		fmt.Fprintf(&sheet, `<c r="%s1"><v>%v</v></c>`, cell, point[i])
	}
	sheet.WriteString(`</row>`)
	for i, f := range formulas {
		fmt.Fprintf(&sheet, `<row r="%d"><c r="A%d"><f>%s</f></c></row>`, i+2, i+2, html.EscapeString(f))
	}
	const (
		main = `"http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
		rels = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
		pack = `http://schemas.openxmlformats.org/package/2006/`
		kind = `application/vnd.openxmlformats-officedocument.spreadsheetml.`
	)
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "book.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="` + pack + `content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + kind + `sheet.main+xml"/>` +
			`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + kind + `worksheet+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + pack + `relationships">` +
			`<Relationship Id="r1" Type="` + rels + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + pack + `relationships">` +
			`<Relationship Id="r1" Type="` + rels + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns=` + main + ` xmlns:r="` + rels + `">` +
			`<sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets>` +
			`<definedNames>` + names.String() + `</definedNames></workbook>`},
		{"xl/worksheets/sheet1.xml", `<worksheet xmlns=` + main + `>` +
			`<sheetData>` + sheet.String() + `</sheetData></worksheet>`},
	} {
		w, err := z.Create(part[0])
		if err == nil {
			_, err = w.Write([]byte(`<?xml version="1.0" encoding="UTF-8"?>` + part[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	file.Close()
	const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false"
	cmd := exec.Command("soffice", "--headless",
		"-env:UserInstallation=file://"+dir+"/profile", "--convert-to", filter, "--outdir", dir, file.Name())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "book.csv"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// column returns the letters of a column, counted from 0.
func column(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return column(i/26-1) + column(i%26)
}
