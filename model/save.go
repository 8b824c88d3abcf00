package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// The saved form of a network. A change of meaning raises the version.
const (
	savedFormat  = "eql network"
	savedVersion = 1
)

type saved struct {
	Format   string      `json:"format"`
	Version  int         `json:"version"`
	Arch     Arch        `json:"arch"`
	Inputs   []string    `json:"inputs"`
	Outputs  []string    `json:"outputs"`
	InScale  []Scale     `json:"in_scale,omitempty"`
	OutScale []Scale     `json:"out_scale,omitempty"`
	Weights  [][]float64 `json:"weights"` // one list a layer: rows × (in+1), row-major, bias last
}

// MarshalJSON writes the network with all digits of its weights. A network with a weight that is
// not finite cannot be saved.
func (n *Network) MarshalJSON() ([]byte, error) {
	s := saved{
		Format: savedFormat, Version: savedVersion, Arch: n.Arch,
		Inputs: n.Inputs, Outputs: n.Outputs, InScale: n.InScale, OutScale: n.OutScale,
	}
	for _, m := range n.Weights {
		s.Weights = append(s.Weights, m.W)
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads a saved network and validates all of it: whatever it accepts can predict.
func (n *Network) UnmarshalJSON(data []byte) error {
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("not a saved network: %w", err)
	}
	if s.Format != savedFormat {
		return fmt.Errorf("not a saved network: format is %.40q, want %q", s.Format, savedFormat)
	}
	if s.Version != savedVersion {
		return fmt.Errorf("the network was saved in version %d of the format and this program reads version %d; use a "+
			"matching version of eql", s.Version, savedVersion)
	}
	if err := s.validate(); err != nil {
		return fmt.Errorf("the saved network is damaged: %w", err)
	}
	*n = Network{Arch: s.Arch, Inputs: s.Inputs, Outputs: s.Outputs, InScale: s.InScale, OutScale: s.OutScale}
	for l, w := range s.Weights {
		n.Weights = append(n.Weights, Matrix{Rows: s.Arch.Rows(l), Cols: s.Arch.In(l), W: w})
	}
	return nil
}

func (s *saved) validate() error {
	if err := s.Arch.Validate(); err != nil {
		return err
	}
	var errs []error
	want := func(what string, got, want int) {
		if got != want {
			errs = append(errs, fmt.Errorf("it has %d %s, want %d", got, what, want))
		}
	}
	want("input names", len(s.Inputs), s.Arch.Inputs)
	want("output names", len(s.Outputs), s.Arch.Outputs)
	want("layers of weights", len(s.Weights), s.Arch.Layers())
	if s.InScale != nil {
		want("input scales", len(s.InScale), s.Arch.Inputs)
	}
	if s.OutScale != nil {
		want("output scales", len(s.OutScale), s.Arch.Outputs)
	}
	for l, w := range s.Weights {
		if l < s.Arch.Layers() {
			want(fmt.Sprintf("weights in layer %d", l+1), len(w), s.Arch.Rows(l)*(s.Arch.In(l)+1))
		}
		for _, x := range w {
			if math.IsNaN(x) || math.IsInf(x, 0) { // JSON has neither; a file is not the only source
				errs = append(errs, fmt.Errorf("layer %d has a weight that is not finite", l+1))
				break
			}
		}
	}
	for _, scale := range append(s.InScale[:len(s.InScale):len(s.InScale)], s.OutScale...) {
		if scale.Factor == 0 && scale.Shift != 0 {
			errs = append(errs, fmt.Errorf("a scale has factor 0"))
		}
	}
	return errors.Join(errs...)
}
