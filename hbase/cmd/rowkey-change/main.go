// Rowkey-change is the operator's side of a change of a live table's row keys: it runs
// each step, and refuses one that is not allowed now. The state is in a small table, so
// that it goes on from any machine.
//
//	go install github.com/hbase-rowkey/rowkey/hbase/cmd/rowkey-change@latest
package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
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
	for _, found := range []error{change.ErrPhase, rekey.ErrRefused, rekey.ErrUnequal, rekey.ErrTable, rekey.ErrFuture, rekey.ErrChanged, rekey.ErrDefinition, change.ErrStale} {
		if errors.Is(err, found) {
			return exitFound
		}
	}
	if ended := new(exec.ExitError); errors.As(err, &ended) { // the program of load
		return exitFound
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
		Long: `Change the row keys of a live HBase table, step by step. docs/change.md of rowkey has the whole story.

The phases are old, prepare, write-both, read-new, keep and new. Each needs every client to have
confirmed the one before; rowkey-change status says what may be done now.`,
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetUsageTemplate(root.UsageTemplate() + "\nExit: 0 fine, 1 a step that is not allowed now or a difference that was found, 2 misuse.\n")
	root.PersistentFlags().StringVar(&a.gateway, "gateway", "127.0.0.1:9090", "`address` of a Thrift2 gateway, or of several with commas between")
	root.PersistentFlags().StringVar(&a.table, "state", "rowkey_change", "`table` of the changes' states, which begin creates")
	root.AddCommand(a.beginCommand(), a.statusCommand(), a.goCommand(), a.moveCommand(), a.loadCommand(), a.verifyCommand(), a.compareCommand(),
		a.emptyCommand(), a.cleanCommand(), a.forgetCommand(), a.dropCommand())
	return root
}

// sub is a subcommand on a change of a name, which do finds open.
func (a *app) sub(use, short string, args int, do func(ctx context.Context, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(args + 1), RunE: func(c *cobra.Command, args []string) error {
		return a.with(c.Context(), args[0], func(ctx context.Context) error { return do(ctx, args[1:]) })
	}}
}

// with opens a change of a name.
func (a *app) with(ctx context.Context, name string, do func(ctx context.Context) error) error {
	if err := a.dial(ctx); err != nil {
		return err
	}
	defer a.client.Close()
	var err error
	if a.store, err = rekey.OpenStore(ctx, a.client, a.table, name); err != nil {
		return err
	}
	if a.def, err = a.store.Definition(ctx); err == nil {
		a.c, err = a.def.Change(a.client)
	}
	if err != nil {
		return err
	}
	return do(ctx)
}

func (a *app) dial(ctx context.Context) (err error) {
	a.client, err = hbase.Dial(ctx, a.gateway, hbase.Connections(32), hbase.Timeout(time.Minute), hbase.Retry(10, time.Second))
	return err
}

func (a *app) say(format string, args ...any) { fmt.Fprintf(a.stdout, format+"\n", args...) }

func (a *app) beginCommand() *cobra.Command {
	var b rekey.Beginning
	c := &cobra.Command{Use: "begin NAME", Short: "Define a change and create its new table; it may be run again", Args: cobra.ExactArgs(1)}
	c.RunE = func(c *cobra.Command, args []string) error {
		ctx := c.Context()
		if err := a.dial(ctx); err != nil {
			return err
		}
		defer a.client.Close()
		_, begun, err := rekey.Begin(ctx, a.client, a.table, args[0], b)
		for _, s := range begun.Samples {
			a.say("%x is %s, and will be %x", s.Old, values(s.Row), s.New)
		}
		if begun.Looked > 0 {
			a.say("%d rows were looked at, %d do not fit", begun.Looked, begun.Misfits)
		}
		if err != nil {
			return err
		}
		if begun.Table != "" {
			a.say("%s is created, with %d regions; it keeps its tombstones for %v", begun.Table, b.Regions, b.Takes)
		}
		if !begun.ShowsTTL {
			a.say("this gateway does not show TTLs of cells: if some have one, move by a gateway that does")
		}
		a.say("%s: from %s to %s, in old", args[0], b.OldTable, cmp.Or(begun.Table, b.NewTable))
		return nil
	}
	f := c.Flags()
	f.StringVar(&b.OldTable, "old", "", "the `table` as it is")
	f.StringVar(&b.OldSchema, "old-schema", "", "the `notation` of its keys")
	f.StringVar(&b.NewTable, "new", "", "the new `table`; the same one keeps both layouts in it")
	f.StringVar(&b.NewSchema, "new-schema", "", "the `notation` of its keys")
	f.DurationVar(&b.Takes, "takes", 7*24*time.Hour, "the longest that the change may take, and tombstones are kept")
	f.DurationVar(&b.Lease, "lease", time.Minute, "of clients: without the table of states for so long they refuse, and so long the command waits for one that is gone")
	f.IntVar(&b.Regions, "regions", 16, "of the new table")
	f.IntVar(&b.Misfits, "misfits", 0, "`rows` of those that are looked at that may not fit the schemas: they are not moved")
	for _, name := range []string{"old", "old-schema", "new", "new-schema"} {
		_ = c.MarkFlagRequired(name)
	}
	return c
}

