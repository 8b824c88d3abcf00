package emulator

// call reads a call after that word: operands are copied to the function's registers, results back.
func (p *parser) call() error {
	var results []string
	if p.peek().text == "(" {
		err := p.list(func() error {
			results = append(results, p.next().text)
			return nil
		})
		if err != nil {
			return err
		}
		if err := p.want(","); err != nil {
			return err
		}
	}
	name := p.next().text
	f, ok := p.functions[name]
	if !ok {
		return p.errorf("function %s is not declared above", name)
	}
	if len(results) != len(f.results) {
		return p.errorf("function %s has %d results", name, len(f.results))
	}
	skip := p.skip()
	if err := p.arguments(f); err != nil {
		return err
	}
	p.emit(instr{op: opCall, off: f.start})
	for i, r := range f.results {
		to, err := p.lookup(results[i])
		if err == nil && !to.kind.fits(r.kind) {
			err = p.errorf("register %s has type %v, want %v", results[i], to.kind, r.kind)
		}
		if err != nil {
			return err
		}
		p.emit(instr{op: opMove, x: [4]int32{to.slot, r.slot}})
	}
	if skip >= 0 {
		p.code[skip].off = int32(len(p.code))
	}
	return nil
}

// skip emits a branch over a call that has a guard, and returns where it stands, or −1.
func (p *parser) skip() int {
	if p.guard.pred == slotNone {
		return -1
	}
	p.guard.not = !p.guard.not
	p.emit(instr{op: opBra})
	p.guard = guard{}
	return len(p.code) - 1
}

// arguments reads the operands of a call.
func (p *parser) arguments(f *function) error {
	n := 0
	if p.accept(",") {
		err := p.list(func() error {
			if n == len(f.params) {
				return p.errorf("function %s has %d parameters", f.name, n)
			}
			to := f.params[n]
			from, err := p.operand(to.kind, false)
			p.emit(instr{op: opMove, x: [4]int32{to.slot, from}})
			n++
			return err
		})
		if err != nil {
			return err
		}
	}
	if n != len(f.params) {
		return p.errorf("function %s has %d parameters", f.name, len(f.params))
	}
	return nil
}
