package command

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// lineCutter cuts an input at the ends of lines, or of what else ends with one
// byte.
type lineCutter struct {
	r     io.Reader
	block int // bytes that are read together; 0 is blockSize
	end   byte
	bom   bool   // a byte order mark in front is to be passed over
	rest  []byte // read and not yet given
	err   error  // of the input, after rest
	begun bool
	short bool   // a line that is too long ends the input: its own end may never come
	scan  bool   // the output of a scan: the row of the last line is kept
	prev  []byte // that row
}

// read appends what one read brings.
func (c *lineCutter) read(buf []byte) []byte {
	size := c.block
	if size == 0 {
		size = blockSize
	}
	if cap(buf)-len(buf) < size/4 {
		grown := make([]byte, len(buf), max(2*len(buf), size))
		copy(grown, buf)
		buf = grown
	}
	for range 100 {
		n, err := c.r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err != nil {
			c.err = err
		}
		if n > 0 || err != nil {
			return buf
		}
	}
	c.err = io.ErrNoProgress
	return buf
}

const bomText = "\ufeff"

// start passes over a byte order mark.
func (c *lineCutter) start() {
	if c.begun {
		return
	}
	c.begun = true
	for c.bom && c.err == nil && len(c.rest) < len(bomText) && bytes.HasPrefix([]byte(bomText), c.rest) {
		c.rest = c.read(c.rest)
	}
	if c.bom {
		c.rest = bytes.TrimPrefix(c.rest, []byte(bomText))
	}
}

// ahead reads some lines without giving them.
func (c *lineCutter) ahead(lines int) [][]byte {
	c.start()
	for c.err == nil && len(c.rest) < 1<<20 && bytes.Count(c.rest, []byte{c.end}) < lines {
		c.rest = c.read(c.rest)
	}
	all := bytes.SplitN(c.rest, []byte{c.end}, lines+1)
	if len(all) > lines || c.err == nil {
		all = all[:len(all)-1]
	}
	var out [][]byte
	for _, l := range all {
		if l = bytes.TrimSuffix(l, []byte("\r")); len(l) > 0 {
			out = append(out, l)
		}
	}
	if len(out) == 0 && len(c.rest) >= 1<<20 { // of a line that is longer, its beginning
		out = append(out, c.rest[:1024])
	}
	return out
}

func (c *lineCutter) next(b *block) error {
	c.start()
	b.data = append(b.data[:0], c.rest...)
	c.rest = c.rest[:0]
	from := 0
	for {
		if i := bytes.LastIndexByte(b.data[from:], c.end); i >= 0 {
			if first := from + bytes.IndexByte(b.data[from:], c.end); first > longest {
				c.rest = append(c.rest, b.data[first+1:]...)
				b.data, b.tooLong = nil, true
				return nil
			}
			c.give(b, from+i+1)
			return nil
		}
		if c.err == io.EOF && len(b.data) > longest {
			b.data, b.tooLong = nil, true
		}
		if c.err != nil {
			if c.err != io.EOF { // half a line: not to be taken for a whole one
				b.data = b.data[:0]
			}
			return c.err
		}
		if len(b.data) > longest {
			return c.pass(b)
		}
		from = len(b.data)
		b.data = c.read(b.data)
	}
}

// give leaves n bytes in the block, and keeps the rest.
func (c *lineCutter) give(b *block, n int) {
	c.rest = append(c.rest, b.data[n:]...)
	b.data = b.data[:n]
	if c.scan {
		b.prev = append(b.prev[:0], c.prev...)
		if row, ok := lastScanRow(b.data); ok {
			c.prev = append(c.prev[:0], row...)
		}
	}
}

// pass leaves out a record that is too long, or ends the input with it.
func (c *lineCutter) pass(b *block) error {
	b.tooLong = true
	if c.short {
		b.data = nil
		return io.EOF
	}
	for c.err == nil {
		b.data = c.read(b.data[:0])
		if i := bytes.IndexByte(b.data, c.end); i >= 0 {
			c.rest = append(c.rest, b.data[i+1:]...)
			b.data = nil // it has grown
			return nil
		}
	}
	b.data = nil
	return c.err
}

