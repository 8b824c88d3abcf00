package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/graph"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

func devicesCommand() *cli.Command {
	return &cli.Command{
		Name:  "devices",
		Usage: "print the processor, its vector instructions and the GPU that eql trains with here",
		Action: func(c *cli.Context) error {
			if _, err := arguments(c); err != nil {
				return err
			}
			return runDevices(os.Stdout)
		},
	}
}

func runDevices(w io.Writer) error {
	name, err := kernel.Selected()
	if err != nil {
		return err
	}
	processor := strings.Join(append([]string{runtime.GOARCH}, kernel.Features()...), " ")
	_, err = fmt.Fprintf(w, `cpu: %s, %d cores
kernel: %s, which trains %d networks at once in float32 and %d in float64
gpu: %s
bits: equal to those of %s
`, processor, runtime.GOMAXPROCS(0), name, kernel.Lanes[float32](), kernel.Lanes[float64](),
		describeCard(), buildClass())
	return err
}

// describeCard names the GPU, or says why there is none.
func describeCard() string {
	c, err := graph.CUDACard()
	if err != nil {
		return "none; " + err.Error()
	}
	return fmt.Sprintf("%s, %.1f GiB, compute capability %d.%d, %d multiprocessors, driver for CUDA %s\n     %s",
		c.Name, float64(c.Memory)/(1<<30), c.Compute/10, c.Compute%10, c.Processors, c.Driver, describeCapacity())
}

// describeCapacity says how many networks the GPU trains at once.
func describeCapacity() string {
	const batch = 20
	paper := model.Uniform(4, 1, 2, 10, 10, []model.Unit{model.Identity, model.Sin, model.Cos, model.Sigmoid,
		model.Product})
	single, err := graph.Capacity[float32](paper, batch)
	if err != nil {
		return "It trains no networks: " + err.Error()
	}
	double, err := graph.Capacity[float64](paper, batch)
	if err != nil {
		return "It trains no networks in float64: " + err.Error()
	}
	return fmt.Sprintf("It trains %d networks at once in float32 and %d in float64, of one hidden layer with 10 units "+
		"of each kind.", single, double)
}

// cardNote says why a build for GPUs trains on the processor, where the choice was left to it.
func cardNote(d trainer.Device, notes io.Writer) {
	if d != trainer.Auto {
		return
	}
	if err := graph.MissingCUDA(); err != nil && !errors.Is(err, graph.ErrNoCUDA) {
		tell(notes, "note: training on the processor: %v", err)
	}
}
