package archtest

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.." // of the module, from this folder

func TestModule(t *testing.T) {
	report, err := Check(os.DirFS(root), Module)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Violations {
		t.Error(v)
	}
	for folder := range folders(t) {
		if report.Files[folder] == 0 {
			t.Errorf("no file of %s was checked", folder)
		}
	}
	for _, folder := range []string{".", "internal/archtest", "internal/gradcheck"} {
		if report.Files[folder] == 0 {
			t.Errorf("no file of %s was checked: is %s the root of the module?", folder, root)
		}
	}
}

// folders finds the folders of the module that hold packages in another way than Check: by their files' names.
func folders(t *testing.T) map[string]bool {
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if d.IsDir() && rel != "." {
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			if base := d.Name(); err == nil || base == "testdata" || strings.HasPrefix(base, ".") ||
				strings.HasPrefix(base, "_") || base == "eql-runs" {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(rel, ".go") {
			found[path.Dir(filepath.ToSlash(rel))] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTable(t *testing.T) {
	byFolder := map[string]Package{}
	for _, p := range Module.Packages {
		if _, twice := byFolder[p.Folder]; twice {
			t.Errorf("%s has two rows", p.Folder)
		}
		byFolder[p.Folder] = p
	}
	for _, p := range Module.Packages {
		for _, o := range p.Ours {
			if _, ok := byFolder[o]; !ok {
				t.Errorf("%s may import %s, which has no row", p.Folder, o)
			}
		}
		if reaches(byFolder, p.Folder, p.Folder, map[string]bool{}) {
			t.Errorf("%s may import itself, through others", p.Folder)
		}
	}
	if reaches(byFolder, "cmd/eql", "internal/cluster", map[string]bool{}) {
		t.Error("cmd/eql may reach internal/cluster, whose engine is larger than the rest of the program")
	}
	for key, reason := range Module.Exits {
		if reason == "" {
			t.Errorf("%s may panic or exit, but no reason is given", key)
		}
	}
}

func reaches(rows map[string]Package, from, to string, seen map[string]bool) bool {
	for _, next := range rows[from].Ours {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if reaches(rows, next, to, seen) {
				return true
			}
		}
	}
	return false
}

// TestTableIsTold keeps the two other places of the table, for people and for the linter, complete.
func TestTableIsTold(t *testing.T) {
	for _, place := range []struct{ file, format string }{
		{"ARCHITECTURE.md", "\n| `%/`"},
		{".golangci.yml", "**/%/*.go"},
	} {
		text, err := os.ReadFile(filepath.Join(root, place.file))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range Module.Packages {
			if p.Folder == "." {
				continue
			}
			if want := strings.ReplaceAll(place.format, "%", p.Folder); !strings.Contains(string(text), want) {
				t.Errorf("%s has no %q", place.file, want)
			}
		}
	}
}
