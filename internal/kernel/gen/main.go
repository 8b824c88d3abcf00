package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	folder := ".."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if err := generate(folder); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func generate(folder string) error {
	asm.ConstraintExpr("amd64,!purego")
	for _, v := range vectors {
		v.constants()
		v.affine()
		v.elementary()
		v.pointwise()
	}
	file, err := asm.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return err
	}
	config := printer.Config{Name: "internal/kernel/gen", Pkg: "kernel"}
	for name, p := range map[string]printer.Printer{
		"vector_amd64.s":  printer.NewGoAsm(config),
		"vector_amd64.go": printer.NewStubs(config),
	} {
		text, err := p.Print(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	if err := constantTable(folder); err != nil {
		return err
	}
	return dispatch(folder, file.Functions())
}
