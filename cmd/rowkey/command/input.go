package command

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// input is a file or stdin, unpacked.
type input struct {
	name  string // empty: stdin
	r     io.Reader
	plain *counted // below what unpacks it
	size  int64    // of a file that is not packed further; −1 if that is not known
	close func()
}

// named is an error that names the file, if it is not stdin.
func (in *input) named(err error) error {
	if in.name != "" {
		err = fmt.Errorf("%s: %w", in.name, err)
	}
	return err
}

// finding is a finding that names the file.
func (in *input) finding(err error) error { return finding{in.named(err)} }

// none is the finding that the files of args have none of what a command reads.
func none(what string, args []string) error {
	switch {
	case len(args) > 1:
		return finding{fmt.Errorf("no %s in %d files", what, len(args))}
	case len(args) == 0 || args[0] == "-":
		return finding{fmt.Errorf("no %s on stdin", what)}
	}
	return finding{fmt.Errorf("%s: no %s", args[0], what)}
}

// counted counts the bytes that were read.
type counted struct {
	r io.Reader
	n atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// stat is the file or the folder that an argument names; nil if it names none.
func stat(arg string) os.FileInfo {
	if arg == "" || arg == "-" || strings.ContainsAny(arg, "\x00\n") {
		return nil
	}
	info, err := os.Stat(arg)
	if err != nil {
		return nil
	}
	return info
}

// isFile reports that an argument names a file: a key that does is given on
// stdin.
func isFile(arg string) bool {
	info := stat(arg)
	return info != nil && !info.IsDir()
}

// looksLikeFile reports that an argument, for which isFile is false, is meant as a file:
// it has an ending as files of keys have, or is a folder.
func looksLikeFile(arg string) bool {
	for _, end := range []string{".txt", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".gz", ".zst", ".keys", ".hex"} {
		if strings.HasSuffix(arg, end) {
			return true
		}
	}
	return stat(arg) != nil
}

// isDirectory is the error of a directory where a file is wanted.
type isDirectory string

func (d isDirectory) Error() string { return string(d) + " is a directory" }

// openInput opens a file, - as stdin; packed says whether what begins as gzip
// and zstd do is unpacked.
func (a *app) openInput(name string, packed bool) (*input, error) {
	if name == "" { // a shell's variable that is not set: not stdin
		return nil, errNoFile
	}
	in := &input{name: name, size: -1, close: func() {}}
	r := a.stdin
	if again := a.kept.reader(name); again != nil {
		r = again
		if name == "-" {
			in.name = ""
		}
	} else if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, isDirectory(name)
		}
		r, in.close = f, func() { f.Close() }
	} else {
		in.name = ""
	}
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			in.size = info.Size()
		}
	}
	r, err := a.kept.keep(name, r)
	if err != nil {
		in.close()
		return nil, err
	}
	in.plain = &counted{r: r}
	in.r = in.plain
	if packed || strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".zst") {
		in.r = &unpacked{r: in.plain}
	}
	return in, nil
}

// kept has a copy, on disk, of each input that can be read but once, for a
// subcommand that reads all of them again. A nil one keeps nothing.
type kept struct{ copies map[string]*os.File }

// reader is the copy of an input that was read before, from its beginning; nil if
// there is none.
func (k *kept) reader(name string) io.Reader {
	if k == nil || k.copies[name] == nil {
		return nil
	}
	if _, err := k.copies[name].Seek(0, io.SeekStart); err != nil {
		return failed{err}
	}
	return k.copies[name]
}

// keep copies what is read of an input that is not kept yet, unless it is a file,
// which can be read again.
func (k *kept) keep(name string, r io.Reader) (io.Reader, error) {
	if k == nil || k.copies[name] != nil {
		return r, nil
	}
	if f, ok := r.(*os.File); ok && name != "" && name != "-" {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return r, nil
		}
	}
	f, err := os.CreateTemp("", "rowkey-rows-*")
	if err != nil {
		return nil, err
	}
	if k.copies == nil {
		k.copies = map[string]*os.File{}
	}
	os.Remove(f.Name()) // where the system permits it, so that an interrupted run leaves none
	k.copies[name] = f
	return io.TeeReader(r, f), nil
}

// remove removes the copies.
func (k *kept) remove() {
	for _, f := range k.copies {
		f.Close()
		os.Remove(f.Name())
	}
}

// unpacked unpacks what begins as gzip or zstd do, at the first read, so that
// nothing waits before.
type unpacked struct {
	r     io.Reader
	begun bool
}

var magics = []struct {
	begins string
	unpack func(io.Reader) (io.Reader, error)
}{
	{"\x1f\x8b\x08", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"\x28\xb5\x2f\xfd", func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) }},
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.begun {
		return u.r.Read(p)
	}
	u.begun = true
	var head []byte
	var err error
	for err == nil {
		var n int
		room := make([]byte, 4096)
		n, err = u.r.Read(room)
		head = append(head, room[:n]...)
		maybe := false
		for _, m := range magics {
			maybe = maybe || len(head) < len(m.begins) && strings.HasPrefix(m.begins, string(head))
		}
		if !maybe {
			break
		}
	}
	rest := u.r
	if err != nil {
		rest = failed{err}
	}
	u.r = io.MultiReader(bytes.NewReader(head), rest)
	for _, m := range magics {
		if strings.HasPrefix(string(head), m.begins) {
			if u.r, err = m.unpack(u.r); err != nil {
				u.r = failed{err}
			}
			u.r = packedWhole{u.r}
		}
	}
	return u.r.Read(p)
}

// packedWhole says what it means that packed bytes end too early.
type packedWhole struct{ r io.Reader }

func (p packedWhole) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the packed input is cut off: copy or pack it anew")
	}
	return n, err
}

// failed is a reader that has ended.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// eachInput runs do over the files, or over stdin if there are none.
func (a *app) eachInput(s *stream, files []string, what string, packed bool, do func(in *input) error) error {
	if len(files) == 0 {
		files = []string{"-"}
	}
	for _, name := range files {
		in, err := a.openInput(name, packed)
		if err != nil {
			return err
		}
		if in.name == "" && !s.mute {
			a.prompt(what)
		}
		if s.label = ""; len(files) > 1 {
			s.label = name
		}
		s.bar = a.newBar(in, s.whole)
		err = do(in)
		in.close()
		if err != nil {
			var found finding
			var many tooMany
			if !errors.As(err, &found) && !errors.As(err, &many) && s.werr == nil {
				err = in.named(err)
			}
			return err
		}
	}
	return nil
}
