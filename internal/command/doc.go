// Package command is the command line of eql: a file for each command, with its flags and a function that runs it.
// [Execute] runs one of them and returns the exit code. Results go to standard output, all else to standard error;
// errors say where, what and what to do.
package command
