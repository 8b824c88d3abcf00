// Command dockerlint checks a Dockerfile as `docker build --check` does, with the parser and the rules of BuildKit, but
// needs neither a daemon nor a registry: every base image is taken for an empty one.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/moby/buildkit/client/llb"
	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/solver/pb"
	"github.com/opencontainers/go-digest"
	ocispecs "github.com/opencontainers/image-spec/specs-go/v1"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: dockerlint DOCKERFILE")
		os.Exit(2)
	}
	if err := check(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "dockerlint: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// check prints the warnings, and fails when there is one.
func check(w io.Writer, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	source := llb.NewSourceMap(nil, name, "dockerfile", text)
	source.Definition = &llb.Definition{}
	caps := pb.Caps.CapSet(pb.Caps.All())
	result, err := dockerfile2llb.DockerfileLint(context.Background(), text, dockerfile2llb.ConvertOpt{
		MetaResolver: empty{}, LLBCaps: &caps, SourceMap: source,
	})
	if err != nil {
		return err
	}
	for _, warning := range result.Warnings {
		line := int32(0)
		if len(warning.Location.GetRanges()) > 0 {
			line = warning.Location.Ranges[0].GetStart().GetLine()
		}
		fmt.Fprintf(w, "%s:%d: %s: %s\n", name, line, warning.RuleName, warning.Detail)
	}
	if result.Error != nil {
		return errors.New(result.Error.Message)
	}
	if n := len(result.Warnings); n > 0 {
		return fmt.Errorf("%d warnings", n)
	}
	return nil
}

// empty resolves every image to one without anything in it.
type empty struct{}

// ResolveImageConfig returns the image's configuration.
func (empty) ResolveImageConfig(
	_ context.Context, ref string, _ sourceresolver.Opt,
) (string, digest.Digest, []byte, error) {
	config, err := json.Marshal(ocispecs.Image{Platform: ocispecs.Platform{OS: "linux", Architecture: "amd64"}})
	return ref, "", config, err
}