// values are a row's fields, such as seller=s-42 order=7.
func values(row rowkey.Row) string {
	var words []string
	for name, value := range row.All() {
		words = append(words, fmt.Sprintf("%s=%v", name, value))
	}
	return strings.Join(words, " ")
}

func (a *app) statusCommand() *cobra.Command {
	return a.sub("status NAME", "Say the phase, what each client does, and what may be done now", 0, func(ctx context.Context, _ []string) error {
		turn, err := a.store.Look(ctx)
		if err != nil {
			return err
		}
		st := turn.State
		a.say("%s → %s, in %s, state %d", a.c.Name(st, change.InOld), a.c.Name(st, change.InNew), st.Phase, st.Number)
		a.say("puts go to %s, deletes to %s, reads to %s", list(st.Phase.Puts()), list(st.Phase.Deletes()), st.Phase.Reads())
		late, err := a.clients(ctx, st)
		if err != nil {
			return err
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

// clients says what each client does: its incarnation, its phase and its lease. It gives those
// that are late.
func (a *app) clients(ctx context.Context, st change.State) (late []string, err error) {
	members, err := a.store.Members(ctx)
	for _, m := range members {
		if m.Late(st) {
			late = append(late, m.String())
		}
		phase := fmt.Sprintf("an earlier state, %d", m.Number)
		switch {
		case m.Number == st.Number:
			phase = "confirmed " + st.Phase.String()
		case m.In == st.Number:
			phase = "in " + st.Phase.String() + ", with operations of an earlier state under way"
		}
		since := max(time.Since(m.Renewed), 0).Round(100 * time.Millisecond)
		lease := fmt.Sprintf("lease of %v, renewed %v ago", a.def.Lease, since)
		switch {
		case m.Over:
			lease = "its lease is over"
		case m.Taken:
			lease = "a later client has its name, and it refuses; go waits until its lease is over"
		case since > a.def.Lease:
			lease += ": it does not answer; go waits until its lease is over; start it anew"
		}
		a.say("client %s: %s; %s", m, phase, lease)
	}
	return late, err
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
		st, err := a.store.State(ctx)
		for err == nil && st.Phase != to {
			if _, err := st.Step(to); err != nil { // whatever the clients say
				return err
			}
			if err := a.await(ctx, wait, st); err != nil { // leases that are over stop nobody
				return err
			}
			if st, err = a.store.Step(ctx, to); errors.Is(err, change.ErrPhase) { // a client that joined since
				st, err = a.store.State(ctx)
			}
		}
		if err != nil {
			return err
		}
		a.say("in %s", to)
		if err := a.await(ctx, wait, st); err != nil {
			return err
		}
		a.say("all clients have confirmed it")
		return nil
	})
	c.Flags().DurationVar(&wait, "wait", 3*time.Minute, "for the clients")
	return c
}

// await waits until all clients have confirmed a state, or their leases are over.
func (a *app) await(ctx context.Context, wait time.Duration, st change.State) error {
	return a.store.Await(ctx, st, wait, func(m rekey.Member) {
		a.say("client %s did not renew its lease of %v: it is over, and it refuses what it is asked", m, a.def.Lease)
	})
}

// mayMove checks that rows may be moved now.
func (a *app) mayMove(ctx context.Context) (turn rekey.Turn, n int, err error) {
	if turn, err = a.store.MayMove(ctx); err != nil {
		return turn, 0, err
	}
	if err = a.c.Check(ctx, turn.State, turn.From(), a.def.Takes); err != nil {
		return turn, 0, err
	}
	n, err = a.c.Versions(ctx, turn.State, turn.From())
	return turn, n, err
}

func (a *app) moveCommand() *cobra.Command {
	m := rekey.Moving{}
	var aside string
	c := a.sub("move NAME", "Copy all rows to the table that nobody reads; it goes on where it ended", 0, func(ctx context.Context, _ []string) error {
		turn, err := a.store.Look(ctx)
		if err != nil {
			return err
		}
		if m.DryRun {
			m.Versions, err = a.c.Versions(ctx, turn.State, turn.From())
		} else {
			turn, m.Versions, err = a.mayMove(ctx)
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
		m.Progress = func(p rekey.Progress) { a.say("%v", p) }
		p, err := a.c.Move(ctx, turn, m)
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

func (a *app) loadCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "load NAME -- COMMAND…",
		Short: "Have a program of yours load all rows in bulk, instead of move",
		Long: `Have a program of yours load all rows in bulk, instead of move: it reads one table, and loads HFiles into the other.
docs/bulk.md has one. Its environment says which tables, in the variables ROWKEY_CHANGE…; before it loads, it asks whether
the change is in that state still. When it ends with 0, all rows count as moved. verify comes after it.`,
		Args: func(c *cobra.Command, args []string) error {
			if c.ArgsLenAtDash() != 1 || len(args) < 2 {
				return errors.New("load takes the name of a change, -- and a command")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(c.Context(), args[0], func(ctx context.Context) error { return a.load(ctx, args[1:]) })
		},
	}
}

// load runs a program that loads all rows.
func (a *app) load(ctx context.Context, words []string) error {
	turn, _, err := a.mayMove(ctx)
	if err != nil {
		return err
	}
	env, err := turn.Environment(ctx, a.c)
	if err != nil {
		return err
	}
	program := exec.CommandContext(ctx, words[0], words[1:]...)
	program.Env = append(os.Environ(), env...)
	program.Stdout, program.Stderr = a.stdout, a.stderr
	// The first Ctrl-C is the program's own: it may have a snapshot to delete.
	program.Cancel = func() error { return program.Process.Signal(os.Interrupt) }
	program.WaitDelay = time.Minute
	if err := program.Run(); err != nil {
		return fmt.Errorf("%s: %w: not all rows are loaded", words[0], err)
	}
	if err := a.store.Loaded(ctx, turn); err != nil {
		return err
	}
	a.say("all rows are loaded; verify comes next")
	return nil
}

func (a *app) verifyCommand() *cobra.Command {
	var v rekey.Verifying
	var accept bool
	c := a.sub("verify NAME", "Compare both tables, and copy what is missing in the one that nobody reads; it goes on where it ended", 0, func(ctx context.Context, _ []string) error {
		turn, n, err := a.mayMove(ctx)
		if err != nil {
			return err
		}
		moved, err := turn.Moved(ctx)
		if err != nil {
			return err
		}
		if !moved {
			return fmt.Errorf("the move has not come to its end: %w", change.ErrPhase)
		}
		v.Versions = n
		v.Progress = func(p rekey.Progress) { a.say("%v", p) }
		found, err := a.c.Verify(ctx, turn, v)
		a.say("%d rows, %d copied, %d half deletes finished, %d refused", found.Rows, found.Copied, found.Finished, found.Refused)
		if err == nil && found.Refused > 0 && !accept {
			err = fmt.Errorf("--without-refused leaves them behind: %w", rekey.ErrRefused)
		}
		if err != nil {
			return err
		}
		_, err = a.store.Verified(ctx, turn)
		return err
	})
	c.Flags().IntVar(&v.Parallel, "parallel", 8, "regions at the same time")
	c.Flags().DurationVar(&v.Wait, "wait", 2*time.Minute, "longer than any operation takes with all its tries, before a half delete is finished")
	c.Flags().BoolVar(&accept, "without-refused", false, "rows that the other layout cannot hold are left behind")
	return c
}

func (a *app) compareCommand() *cobra.Command {
	return a.sub("compare NAME", "Compare counts and checksums of both tables, and change nothing", 0, func(ctx context.Context, _ []string) error {
		turn, err := a.store.Look(ctx)
		if err != nil {
			return err
		}
		var sums [2]*rekey.Sums
		for p := range sums {
			n, err := a.c.Versions(ctx, turn.State, change.Place(p))
			if err == nil {
				sums[p], err = a.c.Sums(ctx, turn, change.Place(p), rekey.Verifying{Parallel: 8, Versions: n})
			}
			if err != nil {
				return err
			}
			a.say("%s: %d rows, %d left out, which the other layout cannot hold or whose keys are none", change.Place(p), sums[p].Rows, sums[p].Refused)
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
	c := a.sub("empty NAME", "Begin the table anew that is not written in this phase, by another name: the new one in old, the old one in new", 0, func(ctx context.Context, _ []string) error {
		st, err := a.store.State(ctx)
		if err != nil {
			return err
		}
		if err := a.await(ctx, 3*time.Minute, st); err != nil {
			return err
		}
		if _, err := st.Renews(); err != nil {
			return err
		}
		table := a.c.Name(st, st.Phase.Reads().Other())
		if a.def.OldTable == a.def.NewTable {
			return fmt.Errorf("both layouts are in %s: %w", table, change.ErrPhase)
		}
		if !yes {
			return fmt.Errorf("%s and all its rows would be dropped: say --yes", table)
		}
		created, err := a.store.Empty(ctx, a.c, regions)
		if err == nil {
			a.say("%s is created, and %s is dropped", created, table)
		}
		return err
	})
	c.Flags().IntVar(&regions, "regions", 16, "of the table")
	c.Flags().BoolVar(&yes, "yes", false, "drop it")
	return c
}

// inNew is the last phase as a turn, or an error unless everybody has confirmed it.
func (a *app) inNew(ctx context.Context) (rekey.Turn, error) {
	turn, err := a.store.Look(ctx)
	if err != nil {
		return turn, err
	}
	if turn.State.Phase != change.New {
		return turn, fmt.Errorf("in %s, not in new: %w", turn.State.Phase, change.ErrPhase)
	}
	return turn, a.await(ctx, 3*time.Minute, turn.State)
}

func (a *app) cleanCommand() *cobra.Command {
	var m rekey.Moving
	c := a.sub("clean NAME", "Delete the old keys of a table that holds both layouts, in new", 0, func(ctx context.Context, _ []string) error {
		turn, err := a.inNew(ctx)
		if err != nil {
			return err
		}
		p, err := a.c.Clean(ctx, turn, m)
		a.say("%d old keys deleted", p.Rows)
		if p.Refused > 0 {
			a.say("%d rows are left that the new layout cannot hold", p.Refused)
		}
		return err
	})
	c.Flags().IntVar(&m.Parallel, "parallel", 8, "regions at the same time")
	c.Flags().IntVar(&m.Rate, "rate", 0, "rows a second that are read")
	c.Flags().BoolVar(&m.DryRun, "dry-run", false, "count them")
	return c
}

func (a *app) forgetCommand() *cobra.Command {
	return a.sub("forget NAME CLIENT", "Wait until the lease of a client is over whose process has ended, and then no more", 1, func(ctx context.Context, args []string) error {
		if err := a.store.Forget(ctx, args[0]); err != nil {
			return err
		}
		a.say("the lease of %s is over", args[0])
		return nil
	})
}

func (a *app) dropCommand() *cobra.Command {
	var yes bool
	c := a.sub("drop NAME", "Drop the old table, in new: there is no way back then", 0, func(ctx context.Context, _ []string) error {
		turn, err := a.inNew(ctx)
		if err != nil {
			return err
		}
		if a.def.OldTable == a.def.NewTable {
			return fmt.Errorf("both layouts are in %s; clean deletes the old keys: %w", a.def.OldTable, change.ErrPhase)
		}
		old := a.c.Name(turn.State, change.InOld)
		if !yes {
			return fmt.Errorf("%s and all its rows would be dropped: say --yes", old)
		}
		if err := a.client.DropTable(ctx, old); err != nil {
			return err
		}
		a.say("%s is dropped", old)
		return nil
	})
	c.Flags().BoolVar(&yes, "yes", false, "drop it")
	return c
}
