//go:build !gpu

package graph

import "github.com/eqlearner/eql/internal/gpu"

func missingCard() error { return ErrNoCUDA }

func openCard() (gpu.Card, error) { return nil, ErrNoCUDA }
