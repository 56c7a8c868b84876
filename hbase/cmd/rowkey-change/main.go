// Rowkey-change is the operator's side of a change of a live table's row keys: it runs
// each step, and refuses one that is not allowed now. The state is in a small table, so
// that it goes on from any machine.
//
//	go install github.com/hbase-rowkey/rowkey/hbase/cmd/rowkey-change@latest
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/change"
	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/rekey"
	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// The exit codes.
const (
	exitFine   = 0
	exitFound  = 1 // a step that is not allowed now, rows that were refused, tables that differ
	exitMisuse = 2 // a wrong flag or name, a server that does not answer
)

// run is the command.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	root := a.command()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitFine
	}
	fmt.Fprintln(stderr, "rowkey-change:", strings.TrimPrefix(strings.TrimPrefix(err.Error(), "rekey: "), "change: "))
	for _, found := range []error{change.ErrPhase, rekey.ErrRefused, rekey.ErrUnequal, rekey.ErrTable, rekey.ErrFuture, rekey.ErrChanged} {
		if errors.Is(err, found) {
			return exitFound
		}
	}
	return exitMisuse
}

// app is one call of the command.
type app struct {
	stdout, stderr io.Writer
	gateway, table string

	client *hbase.Client
	store  *rekey.Store
	c      *rekey.Change
	def    rekey.Definition
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "rowkey-change",
		Short: "Change the row keys of a live HBase table, step by step",
		Long: `Change the row keys of a live HBase table, step by step. docs/change.md of rowkey tells the whole story.

The phases are old, prepare, write-both, read-new, keep and new. Each needs every client to have
confirmed the one before; rowkey-change status says what may be done now.`,
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetUsageTemplate(root.UsageTemplate() + "\nExit: 0 fine, 1 a step that is not allowed now or a difference that was found, 2 misuse.\n")
	root.PersistentFlags().StringVar(&a.gateway, "gateway", "127.0.0.1:9090", "`address` of a Thrift2 gateway, or of several with commas between")
	root.PersistentFlags().StringVar(&a.table, "state", "rowkey_change", "`table` of the changes' states, which is created")
	root.AddCommand(a.beginCommand(), a.statusCommand(), a.goCommand(), a.moveCommand(), a.verifyCommand(), a.compareCommand(),
		a.emptyCommand(), a.cleanCommand(), a.forgetCommand(), a.dropCommand())
	return root
}

// sub is a subcommand on a change of a name, which do finds open.
func (a *app) sub(use, short string, args int, do func(ctx context.Context, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(args + 1), RunE: func(c *cobra.Command, args []string) error {
		if err := a.open(c.Context(), args[0]); err != nil {
			return err
		}
		defer a.client.Close()
		var err error
		if a.def, err = a.store.Definition(c.Context()); err == nil {
			a.c, err = a.def.Change(a.client)
		}
		if err != nil {
			return err
		}
		return do(c.Context(), args[1:])
	}}
}

// open opens the state of a change.
func (a *app) open(ctx context.Context, name string) (err error) {
	a.client, err = hbase.Dial(ctx, a.gateway, hbase.Connections(32), hbase.Timeout(2*time.Minute), hbase.Retry(10, time.Second))
	if err != nil {
		return err
	}
	a.store, err = rekey.OpenStore(ctx, a.client, a.table, name)
	return err
}

func (a *app) say(format string, args ...any) { fmt.Fprintf(a.stdout, format+"\n", args...) }

func (a *app) beginCommand() *cobra.Command {
	var d rekey.Definition
	var regions int
	c := &cobra.Command{Use: "begin NAME", Short: "Define a change and create its new table", Args: cobra.ExactArgs(1)}
	c.RunE = func(c *cobra.Command, args []string) error {
		ctx := c.Context()
		if err := a.open(ctx, args[0]); err != nil {
			return err
		}
		defer a.client.Close()
		ch, err := d.Change(a.client)
		if err != nil {
			return err
		}
		if d.OldTable != d.NewTable {
			splits, err := ch.Side(change.InNew).Schema.Splits(regions)
			if err != nil {
				return err
			}
			if err := ch.Create(ctx, a.client, change.InNew, splits, d.Takes); err != nil {
				return err
			}
			a.say("%s is created, with %d regions; it keeps its tombstones for %v", d.NewTable, regions, d.Takes)
		}
		if err := ch.Check(ctx, a.client, change.InOld, d.Takes); err != nil {
			return err
		}
		if err := a.store.Define(ctx, d); err != nil {
			return err
		}
		_, err = a.store.Emptied(ctx)
		if err == nil {
			a.say("%s: from %s to %s, in old", args[0], d.OldTable, d.NewTable)
		}
		return err
	}
	f := c.Flags()
	f.StringVar(&d.OldTable, "old", "", "the `table` as it is")
	f.StringVar(&d.OldSchema, "old-schema", "", "the `notation` of its keys")
	f.StringVar(&d.NewTable, "new", "", "the new `table`; the same one keeps both layouts in it")
	f.StringVar(&d.NewSchema, "new-schema", "", "the `notation` of its keys")
	f.DurationVar(&d.Takes, "takes", 7*24*time.Hour, "the longest that the change may take, and tombstones are kept")
	f.IntVar(&regions, "regions", 16, "of the new table")
	for _, name := range []string{"old", "old-schema", "new", "new-schema"} {
		_ = c.MarkFlagRequired(name)
	}
	return c
}

