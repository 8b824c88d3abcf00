// Command eql-cluster learns formulas from many tables on machines that come and go. Run eql-cluster --help.
package main

import (
	"os"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/internal/command"
)

func main() {
	runtime.MemProfileRate = 0 // the engine has what would read the profile, which turns it on
	os.Exit(command.ExecuteCluster(&command.Cluster{
		Flags: []cli.Flag{&cli.StringFlag{Name: "cluster", Category: "Many tables",
			Usage: "have workers learn from the tables: listen for them, here or at `listen=HOST:PORT`, " +
				"or use the NATS server at nats://HOST"}},
		Description: batchDescription,
		Worker:      workerCommand(),
		Coordinate:  coordinate,
	}, os.Args, os.Stderr))
}
