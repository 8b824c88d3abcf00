// Package eql learns short formulas from tables of measurements.
package eql
