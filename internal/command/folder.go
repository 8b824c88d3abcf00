package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/eqlearner/eql/run"
)

// runsFolder is where runs go that are given no folder.
const runsFolder = "eql-runs"

// inNewFolder calls f with the folder of a new run and returns the folder: the one that is asked for, or else the first
// of name-1, name-2, … in [runsFolder] that is free. f makes it and reports whether there is something in it now.
func inNewFolder(out, name string, f func(dir string) (there bool, err error)) (string, error) {
	if out != "" {
		_, err := f(out)
		return out, err
	}
	for n := 1; ; n++ {
		dir := filepath.Join(runsFolder, fmt.Sprintf("%s-%d", name, n))
		if _, err := os.Lstat(dir); err == nil {
			continue
		}
		there, err := f(dir)
		var taken *run.FolderError
		if errors.As(err, &taken) && taken.Err == nil {
			continue // by another process, since
		}
		if info, lerr := os.Lstat(runsFolder); !there && lerr == nil && info.IsDir() {
			os.Remove(runsFolder) //nolint:errcheck // fails, as it should, when there are runs in it
		}
		return dir, err
	}
}

// longestName bounds the part of a run's folder that is taken from the data.
const longestName = 60

// runName returns the name of a run on a data file: the file's own, without its extension and
// without what some file system or shell does not take.
func runName(data string) string {
	if data == "-" {
		return "stdin"
	}
	name := strings.TrimSuffix(filepath.Base(data), ".gz")
	name = strings.TrimSuffix(name, filepath.Ext(name))
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.+", r) {
			return r
		}
		return '_'
	}, name)
	if r := []rune(name); len(r) > longestName {
		name = string(r[:longestName])
	}
	if strings.Trim(name, "._-") == "" {
		return "data"
	}
	return strings.TrimLeft(name, "-.")
}

// shellWord is a path as one types it in a shell.
func shellWord(path string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./\\:+,@%=", r)
	}
	if path != "" && !strings.ContainsFunc(path, special) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
