package datasets

import "slices"

// Load reads a file as a table of all columns that are numbers or can be read as numbers in one way: dates, amounts and
// columns of two words. The codings say how cells became numbers where they were not plain numbers; give them to
// eql.Columns, so that a run reads other files alike. Columns of other text are left out. So are columns of words with
// missing cells, because these are usually remarks on single rows.
func Load(path string, opt Options) (*Table, map[string]Coding, error) {
	s, err := ReadFile(path, opt)
	if err != nil {
		return nil, nil, err
	}
	codings := s.Codings()
	columns := slices.DeleteFunc(s.Columns(), func(name string) bool {
		coding, coded := codings[name]
		if coded && coding.Words != nil && s.HasMissing(name) {
			delete(codings, name)
			return true
		}
		return !coded && !s.Numeric(name)
	})
	if err := s.Encode(codings); err != nil {
		return nil, nil, err
	}
	t, _, err := s.Table(columns)
	return t, codings, err
}

// LoadAs reads the columns named of a file as another was read, by its codings.
func LoadAs(path string, columns []string, codings map[string]Coding, opt Options) (*Table, error) {
	s, err := ReadFile(path, opt)
	if err != nil {
		return nil, err
	}
	used := map[string]Coding{}
	for _, name := range columns {
		if coding, ok := codings[name]; ok {
			used[name] = coding
		}
	}
	if err := s.Encode(used); err != nil {
		return nil, err
	}
	t, _, err := s.Table(columns)
	return t, err
}
