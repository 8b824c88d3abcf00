// Package trainer fits networks to data: minibatches, Adam, and a schedule of phases.
//
// In the flow it takes a start for each lane and the training rows, drives the graph of package
// graph, and returns the trained networks; package sweep decides what to train. [Fit] starts it
// and an observer sees each [Event].
//
// Training runs in phases ([Schedule]): free, with the L1 penalty, and without it but with small
// weights held at zero. The solver [Adam] is the only place that asks which phase it is.
//
// [Data] is column-major and in scaled units. A network is trained with all others of its group,
// one in each lane, on the same minibatches.
//
// The same configuration, data, starts and kernel give the same bits, whatever the number of
// lanes and whether or not training was interrupted and resumed from a [Checkpoint]: the order
// of the rows in an epoch depends on the seed and the epoch alone. Calls of Fit may run in
// parallel.
//
// On a GPU ([CUDA]) a launch makes many steps; the losses of its epochs are told after it. The numbers are those of the
// processor's assembly, bit for bit, so training may continue on another device.
//
// A lane whose loss stops being finite is frozen and reported as a [*DivergedError] in the
// result. Fit itself returns an error for bad settings, a checkpoint of another run, a missing device,
// and a cancelled context.
//
// Sources: Martius and Lampert 2016, arXiv:1610.02995, §3.2; Kingma and Ba 2015, arXiv:1412.6980.
package trainer
