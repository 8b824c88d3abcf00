// Command eql learns short formulas from tables of measurements. Run eql --help.
package main

import (
	"os"

	"github.com/eqlearner/eql/internal/command"
)

func main() { os.Exit(command.Execute(os.Args, os.Stderr)) }
