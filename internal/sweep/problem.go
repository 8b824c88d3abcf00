package sweep

import (
	"math/rand/v2"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/units"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// Task is what a run learns: which columns from which, and from which rows. Tables are in the
// user's units and hold at least the named columns.
type Task struct {
	Inputs, Targets []string
	Groups          []string // inputs that are 1 in the rows of one group and 0 in all others; nil without groups
	Data            *datasets.Table
	Validation      *datasets.Table        // nil: rows of Data are held out, or cross-validation
	Errors          map[string]ErrorColumn // of targets whose errors a column of the tables tells
	// Columns says how cells became numbers, where they were not plain numbers.
	Columns map[string]datasets.Coding
	// Slopes says that targets are derivatives of smoothed columns, whose errors resemble those of neighbouring rows.
	Slopes bool

	known *knownPart // what the target is an unknown function of; nil: it is what the law is for
}

// problem is a task made ready for training: split and scaled.
type problem struct {
	inputs, targets   []string
	inScale, outScale []model.Scale // nil without scaling
	origins           []float64     // of the inputs: formulas say (x - origin) where it is not 0
	seconds           float64       // in the unit of the only input, where it is time; 0 otherwise
	indicators        []int         // the inputs that say which group a row is of; nil without groups
	reach             []float64     // largest size of each scaled input

	measured   map[string]units.Unit // units of the columns; nil without
	dimensions run.Dimensions
	writer     *units.Writer

	train      *datasets.Table // inputs then targets, user's units
	validation *datasets.Table // nil when folds are set
	folds      [][]int         // of the rows of train
	scaled     trainer.Data    // train in scaled units
	rows       *datasets.Table // train and then validation, inputs counted from their origins
	// of these: the row of the data, or if it is negative, less than 0 by one more than that of Validation
	origin []int
	errors []rowErrors // of each target
	data   []fit.Data  // of each target: the rows of train that laws are fitted to, in scaled units
	near   *near
	known  *knownPart // see [Task]
	limits run.Limits
	done   <-chan struct{} // ends fits, see [fit.Data]
	slopes bool            // see [Task]
}

const folds = 5

func newProblem(t Task, s Settings) (*problem, error) {
	columns := append(append([]string(nil), t.Inputs...), t.Targets...)
	data, err := t.Data.Select(columns...)
	if err != nil {
		return nil, err
	}
	p := &problem{
		inputs: t.Inputs, targets: t.Targets, train: data, known: t.known, slopes: t.Slopes,
		limits: s.Limits, dimensions: s.Dimensions,
	}
	if s.Dimensions != run.DimensionsOff {
		if p.measured, err = units.ParseAll(s.UnitsOf); err != nil {
			return nil, err
		}
	}
	texts := make([]string, len(columns))
	for j, name := range slices.Concat(t.Targets, t.Inputs) {
		texts[j] = s.UnitsOf[name]
	}
	p.writer = units.NewWriter(texts...)
	switch {
	case t.Validation != nil:
		if p.validation, err = t.Validation.Select(columns...); err != nil {
			return nil, err
		}
	case s.Split > 0:
		train, validation := split(s, data.Rows())
		p.train, p.validation = data.Take(train), data.Take(validation)
		p.origin = slices.Concat(train, validation)
	default:
		p.folds = datasets.Folds(data.Rows(), folds, rand.New(rand.NewPCG(s.Seed, splitStream)))
	}
	for j, name := range t.Inputs {
		if slices.Contains(t.Groups, name) {
			p.indicators = append(p.indicators, j)
		}
	}
	p.seconds = secondsOf(t, s)
	p.scale(s.Scale)
	return p, p.readErrors(t)
}

// split returns the rows that are trained on and those that are held out.
func split(s Settings, rows int) (train, validation []int) {
	return datasets.Split(rows, s.Split, rand.New(rand.NewPCG(s.Seed, splitStream)))
}

// Fitted returns the rows of the data that constants were fitted to: all but those held out.
func (c RunConfig) Fitted() *datasets.Table {
	if c.Validation != nil || c.Settings.Split <= 0 {
		return c.Data.Table
	}
	train, _ := split(c.Settings, c.Data.Table.Rows())
	return c.Data.Table.Take(train)
}

// HeldOut returns the rows that formulas were validated on, nil after cross-validation.
func (c RunConfig) HeldOut() *datasets.Table {
	if c.Validation != nil {
		return c.Validation.Table
	}
	if c.Settings.Split <= 0 {
		return nil
	}
	_, validation := split(c.Settings, c.Data.Table.Rows())
	return c.Data.Table.Take(validation)
}

// scale chooses the scales from the training rows and applies them.
func (p *problem) scale(how Scaling) {
	n := len(p.inputs)
	p.origins = make([]float64, n)
	if how == ScaleAuto {
		for j, col := range p.train.Cols[:n] {
			p.origins[j] = datasets.Origin(col)
		}
		scales := make([]model.Scale, len(p.train.Cols))
		for j, col := range p.train.Cols {
			shift, factor := datasets.AutoScale(col)
			if p.fromItsZero(p.train.Names[j]) && datasets.Origin(col) == 0 {
				shift, factor = 0, datasets.AutoFactor(col)
			}
			scales[j] = model.Scale{Shift: shift, Factor: factor}
		}
		p.inScale, p.outScale = scales[:n:n], scales[n:]
	}
	p.scaleRows()
	for _, col := range p.scaled.X {
		p.reach = append(p.reach, reach(col))
	}
}

// scaleRows makes what is computed from the rows of the table by the scales.
func (p *problem) scaleRows() {
	n := len(p.inputs)
	cols := make([][]float64, len(p.train.Cols))
	for j, col := range p.train.Cols {
		cols[j] = scaledColumn(col, p.scaleOf(j))
	}
	p.scaled = trainer.Data{X: cols[:n], Y: cols[n:]}
	p.rows = p.allRows()
	p.near = newNear(p)
}

// allRows returns the rows trained on and, after them, those that validate, with inputs counted from their origins.
func (p *problem) allRows() *datasets.Table {
	t := *p.train
	if p.validation != nil {
		t.Cols = make([][]float64, len(p.train.Cols))
		for j, col := range p.train.Cols {
			t.Cols[j] = slices.Concat(col, p.validation.Cols[j])
		}
	}
	n := len(p.inputs)
	t.Cols = append(p.columnsFromOrigins(t.Cols[:n]), t.Cols[n:]...)
	return &t
}

// target returns the rows of one target that laws are fitted to in scaled units.
func (p *problem) target(o int) fit.Data {
	d := p.data[o]
	d.Done = p.done
	return d
}

// maxTrainRows bounds the rows that minibatches are drawn from in short training: more rows than
// update steps can visit only cost memory.
const maxTrainRows = 200_000

// trainRows returns the rows for training: all of them but outliers, or evenly spread ones where one epoch
// of all would already be more than enough.
func (p *problem) trainRows(s Settings) trainer.Data {
	some := p.explained(0, p.train.Rows())
	if s.Refine && len(some) > maxTrainRows {
		of := some
		some = fit.Spread(len(of), maxTrainRows)
		for k, i := range some {
			some[k] = of[i]
		}
	}
	if len(some) == p.train.Rows() {
		return p.scaled
	}
	pick := func(cols [][]float64) [][]float64 {
		picked := make([][]float64, len(cols))
		for j, col := range cols {
			for _, i := range some {
				picked[j] = append(picked[j], col[i])
			}
		}
		return picked
	}
	return trainer.Data{X: pick(p.scaled.X), Y: pick(p.scaled.Y)}
}
