// Package distill turns trained networks into laws: it fits the constants of a network's
// surviving structure in float64 and takes away what the data does not support.
//
// In the flow it stands between training, which finds the neighbourhood of a formula in float32
// and under a penalty, and formula. [Read] takes one output of a network as a [Law], [Refine]
// fits and prunes it, [Growth.Improve] takes it apart and puts it together anew, [Law.Expr] writes it
// as an expression. [Linear] and [Growth.Greedy], which see no network, are the baselines that every
// run reports.
//
// Data ([fit.Data]) is in scaled units. All arithmetic is float64.
//
// Everything is deterministic. Laws are values: functions return new ones and never change their
// arguments, so calls may run in parallel.
//
// The parts: law.go (units with sparse affine arguments, in which linear units dissolve), canonical.go (one way of
// writing a law, so that no direction in the space of its constants is flat), jacobian.go (its derivatives and its
// fit), prune.go (optimal brain surgeon with a criterion), moves.go (units replaced by simpler ones); and for laws that
// grow term by term, with or without a network: grow.go and grower.go (the search), form.go and sum.go (laws written
// out), dictionary.go, offer.go, scan.go, plane.go and periodogram.go (what terms are made of), tangent.go and
// candidate.go (what a term would gain), rewrite.go, sines.go, waves.go and exponents.go (the same in other words),
// quotient.go, frame.go and regression.go (polynomials over polynomials), curves.go (exponentials, logarithms and roots
// in sums), enclosed.go (laws inside an exponential or a root); and for judging a law: extrapolate.go (the test on
// outer rows, poles and doubt), kink.go (kinks beyond the data).
//
// Sources: Hassibi and Stork 1993, Second order derivatives for network pruning: optimal brain surgeon; Chen and Chen
// 2008 for the price of choosing among many terms.
package distill
