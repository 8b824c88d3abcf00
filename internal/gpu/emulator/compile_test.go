package emulator

import (
	"strings"
	"testing"
)

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, before, body, want string }{
		{"unknown instruction", "", "sin.approx.f32 %f0, %f1;", "%f1;: unknown instruction sin.approx.f32"},
		{"no rounding", "", "add.f32 %f0, %f1, %f2;", "unknown instruction add.f32"},
		{"flush to zero", "", "add.rn.ftz.f32 %f0, %f1, %f2;", "unknown instruction add.rn.ftz.f32"},
		{"unknown memory", "", "ld.local.f32 %f0, [%q0];", "unknown instruction ld.local.f32"},
		{"unknown type of memory", "", "st.shared.u8 [memory], %w0;", "unknown instruction st.shared.u8"},
		{"store to a table", "", "st.const.u64 [%q0], 1;", "unknown instruction st.const.u64"},
		{"vector of 32 bytes", "", "ld.global.v4.f64 {%d0, %d1, %d2, %d3}, [%q0];", "unknown instruction ld.global.v4.f64"},
		{"another barrier", "", "bar.sync 1;", `"1" where "0" should be`},
		{"too few operands", "", "add.u32 %w0, %w1;", `";" where "," should be`},
		{"too many operands", "", "mov.u32 %w0, %w1, %w2;", `"," where ";" should be`},
		{"no register", "", "mov.u32 %z0, 1;", "register %z0 is not declared"},
		{"past the last register", "", "mov.u32 %w40, 1;", "register %w40 is not declared"},
		{"two names of a register", "", "mov.u32 %w01, 1;", "register %w01 is not declared"},
		{"shared memory as global", "", "ld.global.f32 %f0, [memory];", "register memory is not declared"},
		{"result that is a constant", "", "mov.u32 1, %w0;", "register 1 is not declared"},
		{"result that is special", "", "mov.u32 %tid.x, %w0;", "register %tid.x is not declared"},
		{"size", "", "mov.u32 %q0, 1;", "register %q0 has type u64, want u32"},
		{"integer as float", "", "add.rn.f32 %f0, %w0, %f1;", "register %w0 has type u32, want f32"},
		{"float as integer", "", "add.u32 %w0, %f0, %w1;", "register %f0 has type f32, want u32"},
		{"predicate", "", "@%w0 bra END; END: ret;", "register %w0 has type u32, want pred"},
		{"special as 64 bits", "", "mov.u64 %q0, %tid.x;", "%tid.x has type u32, want u64"},
		{"integer constant of a float", "", "mov.f32 %f0, 1;", `"1" is no constant of type f32`},
		{"wrong digits", "", "mov.f32 %f0, 0f3F8;", `"0f3F8" is no constant of type f32`},
		{"float of another size", "", "mov.f64 %d0, 0f3F800000;", `is no constant of type f64`},
		{"large constant", "", "mov.u32 %w0, 4294967296;", `is no constant of type u32`},
		{"small constant", "", "mov.s32 %w0, -2147483649;", `is no constant of type u32`},
		{"short address", "", "ld.global.f32 %f0, [%w0];", "register %w0 has type u32, which is no address"},
		{"float as address", "", "ld.shared.f32 %f0, [%f0];", "which is no address"},
		{"half an address", ".const .b64 t[1] = {1};", "mov.u32 %w0, t;", "t is an address, which is no u32"},
		{"name in arithmetic", "", "add.u32 %w0, memory, 1;", `"memory" is no constant`},
		{"no parameter", "", "ld.param.u64 %q0, [inn];", "there is no parameter inn"},
		{"parameter of 32 bits", "", "ld.param.u32 %w0, [in];", "unknown instruction ld.param.u32"},
		{"label", "", "bra AWAY;", "bra AWAY;: label AWAY is missing"},
		{"label twice", "", "A: A: ret;", "label A stands twice"},
		{"register twice", "", ".reg .u32 %w<3>;", "%w<> is declared twice"},
		{"named register twice", "", ".reg .u32 %a; .reg .f32 %a;", `"%a" cannot be declared`},
		{"type of registers", "", ".reg .u8 %a;", "unknown type of a register"},
		{"nested", "", "{ ret; }", "unknown instruction {"},
		{"function", "", "call away;", "function away is not declared above"},
		{"itself", ".func again () { call again; ret; }", "ret;", "function again is not declared above"},
		{"function twice", ".func a () { ret; } .func a () { ret; }", "ret;", "function a is declared twice"},
		{"results", declarations, "call both, (%d0, 1);", "function both has 2 results"},
		{"too few arguments", declarations, "call (%d0, %w0), both, (%d0);", "function both has 2 parameters"},
		{"too many arguments", declarations, "call (%d0), outer, (%d0, %d1);", "function outer has 1 parameters"},
		{"type of an argument", declarations, "call (%d0), outer, (%f0);", "register %f0 has type f32, want f64"},
		{"type of a result", declarations, "call (%f0), outer, (%d0);", "register %f0 has type f32, want f64"},
		{"register of a function", declarations, "mov.f64 %d0, %t1;", "register %t1 is not declared"},
		{"no end", ".func open () { add.u32 %w0, 1, 1; }", "", "register %w0 is not declared"},
		{"no return", ".func open () { .reg .u32 %a; mov.u32 %a, 1; }", "", "open does not end with ret, exit or bra"},
		{"perhaps a return", ".func open () { .reg .pred %a; mov.pred %a, 1; @%a ret; }", "", "does not end"},
		{"table twice", ".const .b64 t[1] = {1}; .const .b64 t[1] = {1};", "", "t is declared twice"},
		{"long table", ".const .b64 t[1] = {1, 2};", "", "more than 1 values"},
		{"alignment", ".const .align 4 .b64 t[1] = {1};", "", "not supported"},
		{"statement", ".shared .b8 a[3];", "", "unknown statement .shared"},
		{"second entry", ".visible .entry main() { ret; }", "", "want one entry main"},
		{"character", "#", "", `line 5: character '#'`},
	} {
		_, err := compile(kernel(c.before, c.body), "main")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "emulator: line ") {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "has no .entry main"},
		{"another entry", ".entry other() { ret; }", "entry other, want one entry main"},
		{"label at the end", ".entry main() { bra A; A: }", "label A stands before no instruction"},
		{"parameter", ".entry main(.param .u32 a) { ret; }", "parameter of type .u32, want 64 bits"},
		{"parameter twice", ".entry main(.param .u64 a, .param .u64 a) { ret; }", "parameter a is declared twice"},
		{"directive", ".entry main() .cluster 1 { ret; }", `unknown directive ".cluster"`},
		{"line", "// one\n/* two\nthree */ .four", "line 3: three */ .four: unknown statement .four"},
	} {
		_, err := compile(c.text, "main")
		wantError(t, err, c.want)
	}
	// However short a text is cut, compile returns.
	text := kernel(declarations, loop)
	for n := range len(text) - 3 {
		if _, err := compile(text[:n], "main"); err == nil {
			t.Errorf("%q: no error", text[:n])
		}
	}
	_, err := compile(text, "main")
	check(t, err)
}

// FuzzCompile looks for texts on which compile does not return.
func FuzzCompile(f *testing.F) {
	f.Add(kernel(declarations, loop))
	f.Add(kernel("", own))
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := compile(text, "main"); err == nil && (len(p.code) != len(p.lines) || len(p.code) == 0) {
			t.Errorf("%d instructions, %d lines", len(p.code), len(p.lines))
		}
	})
}
