# What a change must pass. `make tools` installs the linters at the versions that CI uses.
.PHONY: check ci tools

check:
	test -z "$$(gofmt -l .)"
	go vet ./...
	staticcheck ./...
	golangci-lint run ./...
	go test -race ./...

ci:
	bash .ci/run

tools:
	sed -nE 's/^(staticcheck|golangci)=//p' .ci/run | xargs -n 1 go install