// eachLine calls do for each line of the block that is not empty, with its
// number from 1, until that returns false. Lines are counted, however they end.
func (b *block) eachLine(end byte, trim bool, do func(n int, line []byte) bool) {
	rest := b.data
	for n := 1; len(rest) > 0; n++ {
		b.lines = n
		line := rest
		if i := bytes.IndexByte(rest, end); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if trim && len(line) > 0 && line[len(line)-1] == '\r' {
			line = line[:len(line)-1]
		}
		if len(line) > 0 && !do(n, line) {
			return
		}
	}
}

// recordCutter cuts an input at the ends of records that may have several lines.
type recordCutter struct {
	lineCutter
	whole func(data []byte, eof bool) (n int, broken []brokenLine)
	ends  func(eof bool) error // what is wrong after what whole gave; eof: nothing more comes. Nil: nothing can be
}

// brokenLine is a line that no record begins with.
type brokenLine struct {
	at  int // in the block
	err error
}

func (c *recordCutter) next(b *block) error {
	c.start()
	b.data = append(b.data[:0], c.rest...)
	c.rest = c.rest[:0]
	for want := 0; ; want = 2 * len(b.data) {
		if len(b.data) > 0 && (c.err != nil || bytes.IndexByte(b.data, c.end) >= 0) {
			if c.err != nil && c.err != io.EOF {
				b.data = b.data[:bytes.LastIndexByte(b.data, c.end)+1]
			}
			n, broken := c.whole(b.data, c.err != nil)
			if n > 0 {
				b.broken = append(b.broken[:0], broken...)
				c.rest = append(c.rest, b.data[n:]...)
				b.data = b.data[:n]
				if len(c.rest) == 0 && c.err != nil {
					return c.ended()
				}
				return nil
			}
			if err := c.check(false); err != nil {
				b.data = b.data[:0]
				return err
			}
		}
		if c.err != nil {
			b.data = b.data[:0]
			return c.ended()
		}
		if len(b.data) > longest && bytes.IndexByte(b.data, c.end) < 0 {
			return c.pass(b)
		}
		for {
			b.data = c.read(b.data)
			if c.err != nil || want < 2*blockSize || len(b.data) >= min(want, 2*longest) {
				break
			}
		}
	}
}

func (c *recordCutter) check(eof bool) error {
	if c.ends == nil {
		return nil
	}
	return c.ends(eof)
}

// ended is the error of the input, or what is wrong with its end.
func (c *recordCutter) ended() error {
	if err := c.check(true); err != nil && c.err == io.EOF {
		return err
	}
	return c.err
}

// lenCutter cuts keys that each stand after their length, 4 bytes big-endian.
type lenCutter struct{ lineCutter }

// longestKey is HBase's.
const longestKey = 32767

func (c *lenCutter) next(b *block) error {
	b.data = append(b.data[:0], c.rest...)
	c.rest = c.rest[:0]
	for {
		n := 0
		for n+4 <= len(b.data) {
			size := binary.BigEndian.Uint32(b.data[n:])
			if size > longestKey {
				b.data = b.data[:n]
				return finding{fmt.Errorf("expected the length of a key in 4 bytes, not %d: is each key after its length?", size)}
			}
			if n+4+int(size) > len(b.data) {
				break
			}
			n += 4 + int(size)
		}
		if n > 0 {
			c.give(b, n)
			return nil
		}
		if c.err == io.EOF && len(b.data) > 0 {
			b.data = b.data[:0]
			return finding{fmt.Errorf("the input ends within a key")}
		}
		if c.err != nil {
			return c.err
		}
		b.data = c.read(b.data)
	}
}

// eachLong is eachLine for keys after their lengths.
func (b *block) eachLong(do func(n int, key []byte) bool) {
	for rest := b.data; len(rest) >= 4; {
		size := int(binary.BigEndian.Uint32(rest))
		key := rest[4 : 4+size]
		rest = rest[4+size:]
		b.lines++
		if !do(b.lines, key) {
			return
		}
	}
}
