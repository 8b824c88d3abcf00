// Package model holds networks of equation units: their architecture, their weights, and the formulas
// that they compute.
//
// In the flow it stands between training and formulas: graph is built from an [Arch], trainer
// returns one [Network] a lane, and [Network.Formulas] reads a network off as expressions.
//
// A network computes, layer by layer, z = W·y + b and then the units of the layer on z; the last
// layer is linear (Martius and Lampert 2016, §3). Weights are stored per layer as
// rows × (in+1) numbers with the bias last. [Layer] says which row belongs to which unit.
// [Unit] values come from one table, unitTable, which holds name, value, derivative and formula.
//
// Networks are trained in scaled units ([Scale]); weights, masks and sparsity are those of the
// scaled problem, while predictions and formulas are always in the user's units.
//
// Everything is deterministic; random starts take their source of numbers as an argument. A
// Network may be read by several goroutines and changed by one; [Scratch] belongs to one.
//
// A saved network carries a version and is validated when it is read: errors say what is wrong,
// and nothing that loads can make [Network.Predict] panic.
//
// Source: Martius and Lampert, Extrapolation and learning equations, arXiv:1610.02995.
package model
