package sweep

import (
	"math"

	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// A Job is one network to train.
type Job struct {
	ID      int        `json:"id"`
	Arch    model.Arch `json:"-"`
	Layers  int        `json:"layers"`
	Width   int        `json:"width"`
	Lambda  float64    `json:"lambda"`
	Restart int        `json:"restart"`
	Start   int        `json:"start"` // which of the starts it was given
	Epochs  int        `json:"epochs"`
	// Removed is the probability with which nonlinear units were left out of the network.
	Removed float64 `json:"removed,omitempty"`
	// Padding marks the further restarts that fill the last lanes. They are candidates when a
	// formula is searched for, and not part of the paper's protocol.
	Padding bool `json:"padding,omitempty"`
	// Device is where the network was trained; auto, and left out, is the processor.
	Device trainer.Device `json:"device,omitempty"`
}

// describe returns what some jobs are, for the record. models are those that were trained of them.
func describe(s Settings, jobs []Job, models []*Model, further bool) []Round {
	card := map[int]int{} // 1 for the ids of networks that a GPU trained
	for _, m := range models {
		if m.Device == trainer.CUDA {
			card[m.ID] = 1
		}
	}
	var rounds []Round
	for len(jobs) > 0 {
		n := sameArch(jobs)
		j := jobs[0]
		r := Round{Layers: j.Layers, Width: j.Width, Epochs: j.Epochs, Networks: n,
			Starts: n * s.Halving.Each(), Removed: j.Removed, Further: further}
		if len(j.Arch.Hidden) > 0 {
			r.Products = j.Arch.Hidden[0].Products
		}
		for _, j := range jobs[:n] {
			r.OnCard += card[j.ID]
		}
		rounds, jobs = append(rounds, r), jobs[n:]
	}
	return rounds
}

// sameArch returns how many of the first jobs have the architecture of the first.
func sameArch(jobs []Job) int {
	arch := jobs[0].Arch.String()
	n := 1
	for n < len(jobs) && jobs[n].Arch.String() == arch {
		n++
	}
	return n
}

// rounds returns the networks of the grid, one round for each architecture, smallest first.
func rounds(s Settings, inputs, outputs int) [][]Job {
	var rounds [][]Job
	id := 0
	for _, layers := range s.Layers {
		for _, width := range s.Width {
			products := s.Products
			if len(products) == 0 {
				products = []int{width}
			}
			for _, v := range products {
				round := round(s, model.Uniform(inputs, outputs, layers, width, productsOf(s, v), s.Units), id)
				for i := range round {
					round[i].Layers, round[i].Width, round[i].Epochs = layers, width, s.Train.Epochs
				}
				id += len(round)
				rounds = append(rounds, round)
			}
		}
	}
	return rounds
}

// removedFurther is the probability with which a nonlinear unit is left out of the networks of every
// second further round. With fewer units at hand, those that are left have to take the part that is
// missing, and each network misses others.
const removedFurther = 0.5

// extension returns further round k, with new starts: like the last of the grid, and in turn deeper,
// wider and longer, every second one with units left out. id is that of its first job.
func extension(s Settings, last []Job, k, id int) []Job {
	layers, width, epochs := last[0].Layers, last[0].Width, s.Train.Epochs
	products := last[0].Arch.Hidden[0].Products
	switch k % 3 {
	case 1:
		layers = min(layers+1, run.MaxLayers)
	case 2:
		layers--
		epochs *= 2
	}
	if k >= 3 {
		width, products, epochs = min(width*3/2, run.MaxWidth), min(products*3/2, run.MaxWidth), epochs*2
	}
	a := model.Uniform(last[0].Arch.Inputs, last[0].Arch.Outputs, max(layers, 2), width, products, s.Units)
	round := round(s, a, id)
	for i := range round {
		round[i].Layers, round[i].Width, round[i].Epochs = max(layers, 2), width, epochs
		if k%2 == 1 {
			round[i].Removed = removedFurther
		}
	}
	return round
}

// productsOf returns the number of products, none when the units leave them out.
func productsOf(s Settings, v int) int {
	for _, u := range s.Units {
		if u == model.Product {
			return v
		}
	}
	return 0
}

// round returns the networks of one architecture, the further restarts that fill the last lanes included.
func round(s Settings, a model.Arch, id int) []Job {
	n, padded := s.OfEachArch()
	jobs := make([]Job, padded)
	for i := range jobs {
		jobs[i] = Job{
			ID: id + i, Arch: a,
			Lambda:  s.Lambda[i%len(s.Lambda)],
			Restart: i / len(s.Lambda),
			Padding: i >= n,
		}
	}
	return jobs
}

// The streams of random numbers, one a purpose; a job's own is startStream + id.
const (
	splitStream  = 1
	halvesStream = 2
	startStream  = 1 << 32
)

// reach returns the largest size in a column, at least a little more than zero.
func reach(col []float64) float64 {
	r := 0.0
	for _, x := range col {
		r = math.Max(r, math.Abs(x))
	}
	return math.Max(r, 1e-3)
}
