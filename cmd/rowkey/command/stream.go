package command

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/simulate"
	"github.com/spf13/cobra"
)

// A stream is read in blocks of whole records, which workers turn into output
// side by side; what they made is written in the order in which it came. Memory
// does not grow with the stream, and what reaches the output is whole records.

const (
	blockSize = 64 << 10 // bytes of input that are worked on together
	longest   = 16 << 20 // bytes of one record of the input
	lookAt    = 100      // lines that decide the form of a stream's keys
	mostKinds = 50       // causes of bad lines that are told apart
)

var errTooLong = fmt.Errorf("longer than %d MiB", longest>>20)

// block is some whole records, and what became of them.
type block struct {
	data    []byte
	broken  []brokenLine // of a CSV or of JSON: lines that no record begins with
	prev    []byte       // the row of the line before, in the output of a scan
	tooLong bool         // the block stands for one record that is too long
	err     error        // what ended the input after the block; io.EOF at its end
	done    chan struct{}

	each  bool // every bad line is marked, not only the first of each cause
	first bool // ends at the first bad line

	out       []byte
	marks     []mark
	lines     int // of the input
	good, bad int
	stop      error // ends the stream after what is in out
	hint      string
	notes     said.Notes // told in the order of the input
	checked   *checkedBlock
	batch     *simulate.Batch
	scratch   [][]byte
}

// mark is a bad line: where in the output it would have stood.
type mark struct {
	at, line int // line counts from 1 in the block
	cause    string
	detail   string
	n        int   // lines of the block with this cause
	more     []int // the first of them but this
}

const moreShown = 8 // lines of one cause of which the numbers are told

func (b *block) reset() {
	*b = block{data: b.data[:0], out: b.out[:0], marks: b.marks[:0], broken: b.broken[:0], prev: b.prev[:0], done: b.done, checked: b.checked, batch: b.batch, scratch: b.scratch}
}

// fail marks a bad line of the block; false if the block ends there.
func (b *block) fail(line int, err error) bool {
	b.bad++
	late, _ := err.(*said.NotTime)
	var cause, detail string
	if late != nil {
		cause = late.Cause
	} else {
		cause, detail = causeOf(err)
	}
	if !b.each {
		for i := range b.marks {
			if b.marks[i].cause == cause {
				if b.marks[i].n++; len(b.marks[i].more) < moreShown {
					b.marks[i].more = append(b.marks[i].more, line)
				}
				return !b.first
			}
		}
	}
	if late != nil {
		detail = late.Detail()
	}
	b.marks = append(b.marks, mark{at: len(b.out), line: line, cause: cause, detail: detail, n: 1})
	return !b.first
}

// causeOf is what a line's error has in common with that of others.
func causeOf(err error) (cause, detail string) {
	var t said.Told
	if errors.As(err, &t) {
		return t.Cause, t.Detail
	}
	var n *said.NotTime
	if errors.As(err, &n) {
		return n.Cause, n.Detail()
	}
	text, why := said.PlainError(err), whyOf(err)
	if why != "" { // it differs from key to key
		text, why = strings.Replace(text, why+": ", "", 1), ": "+why
	}
	if i := strings.LastIndex(text, " (at byte "); i >= 0 && strings.HasSuffix(text, ")") {
		return text[:i], text[i:] + why
	}
	return text, why
}

// whyOf is what the library says of a key that is none of its schema, such as 6 bytes left, 8 needed.
func whyOf(err error) string {
	var e *rowkey.Error
	if !errors.As(err, &e) {
		return ""
	}
	for _, reason := range []error{rowkey.ErrMalformed, rowkey.ErrDerived} {
		why, ok := strings.CutSuffix(e.Err.Error(), ": "+reason.Error())
		if ok && errors.Is(e.Err, reason) && !strings.HasPrefix(why, "its values encode to ") {
			return why
		}
	}
	return ""
}

// streamFlags say how a stream is worked on.
type streamFlags struct {
	strict bool // --strict
	most   int  // --max-errors
	jobs   int  // --jobs
	nul    bool // --null
}

