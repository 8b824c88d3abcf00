package formula

import (
	"cmp"
	"fmt"
	"strings"
)

// languageNames returns a valid name in the form for each variable. For forms without rules
// of their own it returns nil.
func languageNames(form Form, vars []string) map[string]string {
	l, ok := languages[form]
	if !ok || l.names.letter == nil {
		return nil
	}
	names := make(map[string]string, len(vars))
	for i, id := range l.names.distinct(vars) {
		names[vars[i]] = id
	}
	return names
}

// distinct returns a valid name in the language for each of names, all different. Those that
// are valid already keep themselves, the first of equals before the others.
func (l *nameRules) distinct(names []string) []string {
	taken := map[string]bool{}
	for w := range strings.FieldsSeq(l.reserved) {
		taken[l.key(w)] = true
	}
	valid := make([]string, len(names))
	for i, name := range names {
		if l.identifier(name) == name && !taken[l.key(name)] {
			valid[i], taken[l.key(name)] = name, true
		}
	}
	for i, name := range names {
		if valid[i] != "" {
			continue
		}
		id := l.identifier(name)
		for k := 2; taken[l.key(id)]; k++ {
			id = l.identifier(fmt.Sprintf("%s_%d", l.shortened(l.identifier(name), digitsOfCounter), k))
		}
		valid[i], taken[l.key(id)] = id, true
	}
	return valid
}

// digitsOfCounter is room for an underscore and a number behind a name.
const digitsOfCounter = 8

// key returns what the language takes for the same name.
func (l *nameRules) key(name string) string {
	if l.anyCase {
		return strings.ToLower(strings.ToUpper(name))
	}
	return name
}

// identifier replaces what cannot stand in an identifier by underscores, and puts a letter before what cannot begin one
// or looks like something else; where that is no help, one behind it.
func (l *nameRules) identifier(name string) string {
	var b strings.Builder
	for _, r := range name {
		if l.read != nil {
			r = l.read(r)
		}
		if r != '_' && (r < '0' || r > '9') && !l.letter(r) {
			r = '_'
		}
		b.WriteRune(r)
	}
	id := l.shortened(b.String(), 0)
	refused := func() bool { return l.refused != nil && l.refused.MatchString(id) }
	if id == "" || '0' <= id[0] && id[0] <= '9' || refused() {
		id = l.shortened(cmp.Or(l.prefix, "x")+id, 0)
	}
	if refused() {
		id = l.shortened(id, 1) + "x"
	}
	return id
}

// shortened cuts id so that room letters more are not too many.
func (l *nameRules) shortened(id string, room int) string {
	if r := []rune(id); l.longest > 0 && len(r) > l.longest-room {
		return string(r[:l.longest-room])
	}
	return id
}
