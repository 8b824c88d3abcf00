package sweep

import (
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/run"
)

// Settings and the other types here are those of package run, as callers of the library see them.
type (
	Settings = run.Settings
	Init     = run.Init
	Select   = run.Select
	Snap     = run.Snap
	Scaling  = run.Scaling
	Halving  = run.Halving
	Event    = run.Event
	Round    = run.Round
	Ended    = run.Ended

	ErrorColumn = run.ErrorColumn
)

// Evidence and the other types here are those of package evidence, as callers of the library see them.
type (
	Evidence = evidence.Evidence
	Verdict  = evidence.Verdict
	Level    = evidence.Level
	Code     = evidence.Code
	Kind     = evidence.Kind
	Support  = evidence.Support
	Answer   = evidence.Answer
	Greedy   = evidence.Greedy
	Power    = evidence.Power
	Edge     = evidence.Edge
)

// Their values, by short names.
const (
	Holds     = evidence.Holds
	Uncertain = evidence.Uncertain
	Fails     = evidence.Fails

	Nothing     = evidence.Nothing
	Contradicts = evidence.Contradicts
	TooFew      = evidence.TooFew

	Untested = evidence.Untested
	Doubtful = evidence.Doubtful
	Nowhere  = evidence.Nowhere

	NotAsked = evidence.NotAsked
	Yes      = evidence.Yes
	No       = evidence.No

	SnapAuto  = run.SnapAuto
	SnapOff   = run.SnapOff
	ScaleAuto = run.ScaleAuto
	ScaleNone = run.ScaleNone

	InitPaper  = run.InitPaper
	InitSparse = run.InitSparse
	InitMixed  = run.InitMixed

	SelectRank       = run.SelectRank
	SelectValidation = run.SelectValidation
	SelectBIC2       = run.SelectBIC2

	EndedSettled = run.EndedSettled
	EndedGrid    = run.EndedGrid
	EndedRounds  = run.EndedRounds

	EndedByTime      = run.EndedByTime
	EndedInterrupted = run.EndedInterrupted
)
