package command

import (
	"errors"
	"fmt"
	"github.com/hbase-rowkey/rowkey/internal/lindorm"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/spf13/cobra"
)

func (a *app) schemaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "schema [flags]",
		Short: "Show a schema: its pieces, how they sort, its fingerprint; or list those of rowkey.yaml",
		Long: `Show a schema: its pieces, their bytes, how they sort, and its fingerprint. Equal fingerprints
mean equal bytes for every key. Without -s or -f, the schemas of rowkey.yaml are listed, and each
is held against its fingerprint.

-o lindorm writes a CREATE TABLE for Lindorm's SQL, with a hash, DESC and regions as the layout has
them. The bytes of that table are Lindorm's own: it is read and written by SQL.`,
		Example: `  rowkey schema -s "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"
  rowkey schema -s trades -o lindorm --regions 16 --index order`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return nil
			case args[0] == "" || a.flags.schema != "" || a.flags.file != "":
				return fmt.Errorf("expected no argument, not %s", said.Shown(args[0]))
			case isFile(args[0]):
				return fmt.Errorf("expected -f %s", args[0])
			}
			return fmt.Errorf("expected -s %s", args[0])
		},
	}
	a.takesSchema(c)
	a.outputs(c, "table", "json", "lindorm")
	var sql lindorm.Options
	c.Flags().Var(&filled{text: &sql.Table, empty: errNoTable}, "table", "`name` of the table of -o lindorm (default: the schema's)")
	c.Flags().IntVar(&sql.Regions, "regions", 0, "how many `regions` the table of -o lindorm is created with")
	c.Flags().StringArrayVar(&sql.Indexes, "index", nil, "`columns` of an index of -o lindorm, with commas; may be said again")
	c.RunE = func(c *cobra.Command, _ []string) error {
		regions := c.Flags().Changed("regions")
		if a.out != "lindorm" && (sql.Table != "" || regions || sql.Indexes != nil) {
			return errors.New("--table, --regions and --index are of -o lindorm")
		}
		if regions { // 0 would be taken as none given
			if err := lindorm.CheckRegions(sql.Regions); err != nil {
				return err
			}
		}
		if a.out != "lindorm" && a.flags.schema == "" && a.flags.file == "" {
			return a.listSchemas()
		}
		s, err := a.load()
		if err != nil {
			return err
		}
		if a.out == "lindorm" {
			if sql.Table == "" {
				sql.Table = s.table()
			}
			text, err := lindorm.CreateTable(s.Schema, sql)
			if err != nil {
				return err
			}
			return a.write(text)
		}
		return a.write(a.describe(s))
	}
	return c
}

// described is a schema as JSON.
type described struct {
	Name        string           `json:"name,omitempty"`
	Notation    string           `json:"notation"`
	About       string           `json:"about,omitempty"`
	Fingerprint string           `json:"fingerprint"`
	Pieces      []describedPiece `json:"pieces,omitempty"`
}

type describedPiece struct {
	Notation string `json:"notation"`
	Name     string `json:"name,omitempty"`
	Kind     string `json:"kind"`
	Bytes    int    `json:"bytes,omitempty"` // none: they vary
	Order    string `json:"order"`
	Supplied bool   `json:"supplied"`
}

func (a *app) describe(s named) string {
	d := described{Name: s.name, Notation: s.String(), Fingerprint: s.Fingerprint()}
	var rows [][]string
	for f := range s.Fields() {
		from := "supplied"
		switch {
		case f.Kind == "literal":
			from = "constant"
		case f.Derived:
			from = "computed"
		}
		if !f.Stored {
			from += ", not stored"
		}
		size := "varies"
		switch {
		case !f.Stored:
			size = "0"
		case f.Size > 0:
			size = fmt.Sprint(f.Size)
		}
		order := f.Order.String()
		if f.Kind == "literal" || !f.Stored {
			order = ""
		}
		rows = append(rows, []string{f.Notation, string(f.Kind), size, order, from})
		d.Pieces = append(d.Pieces, describedPiece{f.Notation, f.Name, string(f.Kind), f.Size, f.Order.String(), from == "supplied" || strings.HasPrefix(from, "supplied,")})
	}
	if a.out == "json" {
		return said.JsonText(d) + "\n"
	}
	return a.head(s.String()+"\n"+a.grid([]string{"piece", "kind", "bytes", "sorts", "from"}, rows, 3)+"fingerprint "+d.Fingerprint+"\n", false)
}

// listSchemas lists the config.
func (a *app) listSchemas() error {
	all, file, err := a.configured()
	if err != nil {
		return err
	}
	if file == "" {
		return errors.New("no schema: give a notation with -s, a file with -f, or a rowkey.yaml")
	}
	var rows [][]string
	var out strings.Builder
	var broken []error
	for _, e := range all {
		s, err := e.build(file)
		if err != nil { // the others are listed all the same
			broken = append(broken, err)
			continue
		}
		rows = append(rows, []string{e.name, s.String(), e.about})
		if a.out == "json" {
			out.WriteString(said.JsonText(described{Name: e.name, Notation: s.String(), About: e.about, Fingerprint: s.Fingerprint()}) + "\n")
		}
	}
	for i, err := range broken {
		if i == len(broken)-1 && len(rows) == 0 {
			return err
		}
		a.bad = true
		a.complain(err)
	}
	if a.out != "json" && len(rows) > 0 {
		out.WriteString(a.grid([]string{"name", "notation", "about"}, rows))
	}
	return a.write(out.String())
}
