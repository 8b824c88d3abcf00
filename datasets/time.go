package datasets

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// TimeCoding codes dates, times of day and moments as numbers of a unit since an origin.
type TimeCoding struct {
	Layout string `json:"layout"`         // of the date, a name in dateLayouts
	Zone   bool   `json:"zone,omitempty"` // cells name their time zone; the numbers are in UTC
	Unit   string `json:"unit"`           // seconds, hours, days or years
	// Origin is where counting starts, such as 2024-01-01T00:00:00. It is empty for years, which are those of the
	// calendar with their fraction, and for times of day, which are counted from midnight.
	Origin string `json:"origin,omitempty"`
}

// The layouts that are no layouts of package time.
const (
	clockLayout    = "hh:mm:ss"
	durationLayout = "h:mm:ss of more than a day, or m:ss.s"
	quarterLayout  = "YYYY-Qn"
	monthLayout    = "YYYYMM"
	secondLayout   = "Unix seconds"
	milliLayout    = "Unix milliseconds"
)

// dateLayout is a way to write dates.
type dateLayout struct {
	name    string
	layout  string // of package time; one digit stands for one or two. Empty where decode does it
	integer bool   // cells are plain numbers
	example string
}

// dateLayouts are all of them. Of layouts that read the same cells as the same dates the first is used.
var dateLayouts = []dateLayout{
	{"YYYY-MM-DD", "2006-1-2", false, "2024-03-31"},
	{"YYYY/MM/DD", "2006/1/2", false, "2024/03/31"},
	{"YYYY.MM.DD", "2006.1.2", false, "2024.03.31"},
	{"YYYY-MM", "2006-01", false, "2024-03"}, // 1001-1 is rather a part number
	{"DD.MM.YYYY", "2.1.2006", false, "31.03.2024"},
	{"DD/MM/YYYY", "2/1/2006", false, "31/03/2024"},
	{"MM/DD/YYYY", "1/2/2006", false, "03/31/2024"},
	{"DD-MM-YYYY", "2-1-2006", false, "31-03-2024"},
	{"MM-DD-YYYY", "1-2-2006", false, "03-31-2024"},
	{"D Mon YYYY", "2 Jan 2006", false, "31 Mar 2024"},
	{"D Month YYYY", "2 January 2006", false, "31 March 2024"},
	{"D-Mon-YYYY", "2-Jan-2006", false, "31-Mar-2024"},
	{"D. Mon YYYY", "2. Jan 2006", false, "31. Mar 2024"},
	{"DD.MM.YY", "02.01.06", false, "31.03.24"},
	{"DD/MM/YY", "2/1/06", false, "31/03/24"},
	{"MM/DD/YY", "1/2/06", false, "03/31/24"},
	{"D-Mon-YY", "2-Jan-06", false, "31-Mar-24"},
	{"Mon-YY", "Jan-06", false, "Mar-24"},
	{"Mon-YYYY", "Jan-2006", false, "Mar-2024"},
	{"YYYYMMDDThhmmss", "20060102T150405", false, "20240331T123015"},
	{quarterLayout, "", false, "2024-Q1"},
	{"Mon D, YYYY", "Jan 2, 2006", false, "Mar 31, 2024"},
	{"Month D, YYYY", "January 2, 2006", false, "March 31, 2024"},
	{"Mon YYYY", "Jan 2006", false, "Mar 2024"},
	{"Month YYYY", "January 2006", false, "March 2024"},
	{clockLayout, "", false, "12:30:15"},
	{durationLayout, "", false, "31:30:15"},
	{monthLayout, "200601", true, "202403"},
	{"YYYYMMDD", "20060102", true, "20240331"},
	{"YYYYMMDDhhmm", "200601021504", true, "202403311230"},
	{"YYYYMMDDhhmmss", "20060102150405", true, "20240331123015"},
	{secondLayout, "", true, "1711843200"},
	{milliLayout, "", true, "1711843200000"},
}

// clockLayouts are the times of day that may follow a date, and zones what may follow these.
var (
	clockLayouts = []string{"15:04:05", "15:04", "3:04:05 PM", "3:04 PM", "3:04:05PM", "3:04PM"}
	zoneLayouts  = []string{"", "Z07:00", " Z07:00", "Z0700", " Z0700"}
)

const (
	originLayout = "2006-01-02T15:04:05"
	daySeconds   = 86400
	yearDays     = 365.25
)

// timeUnit is a unit of time with the longest span that it is used for, in seconds, and where it counts from.
type timeUnit struct {
	name    string
	seconds float64 // 0 for years, which differ
	span    float64
	origin  func(first time.Time) time.Time
}

var timeUnits = []timeUnit{
	{"seconds", 1, 2 * 3600, func(t time.Time) time.Time { return t.Truncate(time.Hour) }},
	{"hours", 3600, 5 * daySeconds, func(t time.Time) time.Time { return t.Truncate(24 * time.Hour) }},
	{"days", daySeconds, 5 * yearDays * daySeconds, startOfYear},
	{"years", 0, math.Inf(1), nil},
}

