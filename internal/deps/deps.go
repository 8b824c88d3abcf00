package deps

import (
	_ "github.com/chewxy/hm"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/urfave/cli/v2"
	_ "go4.org/unsafe/assume-no-moving-gc"
	_ "gonum.org/v1/gonum/diff/fd"
	_ "gonum.org/v1/gonum/mat"
	_ "gorgonia.org/gorgonia"
	_ "gorgonia.org/tensor"
)