// takesStream gives a subcommand the flags of its stream.
func (a *app) takesStream(c *cobra.Command, f *streamFlags, strict bool) {
	if strict {
		c.Flags().BoolVar(&f.strict, "strict", false, "stop at the first bad line (else it is reported and left out)")
		c.Flags().IntVar(&f.most, "max-errors", 0, "stop at `N` bad lines (0: never)")
	}
	c.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "`N` blocks of the input at once (0: one for each core); the order is kept")
	c.Flags().BoolVarP(&f.nul, "null", "0", false, "records end with a byte 00 in place of a new line, in and out")
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if f.jobs < 0 || f.jobs > 1024 {
			return fmt.Errorf("--jobs %d: expected 0 to 1024", f.jobs)
		}
		if f.most < 0 {
			return fmt.Errorf("--max-errors %d: expected 0 or more", f.most)
		}
		if f.jobs == 0 {
			f.jobs = runtime.GOMAXPROCS(0)
		}
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

func (f streamFlags) end() byte {
	if f.nul {
		return 0
	}
	return '\n'
}

// stream is one pass over one input or several.
type stream struct {
	a     *app
	flags streamFlags
	noun  string // what line counts
	whole string // what a record is called
	block int    // bytes of input that are worked on together; 0 is blockSize
	label string // the file, where there are several
	base  int    // lines before the block

	skipped int           // lines before what run reads
	header  func() []byte // before the first record of the output
	all     bool          // every bad line is told
	mute    bool          // none is, since an earlier pass has told them
	short   bool          // a line that is too long ends the input
	seen    func(w *rowMaker)

	good, bad int
	causes    []cause
	hint      string
	bar       *bar
	werr      error // of the output
}

// cause is bad lines that are alike.
type cause struct {
	text  string
	first string // where the first stands
	label string // its file
	more  int
	lines []int // of the first of these, if they stand in the same file
}

func (a *app) stream(f streamFlags) *stream {
	return &stream{a: a, flags: f, noun: "line", whole: "key"}
}

// cutter takes whole records off the input.
type cutter interface {
	next(b *block) error // the error that ends the input, nil before
}

// run works on an input: each worker is made once for each core.
func (s *stream) run(c cutter, worker func() func(*block), after func(*block) error) error {
	jobs := max(s.flags.jobs, 1)
	n := 2*jobs + 1
	free, work, order := make(chan *block, n), make(chan *block, n), make(chan *block, n)
	stop := make(chan struct{})
	var workers sync.WaitGroup
	defer workers.Wait() // what they share is the caller's again; the reader may wait for input that never comes
	defer close(stop)
	for range n {
		free <- &block{done: make(chan struct{}, 1)}
	}
	go func() {
		defer close(work)
		defer close(order)
		for {
			select {
			case b := <-free:
				b.reset()
				b.each, b.first = s.flags.most > 0, s.flags.strict
				b.err = c.next(b)
				ended := b.err != nil
				order <- b
				work <- b
				if ended {
					return
				}
			case <-stop:
				return
			}
		}
	}()
	for range jobs {
		do := worker()
		workers.Add(1)
		go func() {
			defer workers.Done()
			for {
				select {
				case <-stop:
					return
				case b, more := <-work:
					if !more {
						return
					}
					if b.tooLong {
						b.lines = 1
						b.fail(1, errTooLong)
					} else if len(b.data) > 0 {
						do(b)
					}
					b.done <- struct{}{}
				}
			}
		}()
	}
	s.base, s.skipped = s.skipped, 0
	for b := range order {
		<-b.done
		if b.tooLong && s.short {
			return finding{fmt.Errorf("%s%w", s.where(s.base+1), errTooLong)}
		}
		if err := s.settle(b); err != nil {
			return err
		}
		if after != nil {
			if err := after(b); err != nil {
				return err
			}
		}
		s.base += b.lines
		if b.err != nil && b.err != io.EOF {
			return b.err
		}
		free <- b
	}
	return nil
}

func (s *stream) write(p []byte) error {
	if s.werr == nil && len(p) > 0 {
		if s.header != nil {
			p = append(s.header(), p...)
			s.header = nil
		}
		_, s.werr = s.a.stdout.Write(p)
	}
	return s.werr
}

