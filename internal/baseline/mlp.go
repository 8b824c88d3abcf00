package baseline

import (
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

// MLP returns the multilayer perceptron that the paper compares with: layers counts the read-out, so
// there are layers−1 hidden layers of k tanh units each. Its L and k are 2 to 4 and 5 to 50.
func MLP(inputs, outputs, layers, k int) model.Arch {
	return model.Uniform(inputs, outputs, layers, k, 0, []model.Unit{model.Tanh})
}

// MLPConfig returns the configuration for training an [MLP]: the paper's, with the L1 penalty in the
// same window but no mask: nothing is read off its weights (Martius and Lampert 2016, §4).
func MLPConfig() trainer.Config {
	c := trainer.PaperConfig()
	c.Mask = 0
	c.Schedule = trainer.Schedule{
		{Name: "free", End: 1.0 / 4},
		{Name: "penalty", End: 19.0 / 20, Penalty: true},
		{Name: "unpenalised", End: 1},
	}
	return c
}
