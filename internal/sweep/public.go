package sweep

import (
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/run"
)

// What a run is asked for, and what it says, as callers of the library see it.
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
	Holds, Uncertain, Fails = evidence.Holds, evidence.Uncertain, evidence.Fails

	Nothing, Contradicts, TooFew = evidence.Nothing, evidence.Contradicts, evidence.TooFew
	Untested, Doubtful, Nowhere  = evidence.Untested, evidence.Doubtful, evidence.Nowhere

	NotAsked, Yes, No = evidence.NotAsked, evidence.Yes, evidence.No

	SnapAuto, SnapOff, ScaleAuto, ScaleNone  = run.SnapAuto, run.SnapOff, run.ScaleAuto, run.ScaleNone
	InitPaper, InitSparse, InitMixed         = run.InitPaper, run.InitSparse, run.InitMixed
	SelectRank, SelectValidation, SelectBIC2 = run.SelectRank, run.SelectValidation, run.SelectBIC2

	EndedSettled, EndedGrid, EndedRounds = run.EndedSettled, run.EndedGrid, run.EndedRounds
	EndedByTime, EndedInterrupted        = run.EndedByTime, run.EndedInterrupted
)