// settle writes what became of a block, and tells its bad lines.
func (s *stream) settle(b *block) error {
	if s.mute {
		b.notes.Take()
		s.bar.show(s.good + b.good + b.bad)
		s.good, s.bad = s.good+b.good, s.bad+b.bad
		return b.stop
	}
	for _, n := range b.notes.Take() {
		s.a.notes.Add(n.Key, n.Text)
	}
	if notes := s.a.notes.Take(); len(notes) > 0 && !s.a.quiet {
		s.bar.clear()
		for _, n := range notes {
			s.a.complain(errors.New(n.Text))
		}
	}
	at := 0
	for _, m := range b.marks {
		where := s.where(s.base + m.line)
		s.bad += m.n
		if s.flags.strict {
			if err := s.write(b.out[at:m.at]); err != nil {
				return err
			}
			return finding{errors.New(where + m.cause + m.detail)}
		}
		if fresh, text := s.met(m, where); fresh {
			if err := s.write(b.out[at:m.at]); err != nil {
				return err
			}
			at = m.at
			s.bar.clear()
			s.a.complain(errors.New(text))
		}
		if s.flags.most > 0 && s.bad >= s.flags.most {
			if err := s.write(b.out[at:m.at]); err != nil {
				return err
			}
			s.good += b.good
			return tooMany{fmt.Errorf("stopped at %s; --max-errors permits more", said.Plural(s.bad, "bad "+s.whole))}
		}
	}
	if s.hint == "" {
		s.hint = b.hint
	}
	s.good += b.good
	if err := s.write(b.out[at:]); err != nil {
		return err
	}
	s.bar.show(s.good + s.bad)
	return b.stop
}

// tooMany ends a stream of many bad lines.
type tooMany struct{ error }

// where is a line in a message.
func (s *stream) where(line int) string {
	at := ""
	if s.label != "" {
		at = s.label + ": "
	}
	if s.noun != "" {
		at += s.noun + " " + strconv.Itoa(line) + ": "
	}
	return at
}

// met counts a bad line with those that are alike; fresh if it is the first.
func (s *stream) met(m mark, where string) (fresh bool, text string) {
	i := slices.IndexFunc(s.causes, func(c cause) bool { return c.text == m.cause })
	if i < 0 && len(s.causes) >= mostKinds {
		m.cause = "other causes"
		i = slices.IndexFunc(s.causes, func(c cause) bool { return c.text == m.cause })
	}
	if i >= 0 && s.all {
		return true, where + m.cause + m.detail
	}
	also := func(c *cause, line int) {
		if c.label == s.label && len(c.lines) < moreShown {
			c.lines = append(c.lines, s.base+line)
		}
	}
	fresh = i < 0
	if fresh {
		i = len(s.causes)
		s.causes = append(s.causes, cause{text: m.cause, first: strings.TrimSuffix(where, ": "), label: s.label, more: -1})
	}
	c := &s.causes[i]
	c.more += m.n
	if !fresh {
		also(c, m.line)
	}
	for _, line := range m.more {
		also(c, line)
	}
	if !fresh {
		return false, ""
	}
	return true, where + m.cause + m.detail
}

// close ends a stream: err is what ended it, nil at its end.
func (s *stream) close(err error) error {
	s.bar.clear()
	var many tooMany
	if err != nil && !errors.As(err, &many) {
		return err
	}
	for _, c := range s.causes {
		if c.more > 0 {
			lines := ""
			for _, l := range c.lines {
				lines += ", " + strconv.Itoa(l)
			}
			if len(c.lines) < c.more {
				lines += ", …"
			}
			s.a.complain(fmt.Errorf("%d more like %s (%s): %s", c.more, c.first, strings.TrimPrefix(lines, ", "), c.text))
		}
	}
	if s.hint != "" && s.bad > 0 {
		s.a.complain(errors.New(s.hint))
	}
	if err != nil {
		return finding{many.error}
	}
	if s.bad > 0 {
		return finding{fmt.Errorf("%d of %s bad", s.bad, said.Plural(s.bad+s.good, s.whole))}
	}
	return nil
}

// prompt says what is waited for, to one who types.
func (a *app) prompt(what string) {
	if a.inTerminal && a.errTerminal && !a.quiet {
		fmt.Fprintf(a.stderr, "reading %s; Ctrl-D ends\n", what)
	}
}
