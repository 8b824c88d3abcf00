package command

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
)

// runsFolder is where runs go that are given no folder.
const runsFolder = "eql-runs"

// runFolder returns the folder of run n of a data file.
func runFolder(data string, n int) string {
	return filepath.Join(runsFolder, fmt.Sprintf("%s-%d", runName(data), n))
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