func (a *app) statusCommand() *cobra.Command {
	return a.sub("status NAME", "Say the phase, who has confirmed it, and what may be done now", 0, func(ctx context.Context, _ []string) error {
		st, err := a.store.State(ctx)
		if err != nil {
			return err
		}
		a.say("%s → %s, in %s", a.def.OldTable, a.def.NewTable, st.Phase)
		a.say("puts go to %s, deletes to %s, reads to %s", list(st.Phase.Puts()), list(st.Phase.Deletes()), st.Phase.Reads())
		clients, err := a.store.Clients(ctx)
		if err != nil {
			return err
		}
		var late []string
		for _, name := range slices.Sorted(maps.Keys(clients)) {
			if clients[name] != st.Phase {
				late = append(late, name)
			}
			a.say("client %s: confirmed %s", name, clients[name])
		}
		marks, err := a.store.Marks(ctx)
		if err != nil {
			return err
		}
		done := 0
		for _, m := range marks {
			if m.Done {
				done++
			}
		}
		if len(marks) > 0 {
			a.say("moved: %d of %d regions; verified: %t", done, len(marks), st.Verified)
		}
		refused, err := a.store.Refused(ctx)
		if err != nil {
			return err
		}
		for _, key := range slices.Sorted(maps.Keys(refused)) {
			a.say("refused: %x: %s", key, refused[key])
		}
		for _, to := range []change.Phase{st.Phase + 1, st.Phase - 1} {
			if to.Valid() {
				if _, err := st.Step(to, late...); err != nil {
					a.say("not %s: %s", to, reason(err))
				} else {
					a.say("may go to %s", to)
				}
			}
		}
		return nil
	})
}

// reason is an error of a step without what the line says already.
func reason(err error) string {
	parts := strings.SplitN(err.Error(), ": ", 3)
	return strings.TrimSuffix(parts[len(parts)-1], ": "+change.ErrPhase.Error())
}

func list(places []change.Place) string {
	var words []string
	for _, p := range places {
		words = append(words, p.String())
	}
	return strings.Join(words, ", then ")
}

