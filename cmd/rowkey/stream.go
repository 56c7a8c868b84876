package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

// A stream is read and written record by record: memory does not grow with it,
// and what reaches the output is whole records.

const (
	flushAt  = 64 << 10 // output waits for so many bytes, or until input must be waited for
	longest  = 16 << 20 // bytes of one record of the input
	lookAt   = 100      // lines that decide the form of a stream's keys
	barEvery = 100 * time.Millisecond
)

// sink writes records, each of them whole in one write.
type sink struct {
	w   io.Writer
	buf []byte
	err error
}

func (s *sink) add(record []byte) error {
	s.buf = append(s.buf, record...)
	if len(s.buf) >= flushAt {
		return s.flush()
	}
	return s.err
}

func (s *sink) flush() error {
	if s.err == nil && len(s.buf) > 0 {
		_, s.err = s.w.Write(s.buf)
	}
	s.buf = s.buf[:0]
	return s.err
}

var errTooLong = fmt.Errorf("longer than %d MiB", longest>>20)

// source is the input of a stream.
type source struct {
	r      io.Reader
	out    *sink
	bar    *progressbar.ProgressBar
	record int // bytes read since the record began; of a CSV, whose open quote would read on and on
}

// Read writes the output before it waits for input, so that a slow input is
// answered as it comes.
func (s *source) Read(p []byte) (int, error) {
	if err := s.out.flush(); err != nil {
		return 0, err
	}
	if s.record > longest {
		return 0, errTooLong
	}
	n, err := s.r.Read(p)
	s.record += n
	if s.bar != nil {
		_ = s.bar.Add(n)
	}
	return n, err
}

// stream is one pass over the input.
type stream struct {
	a      *app
	in     *source
	r      *bufio.Reader // over in
	out    *sink
	strict bool
	line   int // of the record being read
	good   int
	bad    int
	noun   string // what line counts
	whole  string // what a record is called

	tell func(line int, text string, err error) // in place of stderr, of a key that is none
}

// takesStrict gives a subcommand --strict.
func takesStrict(c *cobra.Command, strict *bool) {
	c.Flags().BoolVar(strict, "strict", false, "stop at the first bad line (else it is told and left out)")
}

// open starts a stream over r. busy says that there is nothing else on the
// terminal, so that a progress bar may stand there.
func (a *app) open(r io.Reader, strict, busy bool) *stream {
	out := &sink{w: a.stdout}
	s := &stream{a: a, in: &source{r: r, out: out}, out: out, strict: strict, noun: "line", whole: "key"}
	s.r = bufio.NewReaderSize(s.in, flushAt)
	if busy && a.errTerminal {
		size := int64(-1)
		if f, ok := r.(*os.File); ok {
			if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
				size = info.Size()
			}
		}
		s.in.bar = progressbar.NewOptions64(size, progressbar.OptionSetWriter(a.stderr), progressbar.OptionShowBytes(true),
			progressbar.OptionThrottle(barEvery), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30),
			progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(size > 0))
	}
	return s
}

// fail tells of a bad record, or ends a strict stream with it.
func (s *stream) fail(err error) error {
	if s.line > 0 {
		err = fmt.Errorf("%s %d: %s", s.noun, s.line, plainError(err))
	}
	s.bad++
	if s.strict {
		return finding{err}
	}
	if werr := s.out.flush(); werr != nil {
		return werr
	}
	s.clearBar()
	s.a.complain(err)
	return nil
}

func (s *stream) clearBar() {
	if s.in.bar != nil {
		_ = s.in.bar.Clear()
	}
}

// close ends a stream: err is what ended it, nil at its end.
func (s *stream) close(err error) error {
	if s.in.bar != nil {
		_ = s.in.bar.Finish()
		_ = s.in.bar.Clear()
	}
	if werr := s.out.flush(); werr != nil && (err == nil || errors.As(err, new(finding))) {
		return werr
	}
	if err == nil && s.bad > 0 {
		return finding{fmt.Errorf("%d of %s bad", s.bad, plural(s.bad+s.good, s.whole))}
	}
	return err
}

