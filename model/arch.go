package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Layer is one hidden layer: u unary units and v products.
//
// It has d = u + 2v pre-activations z and k = u + v outputs y. In z the factors of the products
// come first, then the unary rows; in y the unary outputs come first, then the products:
//
//	z = a₁ b₁ … a_v b_v  z₁ … z_u
//	y =                  f₁(z₁) … f_u(z_u)  a₁·b₁ … a_v·b_v
//
// The paper lists the factors last. Here unary units are written where their pre-activations
// stood, between the factors and the products, so that z and y are each one contiguous piece of
// one buffer and no layer is ever copied.
type Layer struct {
	Unary    []Unit `json:"unary"`
	Products int    `json:"products"`
}

// Rows returns d, the number of pre-activations.
func (l Layer) Rows() int { return 2*l.Products + len(l.Unary) }

// Width returns k, the number of outputs.
func (l Layer) Width() int { return len(l.Unary) + l.Products }

// Unit returns the unit that computes output k, and the row of its (first) pre-activation.
func (l Layer) Unit(k int) (u Unit, row int) {
	if k < len(l.Unary) {
		return l.Unary[k], 2*l.Products + k
	}
	return Product, 2 * (k - len(l.Unary))
}

// Arch is the shape of a network: what is fixed before training.
type Arch struct {
	Inputs  int     `json:"inputs"`
	Hidden  []Layer `json:"hidden"` // may be empty: a linear model
	Outputs int     `json:"outputs"`
}

// Uniform returns the paper's architecture: layers counts the read-out, so there are layers−1
// equal hidden layers, each with width units of every unary type in units and with the given
// number of products. Product in units is ignored, since products say how many, and so are units that no network has.
func Uniform(inputs, outputs, layers, width, products int, units []Unit) Arch {
	var unary []Unit
	for _, u := range Units() {
		if u != Product && slices.Contains(units, u) {
			for range width {
				unary = append(unary, u)
			}
		}
	}
	a := Arch{Inputs: inputs, Outputs: outputs}
	for range layers - 1 {
		a.Hidden = append(a.Hidden, Layer{Unary: unary, Products: products})
	}
	return a
}

// Layers returns L, the number of affine maps: hidden layers and the read-out.
func (a Arch) Layers() int { return len(a.Hidden) + 1 }

// In returns the number of inputs of affine map l.
func (a Arch) In(l int) int {
	if l == 0 {
		return a.Inputs
	}
	return a.Hidden[l-1].Width()
}

// Rows returns the number of outputs of affine map l.
func (a Arch) Rows(l int) int {
	if l == len(a.Hidden) {
		return a.Outputs
	}
	return a.Hidden[l].Rows()
}

// Params returns the number of weights and biases.
func (a Arch) Params() int {
	n := 0
	for l := range a.Layers() {
		n += a.Rows(l) * (a.In(l) + 1)
	}
	return n
}

// maxParams bounds what a saved file or a flag may ask for.
const maxParams = 10_000_000

// Validate reports everything that is wrong with the architecture, joined into one error.
func (a Arch) Validate() error {
	var errs []error
	if a.Inputs < 1 {
		errs = append(errs, fmt.Errorf("there are %d inputs, want at least 1", a.Inputs))
	}
	if a.Outputs < 1 {
		errs = append(errs, fmt.Errorf("there are %d outputs, want at least 1", a.Outputs))
	}
	for i, l := range a.Hidden {
		if l.Products < 0 || l.Products > maxParams {
			errs = append(errs, fmt.Errorf("hidden layer %d has %d products, want 0 to %d", i+1, l.Products, maxParams))
		} else if l.Width() == 0 {
			errs = append(errs, fmt.Errorf("hidden layer %d has no units", i+1))
		}
		for _, u := range l.Unary {
			if !u.Trained() || u.Arity() != 1 {
				errs = append(errs, fmt.Errorf("hidden layer %d: %s is not a unary unit of networks", i+1, u))
			}
		}
	}
	if errs == nil && (max(a.Inputs, a.Outputs) > maxParams || a.Params() > maxParams) {
		errs = append(errs, fmt.Errorf("the network has more than %d parameters; make it smaller", maxParams))
	}
	return errors.Join(errs...)
}

// String describes the architecture in a few characters, such as 4-[10id 10sin 5mul]-1. Equal
// strings mean equal architectures.
func (a Arch) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d-", a.Inputs)
	for _, l := range a.Hidden {
		var parts []string
		for i := 0; i < len(l.Unary); {
			j := i
			for j < len(l.Unary) && l.Unary[j] == l.Unary[i] {
				j++
			}
			parts = append(parts, fmt.Sprintf("%d%s", j-i, l.Unary[i]))
			i = j
		}
		if l.Products > 0 {
			parts = append(parts, fmt.Sprintf("%d%s", l.Products, Product))
		}
		fmt.Fprintf(&b, "[%s]-", strings.Join(parts, " "))
	}
	fmt.Fprintf(&b, "%d", a.Outputs)
	return b.String()
}