func (a *app) goCommand() *cobra.Command {
	var wait time.Duration
	c := a.sub("go NAME PHASE", "Go to the next phase or the one before, and wait until all clients confirm it", 1, func(ctx context.Context, args []string) error {
		to, err := change.ParsePhase(args[0])
		if err != nil {
			return err
		}
		if _, err := a.store.Step(ctx, to); err != nil {
			return err
		}
		a.say("in %s", to)
		for end := time.Now().Add(wait); ; {
			late, err := a.store.Late(ctx, to)
			if err != nil {
				return err
			}
			if len(late) == 0 {
				a.say("all clients have confirmed it")
				return nil
			}
			if time.Now().After(end) {
				return fmt.Errorf("not confirmed yet by %s: %w", strings.Join(late, ", "), change.ErrPhase)
			}
			select {
			case <-time.After(200 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	c.Flags().DurationVar(&wait, "wait", time.Minute, "for the clients")
	return c
}

// mayMove checks that rows may be moved now.
func (a *app) mayMove(ctx context.Context) (from change.Place, since string, n int, err error) {
	if from, since, err = a.store.MayMove(ctx); err != nil {
		return from, since, 0, err
	}
	if err = a.c.Check(ctx, a.client, from, a.def.Takes); err != nil {
		return from, since, 0, err
	}
	n, err = a.c.Versions(ctx, a.client, from)
	return from, since, n, err
}

func (a *app) moveCommand() *cobra.Command {
	m := rekey.Moving{}
	var aside string
	c := a.sub("move NAME", "Copy all rows to the table that nobody reads; it goes on where it ended", 0, func(ctx context.Context, _ []string) error {
		var from change.Place
		var err error
		if m.DryRun {
			m.Versions, err = a.c.Versions(ctx, a.client, from)
		} else {
			from, _, m.Versions, err = a.mayMove(ctx)
		}
		if err != nil {
			return err
		}
		if aside != "" {
			file, err := os.OpenFile(aside, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
			if err != nil {
				return err
			}
			defer file.Close()
			m.Refused = func(row hbase.Row, why error) error { return keepAside(file, row, why) }
		}
		m.Store = a.store
		m.Progress = func(p rekey.Progress) { a.say("%v", p) }
		p, err := a.c.Move(ctx, from, m)
		a.say("%v, after %v", p, p.Took.Round(time.Millisecond))
		return err
	})
	c.Flags().IntVar(&m.Parallel, "parallel", 8, "regions at the same time")
	c.Flags().IntVar(&m.Rate, "rate", 0, "rows a second, 0 is as fast as it goes")
	c.Flags().BoolVar(&m.DryRun, "dry-run", false, "read and count, write nothing: rows, bytes, time")
	c.Flags().StringVar(&aside, "refused", "", "`file` to which rows that are refused are appended, a line of JSON each")
	return c
}

// keepAside writes a row that was refused as a line of JSON: key and values are
// hexadecimal, times are milliseconds.
func keepAside(w io.Writer, row hbase.Row, why error) error {
	type cell struct {
		Family    string `json:"family"`
		Qualifier string `json:"qualifier"`
		Value     string `json:"value"`
		Time      int64  `json:"time"`
	}
	line := struct {
		Key   string `json:"key"`
		Why   string `json:"why"`
		Cells []cell `json:"cells"`
	}{Key: hex.EncodeToString(row.Key), Why: why.Error()}
	for _, c := range row.Cells {
		line.Cells = append(line.Cells, cell{c.Family, c.Qualifier, hex.EncodeToString(c.Value), c.Time.UnixMilli()})
	}
	return json.NewEncoder(w).Encode(line)
}

func (a *app) verifyCommand() *cobra.Command {
	var v rekey.Verifying
	var accept bool
	c := a.sub("verify NAME", "Compare both tables until nothing is missing in the one that nobody reads", 0, func(ctx context.Context, _ []string) error {
		from, since, n, err := a.mayMove(ctx)
		if err != nil {
			return err
		}
		marks, err := a.store.Marks(ctx)
		if err != nil {
			return err
		}
		if len(marks) == 0 || slices.ContainsFunc(marks, func(m rekey.Mark) bool { return !m.Done }) {
			return fmt.Errorf("the move has not come to its end: %w", change.ErrPhase)
		}
		v.Versions = n
		v.Progress = func(p rekey.Progress) { a.say("%v", p) }
		found, err := a.c.Verify(ctx, from, v)
		a.say("%d rows, %d passes, %d copied, %d half deletes finished, %d refused", found.Rows, found.Passes, found.Copied, found.Finished, found.Refused)
		if err == nil && found.Refused > 0 && !accept {
			err = fmt.Errorf("--without-refused leaves them behind: %w", rekey.ErrRefused)
		}
		if err != nil {
			return err
		}
		_, err = a.store.Verified(ctx, since)
		return err
	})
	c.Flags().IntVar(&v.Parallel, "parallel", 8, "regions at the same time")
	c.Flags().DurationVar(&v.Wait, "wait", 2*time.Minute, "longer than any operation takes with all its tries, before a half delete is finished")
	c.Flags().BoolVar(&accept, "without-refused", false, "rows that the other layout cannot hold are left behind")
	return c
}

func (a *app) compareCommand() *cobra.Command {
	return a.sub("compare NAME", "Compare counts and checksums of both tables, and change nothing", 0, func(ctx context.Context, _ []string) error {
		var sums [2]*rekey.Sums
		for p := range sums {
			n, err := a.c.Versions(ctx, a.client, change.Place(p))
			if err == nil {
				sums[p], err = a.c.Sums(ctx, change.Place(p), rekey.Verifying{Parallel: 8, Versions: n})
			}
			if err != nil {
				return err
			}
			a.say("%s: %d rows", change.Place(p), sums[p].Rows)
		}
		if parts := sums[0].Differ(sums[1]); len(parts) > 0 {
			return fmt.Errorf("%d of %d parts: %w", len(parts), len(sums[0].Parts), rekey.ErrUnequal)
		}
		a.say("all %d parts are equal", len(sums[0].Parts))
		return nil
	})
}

func (a *app) emptyCommand() *cobra.Command {
	var regions int
	var yes bool
	c := a.sub("empty NAME", "Drop the table that is not written in this phase, and create it anew: old to begin again, new to go back", 0, func(ctx context.Context, _ []string) error {
		st, err := a.store.State(ctx)
		if err != nil {
			return err
		}
		late, err := a.store.Late(ctx, st.Phase)
		if err != nil {
			return err
		}
		if _, err := st.Emptied(late...); err != nil {
			return err
		}
		place := st.Phase.Reads().Other()
		table := a.c.Side(place).Table.Name()
		if a.def.OldTable == a.def.NewTable {
			return fmt.Errorf("both layouts are in %s: %w", table, change.ErrPhase)
		}
		if !yes {
			return fmt.Errorf("%s and all its rows would be dropped: say --yes", table)
		}
		splits, err := a.c.Side(place).Schema.Splits(regions)
		if err != nil {
			return err
		}
		if err := a.client.DropTable(ctx, table); err != nil && !errors.Is(err, hbase.ErrNoTable) {
			return err
		}
		if err := a.c.Create(ctx, a.client, place, splits, a.def.Takes); err != nil {
			return err
		}
		_, err = a.store.Emptied(ctx)
		if err == nil {
			a.say("%s is empty", table)
		}
		return err
	})
	c.Flags().IntVar(&regions, "regions", 16, "of the table")
	c.Flags().BoolVar(&yes, "yes", false, "drop it")
	return c
}

// inNew is an error unless everybody has confirmed the last phase.
func (a *app) inNew(ctx context.Context) error {
	late, err := a.store.Late(ctx, change.New)
	if err != nil {
		return err
	}
	st, err := a.store.State(ctx)
	switch {
	case err != nil:
		return err
	case st.Phase != change.New:
		return fmt.Errorf("in %s, not in new: %w", st.Phase, change.ErrPhase)
	case len(late) > 0:
		return fmt.Errorf("not confirmed by %s: %w", strings.Join(late, ", "), change.ErrPhase)
	}
	return nil
}

func (a *app) cleanCommand() *cobra.Command {
	var m rekey.Moving
	c := a.sub("clean NAME", "Delete the old keys of a table that holds both layouts, in new", 0, func(ctx context.Context, _ []string) error {
		if err := a.inNew(ctx); err != nil {
			return err
		}
		p, err := a.c.Clean(ctx, m)
		a.say("%d old keys deleted", p.Rows)
		return err
	})
	c.Flags().IntVar(&m.Parallel, "parallel", 8, "regions at the same time")
	c.Flags().IntVar(&m.Rate, "rate", 0, "rows a second that are read")
	c.Flags().BoolVar(&m.DryRun, "dry-run", false, "count them")
	return c
}

func (a *app) forgetCommand() *cobra.Command {
	return a.sub("forget NAME CLIENT", "Wait no more for a client whose process has ended, longer ago than its longest call", 1, func(ctx context.Context, args []string) error {
		clients, err := a.store.Clients(ctx)
		if err != nil {
			return err
		}
		if _, ok := clients[args[0]]; !ok {
			return fmt.Errorf("no client %s: %w", args[0], rowkey.ErrField)
		}
		return a.store.Forget(ctx, args[0])
	})
}

func (a *app) dropCommand() *cobra.Command {
	var yes bool
	c := a.sub("drop NAME", "Drop the old table, in new: there is no way back then", 0, func(ctx context.Context, _ []string) error {
		if err := a.inNew(ctx); err != nil {
			return err
		}
		if a.def.OldTable == a.def.NewTable {
			return fmt.Errorf("both layouts are in %s; clean deletes the old keys: %w", a.def.OldTable, change.ErrPhase)
		}
		if !yes {
			return fmt.Errorf("%s and all its rows would be dropped: say --yes", a.def.OldTable)
		}
		if err := a.client.DropTable(ctx, a.def.OldTable); err != nil {
			return err
		}
		a.say("%s is dropped", a.def.OldTable)
		return nil
	})
	c.Flags().BoolVar(&yes, "yes", false, "drop it")
	return c
}
