package datasets

import "testing"

func TestProblemsGenerate(t *testing.T) {
	for _, p := range Problems() {
		t.Run(p.Name, func(t *testing.T) {
			suite, err := p.Generate(GenerateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := suite.Data.Rows(); got != p.Rows {
				t.Errorf("data has %d rows, want %d", got, p.Rows)
			}
		})
	}
}
