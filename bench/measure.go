package bench

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/hbase-rowkey/rowkey/bench/internal/clock"
)

// Machine is what a measurement ran on.
type Machine struct {
	Go       string `json:"go"`
	Platform string `json:"platform"`
	CPU      string `json:"cpu"`
	Cores    int    `json:"cores"`
}

// ThisMachine is the one that runs the program.
func ThisMachine() Machine {
	return Machine{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, cmp.Or(cpuid.CPU.BrandName, "of unknown make"), runtime.NumCPU()}
}

// String is for a line of text: "go1.24.0, linux/amd64, 2 cores of Intel(R) …".
func (m Machine) String() string {
	return fmt.Sprintf("%s, %s, %d cores of %s", m.Go, m.Platform, m.Cores, m.CPU)
}

// Options say how long to measure.
type Options struct {
	Rounds int           // each side is timed so many times
	Time   time.Duration // for about so long
	// Step is told after each timing how many are done, if it is not nil.
	Step func(done, of int)
}

// Report is a measurement of jobs.
type Report struct {
	Machine Machine  `json:"machine"`
	Rounds  int      `json:"rounds"`
	Time    string   `json:"time"` // of one timing
	Jobs    []Result `json:"jobs"`
}

// Result is how a job did.
type Result struct {
	Name    string  `json:"name"`
	Ratio   float64 `json:"ratio"`             // of the two medians, to hundredths
	Goal    float64 `json:"goal,omitempty"`    // Ratio is to be no higher, if it is not 0
	Allocs  int     `json:"allocs"`            // of one operation
	Most    *int    `json:"most,omitempty"`    // Allocs is to be no higher, if it is not nil
	Verdict string  `json:"verdict,omitempty"` // "pass" or "short", if there is a goal
	Unit    string  `json:"unit"`              // what times are given of
	Per     int     `json:"per"`               // units of one operation
	Work    Timing  `json:"work"`
	Floor   Timing  `json:"floor"`

	job Job
}

// Timing is one side's times of a unit, in nanoseconds.
type Timing struct {
	Median float64   `json:"median"`
	Rounds []float64 `json:"rounds"`
}

// Select is the jobs whose name matches.
func Select(jobs []Job, name *regexp.Regexp) []Job {
	return slices.DeleteFunc(jobs, func(j Job) bool { return !name.MatchString(j.Name) })
}

// Measure checks that the sides of each job give the same, counts allocations,
// and then times both, in slices by turns, a round of all jobs after another.
// It is an error if sides differ or allocate more than is promised, never if
// they are slow: of an allocation the report is whole.
func Measure(jobs []Job, o Options) (*Report, error) {
	// One processor: what the collector does for a side counts as its time.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))

	report := &Report{Machine: ThisMachine(), Rounds: o.Rounds, Time: o.Time.String()}
	var broken error
	for _, job := range jobs {
		pair := job.New()
		if err := pair.Same(); err != nil {
			return nil, fmt.Errorf("%s: %w", job.Name, err)
		}
		allocs, err := Allocs(pair.Work, job.Per)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", job.Name, err)
		}
		r := Result{Name: job.Name, Goal: job.Goal, Allocs: allocs, Unit: job.Unit, Per: job.Per, job: job}
		if job.Allocs >= 0 {
			r.Most = &job.Allocs
			if allocs > job.Allocs && broken == nil {
				broken = fmt.Errorf("%s: %d allocations, want at most %d", job.Name, allocs, job.Allocs)
			}
		}
		report.Jobs = append(report.Jobs, r)
	}
	count := counter{step: o.Step, of: 2 * len(jobs) * (o.Rounds + 1)}
	for _, group := range lots(report.Jobs) {
		var timed []sides
		for _, r := range group {
			pair := r.job.New()
			timed = append(timed, sides{{run: pair.Work}, {run: pair.Floor}})
		}
		if err := rounds(timed, o, &count); err != nil {
			return nil, err
		}
		for i, r := range group {
			r.settle(timed[i][0], timed[i][1])
		}
	}
	return report, broken
}

