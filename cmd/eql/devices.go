package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/urfave/cli/v2"
)

func devicesCommand() *cli.Command {
	return &cli.Command{
		Name:  "devices",
		Usage: "say what this machine and this build compute with",
		Action: func(c *cli.Context) error {
			if _, err := arguments(c); err != nil {
				return err
			}
			return runDevices(os.Stdout)
		},
	}
}

func runDevices(w io.Writer) error {
	_, err := fmt.Fprintf(w, "cpu: %s, %d cores\nkernel: portable\ngpu: none (this build runs on the CPU only)\n", runtime.GOARCH, runtime.NumCPU())
	return err
}