func startOfYear(t time.Time) time.Time { return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC) }

func dateLayoutOf(name string) (dateLayout, bool) {
	i := slices.IndexFunc(dateLayouts, func(l dateLayout) bool { return l.name == name })
	if i < 0 {
		return dateLayout{}, false
	}
	return dateLayouts[i], true
}

func timeUnitOf(name string) (timeUnit, bool) {
	i := slices.IndexFunc(timeUnits, func(u timeUnit) bool { return u.name == name })
	if i < 0 {
		return timeUnit{}, false
	}
	return timeUnits[i], true
}

// parse returns the moment that a cell names, in UTC, and whether it names a zone. Dates are of the years 1 to 9999.
func (l dateLayout) parse(cell string) (t time.Time, zone, ok bool) {
	if len(cell) > longestValue {
		return t, false, false
	}
	switch l.name {
	case clockLayout:
		return parseClock(cell)
	case durationLayout:
		t, ok = parseDuration(cell)
		return t, false, ok
	}
	t, zone, ok = l.date(cell)
	return t, zone, ok && t.Year() >= 1 && t.Year() <= 9999
}

// date is parse for dates of any year.
func (l dateLayout) date(cell string) (t time.Time, zone, ok bool) {
	switch l.name {
	case secondLayout, milliLayout:
		n, err := strconv.ParseInt(cell, 10, 64)
		if l.name == secondLayout {
			return time.Unix(n, 0).UTC(), false, err == nil
		}
		return time.UnixMilli(n).UTC(), false, err == nil
	case quarterLayout:
		t, ok = parseQuarter(cell)
		return t, false, ok
	}
	date, clock := cutClock(cell)
	t, err := time.Parse(l.layout, date)
	if err != nil || clock == "" {
		return t, false, err == nil
	}
	of, zone, ok := parseClock(clock)
	return t.Add(of.Sub(time.Time{})), zone, ok
}

// ofDay reports whether a layout has no date, so that what it reads is counted from zero.
func (l dateLayout) ofDay() bool { return l.name == clockLayout || l.name == durationLayout }

// duration is hours, minutes and seconds, or minutes and seconds with a fraction. Of 81:30 nobody knows which it is.
var duration = regexp.MustCompile(`^(?:(\d{1,6}):([0-5]\d):([0-5]\d(?:[.,]\d{1,9})?)|(\d{1,6}):([0-5]\d[.,]\d{1,9}))$`)

// parseDuration returns a duration as that much after the zero Time.
func parseDuration(s string) (t time.Time, ok bool) {
	p := duration.FindStringSubmatch(s)
	if p == nil {
		return t, false
	}
	hours, _ := strconv.ParseFloat("0"+p[1], 64)
	minutes, _ := strconv.ParseFloat("0"+p[2]+p[4], 64)
	seconds, _ := strconv.ParseFloat("0"+strings.Replace(p[3]+p[5], ",", ".", 1), 64)
	whole := math.Floor(seconds)
	t = t.Add(time.Duration(hours*3600+minutes*60+whole) * time.Second)
	return t.Add(time.Duration(math.Round((seconds - whole) * 1e9))), true
}

var quarter = regexp.MustCompile(`^(?:(\d{4})[- ]?Q([1-4])|Q([1-4])[-/ ]?(\d{4}))$`)

// parseQuarter returns the start of a quarter of a year.
func parseQuarter(s string) (t time.Time, ok bool) {
	p := quarter.FindStringSubmatch(s)
	if p == nil {
		return t, false
	}
	year, _ := strconv.Atoi(p[1] + p[4])
	n, _ := strconv.Atoi(p[2] + p[3])
	return time.Date(year, time.Month(3*n-2), 1, 0, 0, 0, 0, time.UTC), true
}

// cutClock cuts a cell into a date and the time of day behind it, which has a colon.
func cutClock(cell string) (date, clock string) {
	colon := strings.IndexByte(cell, ':')
	if colon < 0 {
		return cell, ""
	}
	from := len(strings.TrimRight(cell[:colon], "0123456789"))
	return strings.TrimRight(strings.TrimSuffix(cell[:from], "T"), " ,"), cell[from:]
}

// parseClock returns a time of day as that much after the zero Time, less the offset of its zone.
func parseClock(s string) (t time.Time, zone, ok bool) {
	s = strings.ToUpper(s)
	for _, utc := range []string{" UTC", " GMT", "UTC", "GMT"} {
		if rest, found := strings.CutSuffix(s, utc); found {
			s = rest + "Z"
			break
		}
	}
	for _, z := range zoneLayouts {
		for _, c := range clockLayouts {
			at, err := time.Parse(c+z, s)
			if err != nil {
				continue
			}
			_, offset := at.Zone()
			day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
			return time.Time{}.Add(at.Sub(day) - time.Duration(offset)*time.Second), z != "", true
		}
	}
	return t, false, false
}

