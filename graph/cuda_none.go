//go:build !gpu

package graph

import "github.com/eqlearner/eql/internal/gpu"

func openCard() (gpu.Card, error) { return nil, ErrNoCUDA }
