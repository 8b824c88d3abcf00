package distill

// meter counts multiplications, those of a part of a call also for the whole.
type meter struct {
	spent, limit float64
	whole        *meter // nil: there is none
}

// part returns a meter for a part of the work.
func (m *meter) part(limit float64) *meter { return &meter{limit: limit, whole: m} }

// charge adds work that was done.
func (m *meter) charge(work float64) {
	for ; m != nil; m = m.whole {
		m.spent += work
	}
}

func (m *meter) left() float64 { return m.limit - m.spent }

// over reports whether the work is spent. Without a meter it never is.
func (m *meter) over() bool { return m != nil && m.left() <= 0 }
