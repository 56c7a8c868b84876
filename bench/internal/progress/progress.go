// Package progress shows on a terminal how far a measurement is.
package progress

import (
	"io"
	"os"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"
)

// Bar is a line that is drawn anew. Where there is no terminal it is nothing.
type Bar struct {
	writer  progress.Writer
	tracker *progress.Tracker
	done    chan struct{}
}

// Start draws a bar, if w is a terminal.
func Start(w io.Writer, what string) *Bar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &Bar{}
	}
	return draw(w, what)
}

func draw(w io.Writer, what string) *Bar {
	b := &Bar{progress.NewWriter(), &progress.Tracker{Message: what, Total: 1, RemoveOnCompletion: true}, make(chan struct{})}
	b.writer.SetOutputWriter(w)
	b.writer.SetTrackerLength(30)
	b.writer.SetAutoStop(true)
	b.writer.SetUpdateFrequency(500 * time.Millisecond) // it is drawn while others are timed
	b.writer.AppendTracker(b.tracker)
	go func() {
		b.writer.Render()
		close(b.done)
	}()
	return b
}

// Step says how many steps are done.
func (b *Bar) Step(done, of int) {
	if b.tracker != nil {
		b.tracker.UpdateTotal(int64(of))
		b.tracker.SetValue(int64(min(done, of-1))) // the last is Stop's
	}
}

// Stop takes the bar away.
func (b *Bar) Stop() {
	if b.tracker == nil {
		return
	}
	b.tracker.MarkAsDone()
	<-b.done // the writer stops by itself; its Stop is lost if it has not begun
}
