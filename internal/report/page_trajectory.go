package report

import (
	"fmt"

	"github.com/eqlearner/eql/evidence"
)

// trajectoryView is how the formulas of derivatives, integrated, follow the trajectory.
type trajectoryView struct {
	Lead string
	Rows []trajectoryRow
}

type trajectoryRow struct{ State, Window, Noise, Spread, Whole, Parts string }

func (p Page) trajectory() *trajectoryView {
	t := p.Trajectory
	if t == nil {
		return nil
	}
	v := &trajectoryView{Lead: fmt.Sprintf(
		"Derivatives are slopes of polynomials of degree %d, each fitted to the rows around a row; "+
			"cross-validation chose how many. "+
			"Formulas were learned from %s of %s rows. Integrated from the first row, "+
			"they are within %g %% of each spread up to "+
			"%s = %.6g of %.6g. Parts are the same from the start of each of %d parts of the trajectory.",
		t.States[0].Degree, thousands(t.Used), thousands(t.Rows), 100*evidence.NearTrajectory, t.Time,
		t.Until, t.End, t.Parts)}
	for _, s := range t.States {
		of := func(rms float64) string { return fmt.Sprintf("%.3g (%.2g\u00a0%%)", rms, 100*rms/s.Spread) }
		v.Rows = append(v.Rows, trajectoryRow{
			s.Name, fmt.Sprint(s.Window), fmt.Sprintf("%.3g", s.Noise), fmt.Sprintf("%.4g", s.Spread), of(s.Whole), of(s.Parts),
		})
	}
	return v
}
