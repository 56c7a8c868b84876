package command

import (
	"fmt"
	"strings"
	"time"
)

// bar shows on a terminal how far a stream is. Only the one who writes the
// output draws it, so that no line stands on another.
type bar struct {
	a     *app
	in    *input
	what  string
	begun time.Time
	drawn time.Time
	shown bool
}

const (
	barFrom  = 500 * time.Millisecond // until then there is no rate worth showing
	barEvery = 100 * time.Millisecond
)

// newBar is a bar if there is nothing else on the terminal, else nil.
func (a *app) newBar(in *input, what string) *bar {
	if !a.errTerminal || a.outTerminal || a.quiet || a.inTerminal && in.name == "" {
		return nil
	}
	return &bar{a: a, in: in, what: what, begun: a.now()}
}

// show draws the bar with a count.
func (b *bar) show(n int) {
	if b == nil {
		return
	}
	now := b.a.now()
	since := now.Sub(b.begun)
	if since < barFrom || now.Sub(b.drawn) < barEvery {
		return
	}
	b.drawn, b.shown = now, true
	text := fmt.Sprintf("%s %ss  %s/s", grouped(float64(n)), b.what, grouped(float64(n)/since.Seconds()))
	if b.in.size > 0 {
		done := min(float64(b.in.plain.n.Load())/float64(b.in.size), 1)
		const wide = 20
		full := int(done * wide)
		text = fmt.Sprintf("%3.0f %% [%s%s]  %s", 100*done, strings.Repeat("=", full), strings.Repeat(" ", wide-full), text)
	}
	if b.a.pass != "" {
		text = b.a.pass + "  " + text
	}
	if w := b.a.width(b.a.stderr); w > 1 && len(text) >= w {
		text = text[:w-1]
	}
	fmt.Fprintf(b.a.stderr, "\r\x1b[K%s", text)
}

// clear takes the bar off its line.
func (b *bar) clear() {
	if b != nil && b.shown {
		fmt.Fprint(b.a.stderr, "\r\x1b[K")
		b.shown = false
	}
}