// lots is the jobs in the order of timing. One that holds many rows is by itself,
// after the others: the collector would go over them on the others' account.
func lots(results []Result) [][]*Result {
	all := [][]*Result{nil}
	for i := range results {
		if r := &results[i]; r.Per > 1 {
			all = append(all, []*Result{r})
		} else {
			all[0] = append(all[0], r)
		}
	}
	return all
}

// counter counts timings.
type counter struct {
	step     func(done, of int)
	done, of int
}

func (c *counter) next() {
	if c.done++; c.step != nil {
		c.step(c.done, c.of)
	}
}

// Allocs is how many allocations one operation makes.
func Allocs(run func(n int) error, per int) (int, error) {
	var err error
	n := testing.AllocsPerRun(max(8, 200/per), func() {
		if e := run(1); e != nil {
			err = e
		}
	})
	return int(n), err
}

// timer times one side, in processor time: what it waits for a processor, while
// other programs run, does not count.
type timer struct {
	run  func(n int) error
	wall func(n int) (time.Duration, error) // in place of run: it tells the time of day that it took
	n    int                                // operations that take about the time wanted
	ns   []float64                          // of one operation, each round
}

// sides are timed by turns.
type sides []*timer

// rounds times all of them, one after the other, again and again.
func rounds(all []sides, o Options, count *counter) error {
	for round := range o.Rounds + 1 {
		runtime.GC() // what was made before is no side's to collect
		for _, s := range all {
			if round == 0 {
				for _, t := range s {
					if err := t.calibrate(o.Time); err != nil {
						return err
					}
				}
			} else if err := s.once(o.Time); err != nil {
				return err
			}
			for range s {
				count.next()
			}
		}
	}
	return nil
}

// slice is how long one side runs until the other has its turn. It is long for a
// processor that has to learn the side's branches anew, and short for a machine that is
// fast in one moment and slow in the next.
const slice = 2 * time.Millisecond

// once is one round: each side takes about the time d, in slices.
func (s sides) once(d time.Duration) error {
	spent := make([]time.Duration, len(s))
	turns := 1
	if len(s) > 1 {
		turns = max(1, int(d/slice))
	}
	for turn := range turns {
		for i, t := range s {
			n := t.n*(turn+1)/turns - t.n*turn/turns
			if n == 0 {
				continue
			}
			took, err := t.time(n)
			if err != nil {
				return err
			}
			spent[i] += took
		}
	}
	for i, t := range s {
		t.ns = append(t.ns, float64(spent[i].Nanoseconds())/float64(t.n))
	}
	return nil
}

// calibrate finds how many operations take that time.
func (t *timer) calibrate(d time.Duration) error {
	for n := 1; ; {
		took, err := t.time(n)
		if err != nil {
			return err
		}
		if took >= d/2 || n >= 1<<40 {
			t.n = max(1, int(float64(n)*float64(d)/float64(max(took, 1))))
			return nil
		}
		// Toward the time wanted, in steps that a first cold run cannot mislead.
		n = max(n+1, min(100*n, int(float64(n)*float64(d)/float64(max(took, 1)))))
	}
}

func (t *timer) time(n int) (time.Duration, error) {
	if t.wall != nil {
		return t.wall(n)
	}
	began := clock.CPU()
	err := t.run(n)
	return clock.CPU() - began, err
}

func (t *timer) timing(per int) Timing {
	var out Timing
	for _, ns := range t.ns {
		out.Rounds = append(out.Rounds, math.Round(1000*ns/float64(per))/1000)
	}
	out.Median = median(out.Rounds)
	return out
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0
	}
	m := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[m]
	}
	return (sorted[m-1] + sorted[m]) / 2
}

func (r *Result) settle(work, floor *timer) {
	r.Work, r.Floor = work.timing(r.Per), floor.timing(r.Per)
	if r.Floor.Median > 0 {
		r.Ratio = math.Round(100*r.Work.Median/r.Floor.Median) / 100
	}
	// What is judged is what is shown: hundredths.
	switch {
	case r.Goal == 0 && r.Most == nil:
	case r.Goal > 0 && r.Ratio > r.Goal, r.Most != nil && r.Allocs > *r.Most:
		r.Verdict = "short"
	default:
		r.Verdict = "pass"
	}
}
