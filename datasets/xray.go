package datasets

// xray is the energy of the X-ray transition Kα2 as a function of the atomic number Z:
// x1 = Z/100, y = E/100000 eV, measured up to Z = 94 and computed beyond (xraylib). The law is not
// known in closed form; Moseley's is y ≈ x1².
//
// The data are the elements from Z = 10 to 91 except Ne and Na, whose entries are
// unresolved blends of two lines. The far test set is Z = 92 to 100, with two isotopes of
// uranium and of plutonium.
func xray() Problem {
	return Problem{
		Name:    "x-ray",
		Title:   "energy of the X-ray line Kα2 from the atomic number, as measured",
		Inputs:  numbered("x", 1),
		Targets: []string{"y"},
		Rows:    80,
		sets: func() ([]set, error) {
			t, err := readData("xray_kalpha2.csv", "Z", "energy_ev")
			if err != nil {
				return nil, err
			}
			z, energy := t.Cols[0], t.Cols[1]
			var light, heavy []int
			for i := range z {
				switch {
				case z[i] == 10 || z[i] == 11: // Ne, Na
				case z[i] <= 91:
					light = append(light, i)
				default:
					heavy = append(heavy, i)
				}
				z[i] /= 100
				energy[i] /= 100000
			}
			return []set{
				measured("data", t.Take(light), nil),
				measured("far", t.Take(heavy), nil),
			}, nil
		},
	}
}
