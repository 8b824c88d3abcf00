module github.com/eqlearner/eql

go 1.26
