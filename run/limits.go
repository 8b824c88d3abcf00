package run

import (
	"errors"
	"fmt"
	"strings"
)

// Limits bound the chosen formulas and the rows of the table of models. A field that is 0 or empty sets no limit.
type Limits struct {
	MaxComplexity int      `json:"max_complexity,omitempty"` // nodes of the formula as a tree
	MaxConstants  int      `json:"max_constants,omitempty"`  // numbers in it that were fitted or became special values
	Require       []string `json:"require,omitempty"`        // inputs that it contains
}

// Any reports whether there are limits.
func (l Limits) Any() bool { return l.MaxComplexity > 0 || l.MaxConstants > 0 || len(l.Require) > 0 }

// String lists the limits in words.
func (l Limits) String() string {
	var list []string
	if l.MaxComplexity > 0 {
		list = append(list, fmt.Sprintf("complexity at most %d", l.MaxComplexity))
	}
	if l.MaxConstants > 0 {
		list = append(list, fmt.Sprintf("at most %d constants", l.MaxConstants))
	}
	if len(l.Require) > 0 {
		list = append(list, "with "+strings.Join(l.Require, ", "))
	}
	return strings.Join(list, ", ")
}

// validate refuses limits that no formula is within. The shortest with k inputs is w1*x1 + … + wk*xk.
func (l Limits) validate(s Settings) error {
	var errs []error
	k := len(l.Require)
	if l.MaxComplexity < 0 || l.MaxComplexity > 0 && l.MaxComplexity < 4*k-1 {
		errs = append(errs, fmt.Errorf("max-complexity is %d, want at least %d (0: no limit)",
			l.MaxComplexity, max(1, 4*k-1)))
	}
	if l.MaxConstants < 0 || l.MaxConstants > 0 && l.MaxConstants < k {
		errs = append(errs, fmt.Errorf("max-constants is %d, want at least %d (0: no limit)", l.MaxConstants, max(1, k)))
	}
	for i, name := range l.Require {
		for _, other := range l.Require[:i] {
			if name == other {
				errs = append(errs, fmt.Errorf("require names %q twice", name))
			}
		}
	}
	if l.Any() && (s.Select != SelectBIC2 || !s.Refine) {
		errs = append(errs, errors.New("max-complexity, max-constants and require need select bic2 and refine on, which "+
			"find formulas within them"))
	}
	return errors.Join(errs...)
}