// lines reads line after line, without its end; an empty one is passed over.
func (s *stream) lines(do func(line []byte) error) error {
	for {
		line, err := s.readLine()
		s.line++
		s.in.record = 0
		switch {
		case errors.Is(err, errTooLong):
			if err := s.fail(err); err != nil {
				return err
			}
			continue
		case err != nil && err != io.EOF:
			return err
		}
		if len(line) > 0 {
			if err := do(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// readLine is the next line; of one that is too long the rest is passed over.
func (s *stream) readLine() ([]byte, error) {
	line, err := s.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			if line, err = s.r.ReadSlice('\n'); len(long) <= longest {
				long = append(long, line...)
			}
			s.in.record = 0
		}
		if line = long; len(line) > longest && (err == nil || err == io.EOF) {
			return nil, errTooLong
		}
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), err
}

// keys reads the keys of a stream; do's error makes the line a bad one.
func (s *stream) keys(form string, fits func([]byte) bool, do func(text string, key []byte) error) error {
	type held struct {
		line int
		text string
	}
	var ahead []held
	var last string // row of the line before
	one := func(h held) error {
		s.line = h.line
		text, form := h.text, form
		switch form {
		case formScan:
			row, ok := scanRow(text)
			if !ok || row == last {
				return nil
			}
			last, text, form = row, row, formText
		case formHex, formBase64:
			text = strings.TrimSpace(text)
		case formAuto:
			form = guessForm([]string{text}, fits)
		}
		key, err := parseKey(text, form)
		if err != nil && s.tell != nil {
			s.tell(s.line, text, err)
			return nil
		}
		if err == nil {
			err = do(text, key)
		}
		var stop stopped
		switch {
		case err == nil:
			s.good++
			return nil
		case errors.As(err, &stop):
			return stop.error
		}
		return s.fail(err)
	}
	settle := func() error {
		if len(ahead) == 0 {
			return nil
		}
		texts := make([]string, len(ahead))
		for i, h := range ahead {
			texts[i] = h.text
		}
		form = guessForm(texts, fits)
		for _, h := range ahead {
			if err := one(h); err != nil {
				return err
			}
		}
		ahead = nil
		return nil
	}
	guessing := form == formAuto && !s.a.inTerminal
	err := s.lines(func(line []byte) error {
		h := held{s.line, string(line)}
		if !guessing || form != formAuto {
			return one(h)
		}
		if ahead = append(ahead, h); len(ahead) < lookAt {
			return nil
		}
		return settle()
	})
	if err == nil && guessing && form == formAuto {
		err = settle()
	}
	return err
}

// stopped is an error that ends a stream, bad lines aside: one of the output,
// or of the call.
type stopped struct{ error }

// eachKey runs do over the keys given as arguments, or over those of stdin.
func (a *app) eachKey(args []string, form string, strict bool, fits func([]byte) bool, do func(s *stream, text string, key []byte) error) error {
	if len(args) == 0 || len(args) == 1 && args[0] == "-" {
		a.prompt("keys, one a line")
		s := a.open(a.stdin, strict, !a.inTerminal && !a.outTerminal)
		return s.close(s.keys(form, fits, func(text string, key []byte) error { return do(s, text, key) }))
	}
	s := a.open(strings.NewReader(""), strict, false)
	s.noun = "key"
	for i, arg := range args {
		if len(args) > 1 {
			s.line = i + 1
		}
		as, text := form, arg
		switch form {
		case formAuto:
			as = guessForm([]string{arg}, fits)
		case formScan:
			row, ok := scanRow(arg)
			if !ok {
				return s.close(fmt.Errorf("expected a line of hbase shell's scan, not %s", shown(arg)))
			}
			as, text = formText, row
		}
		key, err := parseKey(text, as)
		if err == nil {
			err = do(s, text, key)
		}
		var stop stopped
		switch {
		case err == nil:
			s.good++
		case errors.As(err, &stop):
			return s.close(stop.error)
		default:
			if err := s.fail(err); err != nil {
				return s.close(err)
			}
		}
	}
	if s.bad > 0 && len(args) == 1 { // it has been told
		if err := s.out.flush(); err != nil {
			return err
		}
		a.bad = true
		return nil
	}
	return s.close(nil)
}

// prompt says what is waited for, to one who types.
func (a *app) prompt(what string) {
	if a.inTerminal && a.errTerminal {
		fmt.Fprintf(a.stderr, "reading %s; Ctrl-D ends\n", what)
	}
}