func (c *TimeCoding) validate() error {
	l, known := dateLayoutOf(c.Layout)
	u, counts := timeUnitOf(c.Unit)
	_, err := c.originTime()
	switch {
	case !known:
		return fmt.Errorf("there is no layout of dates %s", quote(c.Layout))
	case !counts:
		return fmt.Errorf("there is no unit of time %s", quote(c.Unit))
	case err != nil:
		return fmt.Errorf("the origin of a time is %s, want one such as %s", quote(c.Origin), originLayout)
	case l.ofDay() && u.seconds == 0:
		return errors.New("a time of day is not counted in years")
	case (c.Origin == "") != (u.seconds == 0 || l.ofDay()):
		return errors.New("an origin belongs to dates in seconds, hours or days, and to no others")
	}
	return nil
}

// originTime returns the origin, the zero Time where there is none.
func (c *TimeCoding) originTime() (time.Time, error) {
	if c.Origin == "" {
		return time.Time{}, nil
	}
	return time.Parse(originLayout, c.Origin)
}

// decode reads a date in its layout, or as YYYY-MM-DD, which has one meaning wherever it is written.
func (c *TimeCoding) decode(cell string) (float64, bool) {
	l, _ := dateLayoutOf(c.Layout)
	if v, ok := c.strictly(l, cell); ok || l.ofDay() {
		return v, ok
	}
	return c.strictly(dateLayouts[0], cell)
}

// strictly reads a date in one layout.
func (c *TimeCoding) strictly(l dateLayout, cell string) (float64, bool) {
	if l.integer {
		return 0, false
	}
	t, zone, ok := l.parse(cell)
	return c.count(t), ok && zone == c.Zone
}

// probing is a coding that is tried on a column: it reads its own layout and no other.
type probing struct{ *TimeCoding }

func (p probing) decode(cell string) (float64, bool) {
	l, _ := dateLayoutOf(p.Layout)
	return p.strictly(l, cell)
}

func (c *TimeCoding) plain(v float64) (float64, bool) {
	l, _ := dateLayoutOf(c.Layout)
	if !l.integer || v != math.Trunc(v) || math.Abs(v) > 1<<53 {
		return 0, false
	}
	t, _, ok := l.parse(strconv.FormatInt(int64(v), 10))
	return c.count(t), ok
}

// PastMidnight returns the first row at which times of day, rows one after another, seem to go on with the next day:
// they are more than half a day before those of the row above, and elsewhere they never fall. It is 0 where there is
// none.
func (c Coding) PastMidnight(values []float64) (row int) {
	if c.Time == nil || c.Time.Layout != clockLayout {
		return 0
	}
	u, _ := timeUnitOf(c.Time.Unit)
	for i := 1; i < len(values); i++ {
		switch fall := (values[i-1] - values[i]) * u.seconds; {
		case fall > daySeconds/2 && row == 0:
			row = i
		case fall > 0 && !(fall > daySeconds/2):
			return 0
		}
	}
	return row
}

// count returns how much of the unit t is after the origin.
func (c *TimeCoding) count(t time.Time) float64 {
	u, _ := timeUnitOf(c.Unit)
	if u.seconds == 0 {
		start := startOfYear(t)
		return float64(t.Year()) + secondsBetween(start, t)/secondsBetween(start, start.AddDate(1, 0, 0))
	}
	origin, err := c.originTime()
	if err != nil {
		return math.NaN() // validate has refused it
	}
	return secondsBetween(origin, t) / u.seconds
}

// secondsBetween is the number of seconds from a to b. A Duration would end after 292 years.
func secondsBetween(a, b time.Time) float64 {
	return float64(b.Unix()-a.Unix()) + float64(b.Nanosecond()-a.Nanosecond())/1e9
}

func (c *TimeCoding) agrees(Decimal, bool) bool { return true }

func (c *TimeCoding) wants() string {
	l, _ := dateLayoutOf(c.Layout)
	what := "a date such as " + l.example
	if l.name == clockLayout {
		what = "a time of day such as " + l.example
	}
	if l.name == durationLayout {
		what = "a duration such as " + l.example
	}
	if c.Zone {
		what += ", with a time and its zone"
	}
	return what
}

func (c *TimeCoding) reading() string {
	switch c.Layout {
	case clockLayout:
		return "times of day"
	case durationLayout:
		return "durations"
	case secondLayout, milliLayout:
		return c.Layout
	}
	return "dates (" + c.Layout + ")"
}

func (c *TimeCoding) meaning() string {
	if u, _ := timeUnitOf(c.Unit); u.seconds == 0 {
		return "years of the calendar with their fraction" + c.utc()
	}
	switch c.Layout {
	case clockLayout:
		return c.Unit + " since midnight" + c.utc()
	case durationLayout:
		return c.Unit
	}
	return c.Unit + " since " + strings.TrimSuffix(c.Origin, "T00:00:00") + c.utc()
}

// utc says that zones were taken into account.
func (c *TimeCoding) utc() string {
	if c.Zone {
		return " UTC"
	}
	return ""
}
