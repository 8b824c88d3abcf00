// Package baseline has the methods that the equation learner is compared with: support vector
// regression and a network of tanh units.
//
// In the flow it stands beside training: it takes the same columns as package trainer and gives
// predictions, but no formula. [SVR] is a setting of ε-support vector regression with a Gaussian
// kernel, [SVR.Fit] solves it and [SVR.Score] judges it on validation rows. [MLP] and
// [MLPConfig] are an architecture and a configuration for package trainer, which trains them.
//
// Columns come first, as in [trainer.Data]: x[j][i] is input j of row i, y[i] its target; several
// outputs are several models. Nothing is scaled: γ and ε are in the units of the columns.
//
// The same data and setting give the same bits, whatever the size of the cache. Calls may run in
// parallel and share their arguments, which are not changed; a model may be used by several goroutines.
//
// Fit reports all bad settings and columns in one joined error, and returns the context's error if it
// is cancelled. A fit that stops at its limit of iterations returns no error; its model says so.
//
// Sources: Drucker et al., NIPS 1996 (ε-support vector regression); Fan, Chen, Lin, Working set
// selection using second order information for training support vector machines, JMLR 6, 2005;
// Chang and Lin, LIBSVM: a library for support vector machines, ACM TIST 2(3), 2011, whose
// conventions for C, γ, ε, tolerance and ρ are kept; Martius and Lampert 2016, arXiv:1610.02995, §4.
// What makes a large C faster than in LIBSVM has its sources in face.go and stages.go.
package baseline
