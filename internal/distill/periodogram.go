package distill

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/kernel"
)

// Time series have many periods. Beyond the grid of the scans, waves sin(ωx + φ) of a single input are
// looked for by themselves on this many frequencies: two thousand periods in the data for one input, a
// quarter of them each for two, and so on.
const spectrumSize = 8000

// fewInputs is up to how many inputs waves of two of them are looked for up to ten periods in the data of
// each, in place of five.
const fewInputs = 3

// spectrumRows is on how many rows that is done, and spectrumBlock how many frequencies are computed at a
// time.
const (
	spectrumRows  = 250
	spectrumBlock = 16
	spectrumCost  = 4 // of a row and frequency, in multiplications: many sines at a time are cheap
)

// lookForFast makes fast waves part of the dictionary: of one input as fast as all rows can tell apart, since
// those that candidates are scored on are fewer, but not at equal distances; and of two, see [fewInputs].
func (d *dictionary) lookForFast(all fit.Data) {
	if !d.waves() {
		return
	}
	inputs := len(all.X)
	if inputs <= fewInputs {
		d.planes = gridSize
	}
	for _, x := range all.X {
		d.spectra = append(d.spectra, resolved(x, spectrumSize/(inputs*inputs)))
	}
}

// fast returns the best wave at the high frequencies of each input. It is the best of all of them, which
// the choice of it costs.
func (d *dictionary) fast(t *tangentSpace) []candidate {
	var list []candidate
	for j, size := range d.spectra {
		if size <= gridSize {
			continue
		}
		x := d.data.X[j]
		omega := frequency(x)
		omega *= float64(highestWave(few(t.along), few(x), omega, size))
		floats.ScaleTo(d.left, omega, x)
		kernel.Sin(d.left, d.right)
		k := d.wave(t, outUnit, nil, nil, termOf(omega, j), d.left, d.right)
		if k.among = size - gridSize; !math.IsInf(k.change, 1) {
			list = append(list, k)
		}
	}
	return list
}

// few returns some of the rows of a column.
func few(col []float64) []float64 {
	if len(col) <= spectrumRows {
		return col
	}
	some := make([]float64, spectrumRows)
	for i, r := range fit.Spread(len(col), spectrumRows) {
		some[i] = col[r]
	}
	return some
}

// highestWave returns the multiple of the lowest frequency, from gridSize+1 to size, at which sine and
// cosine of x agree most with the residual.
func highestWave(residual, x []float64, lowest float64, size int) int {
	n := len(x)
	sin, cos := make([]float64, spectrumBlock*n), make([]float64, spectrumBlock*n)
	highest, best := -1.0, 0
	for from := gridSize + 1; from <= size; from += spectrumBlock {
		rows := min(spectrumBlock, size+1-from)
		for i := range rows {
			floats.ScaleTo(sin[i*n:(i+1)*n], float64(from+i)*lowest, x)
		}
		kernel.Sin(sin[:rows*n], cos[:rows*n])
		for i := range rows {
			s, c := floats.Dot(residual, sin[i*n:(i+1)*n]), floats.Dot(residual, cos[i*n:(i+1)*n])
			if power := s*s + c*c; power > highest {
				highest, best = power, from+i
			}
		}
	}
	return best
}
