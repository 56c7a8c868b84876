package command

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	_ "time/tzdata" // --tz names zones where the machine has none

	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/draft"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/spf13/cobra"
)

// schemaFlags say where the schema is.
type schemaFlags struct {
	schema  string   // -s
	schemas []string // -s, where several are compared
	file    string   // -f
	config  string   // --config
}

// named is a schema with what the user calls it; a notation given by itself
// has no name.
type named struct {
	*rowkey.Schema
	name  string
	allow []string // rules of advice that its entry leaves out
}

// table is what the table is called in hbase shell text.
func (n named) table() string {
	if n.name == "" {
		return "t"
	}
	return n.name
}

// takesSchema gives a subcommand the flags of its schema.
func (a *app) takesSchema(c *cobra.Command) {
	c.Flags().VarP(&filled{text: &a.flags.schema, empty: errEmpty}, "schema", "s", "`notation` of the schema, name=notation, or its name in rowkey.yaml")
	a.takesFiles(c)
}

// filled is a text that is not empty: a shell's variable that is not set would be no flag at all.
type filled struct {
	text  *string
	empty error
}

// flagError is what is said of a flag whose text has the right form.
type flagError string

func (e flagError) Error() string { return string(e) }

const (
	errTwice     flagError = "given twice, and one is taken here"
	errEmpty     flagError = "the schema is empty: give a notation or a name"
	errNoFile    flagError = "the name of the file is empty"
	errNoFolder  flagError = "the name of the folder is empty"
	errNoPackage flagError = "the name of the package is empty"
	errNoRule    flagError = "the name of the rule is empty"
	errNoColumn  flagError = "the name of the column is empty"
	errNoTable   flagError = "the name of the table is empty"
)

func (f *filled) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return f.empty
	}
	*f.text = s
	return nil
}

func (f *filled) String() string { return *f.text }

func (f *filled) Type() string { return "string" }

// takesSchemas is takesSchema for a subcommand that compares several schemas.
func (a *app) takesSchemas(c *cobra.Command) {
	c.Flags().StringArrayVarP(&a.flags.schemas, "schema", "s", nil, "`notation` of a schema, name=notation, or its name in rowkey.yaml; several are compared")
	a.takesFiles(c)
}

// takesFiles gives a subcommand the flags that say where a schema of -s stands.
func (a *app) takesFiles(c *cobra.Command) {
	f := c.Flags()
	f.VarP(&filled{text: &a.flags.file, empty: errNoFile}, "file", "f", "`file` that holds the notation")
	a.takesConfig(c)
	_ = c.RegisterFlagCompletionFunc("schema", a.completeNames)
}

// takesConfig gives a subcommand the flag that says where names of schemas stand.
func (a *app) takesConfig(c *cobra.Command) {
	c.Flags().Var(&filled{text: &a.flags.config, empty: errNoFile}, "config", "`file` of named schemas (default: rowkey.yaml here or in a directory above)")
}

// designNamed splits name=notation. A name has no bracket, and before the first bracket of a notation
// stand settings at most, such as maxlen(16) phoenix.
var designNamed = pattern.New(`(?s)^([^\[\]="'#\s]+)=([\w\s()]*\[.*)$`)

// loadAll is load for a subcommand that compares several schemas.
func (a *app) loadAll() ([]named, error) {
	if len(a.flags.schemas) == 0 {
		s, err := a.load()
		return []named{s}, err
	}
	if a.flags.file != "" {
		return nil, errors.New("-s and -f: give one of them")
	}
	var all []named
	for _, text := range a.flags.schemas {
		if strings.TrimSpace(text) == "" {
			return nil, fmt.Errorf("--schema: %w", errEmpty)
		}
		s, err := a.loadNamed("-s", text)
		if err != nil {
			what, of := strings.CutPrefix(err.Error(), "-s: ")
			if len(a.flags.schemas) > 1 && (of || !strings.HasPrefix(what, "-s ")) {
				err = fmt.Errorf("-s %s: %s", text, what) // which of them
			}
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// takesZone gives a subcommand the flag of the zone.
func (a *app) takesZone(c *cobra.Command) {
	c.Flags().StringVar(&a.zone, "tz", "UTC", "`zone` of times that name none, and of times shown: UTC, +08:00, Asia/Shanghai")
}

// zoneOffset is GMT+8 and UTC+08:00, which mean +08:00 to people; Etc/GMT+8, which means
// -08:00, is the name of a zone.
var zoneOffset = pattern.New(`^(?:GMT|UTC)([+-][0-9:]+)$`)

// parseZone reads a zone's name or an offset.
func parseZone(s string) (*time.Location, error) {
	if s == "" || s == "Local" {
		return nil, fmt.Errorf("--tz %s: expected UTC, an offset as +08:00 or a zone's name", said.Shown(s))
	}
	offset := zoneOffset.ReplaceAllString(s, "$1")
	if len(offset) == 2 { // +8
		offset = offset[:1] + "0" + offset[1:]
	}
	for _, form := range []string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(form, offset); err == nil {
			_, seconds := t.Zone()
			return time.FixedZone(s, seconds), nil
		}
	}
	zone, err := time.LoadLocation(s)
	if err != nil {
		return nil, fmt.Errorf("--tz %s: expected UTC, an offset as +08:00 or a zone's name", said.Shown(s))
	}
	return zone, nil
}

// load finds the schema that the flags name.
func (a *app) load() (named, error) {
	switch {
	case a.flags.file != "" && a.flags.schema != "":
		return named{}, errors.New("-s and -f: give one of them")
	case a.flags.file != "":
		return loadFile(a.flags.file)
	case a.flags.schema != "":
		return a.loadNamed("-s", a.flags.schema)
	}
	all, file, err := a.configured()
	if err != nil {
		return named{}, err
	}
	switch len(all) {
	case 0:
		return named{}, errors.New(`no schema: give a notation with -s, a file with -f, or a rowkey.yaml`)
	case 1:
		return all[0].build(file)
	}
	return named{}, fmt.Errorf("which schema? -s takes one of %s: %s", file, strings.Join(names(all), ", "))
}

// loadNamed reads a notation, which may have a name before it, or the name of one: a notation has
// brackets, a name has none. An error begins with the flag that gave it, if one did.
func (a *app) loadNamed(flag, text string) (named, error) {
	if strings.Contains(text, "[") {
		return parseGiven(text, flag)
	}
	all, file, err := a.configured()
	if err != nil {
		return named{}, err
	}
	for _, e := range all {
		if e.name == text {
			return e.build(file)
		}
	}
	given := strings.TrimSpace(flag + " " + text)
	near := ""
	if flag == "-s" && isFile(text) {
		near = "; it is a file: -f reads one that holds a notation, --config one of named schemas"
	}
	switch {
	case file == "":
		return named{}, &unknownName{text: given + ": neither a notation, which has brackets, nor a name: there is no rowkey.yaml here or above", near: near}
	case len(all) == 0:
		return named{}, &unknownName{text: fmt.Sprintf("%s: %s has no schemas", given, file), near: near}
	}
	return named{}, &unknownName{text: fmt.Sprintf("%s: %s has %s", given, file, strings.Join(names(all), ", ")), near: cmp.Or(near, said.Perhaps(text, names(all)))}
}

// unknownName is the error of a name that no schema has.
type unknownName struct {
	text string
	near string // what may be meant: another name, or a file; empty if nothing is near
}

func (e *unknownName) Error() string { return e.text + e.near }

// loadFile reads a file that is one notation.
func loadFile(path string) (named, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return named{}, fmt.Errorf("-f: %w", err)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return parse(name, strings.TrimSpace(strings.TrimPrefix(string(data), bomText)), path)
}

// parseGiven is the schema of a notation that an argument holds, alone or as name=notation.
func parseGiven(text, where string) (named, error) {
	if m := designNamed.FindStringSubmatch(text); m != nil {
		return parse(m[1], m[2], where)
	}
	return parse("", text, where)
}

// parse is the schema of a notation; where says whence it came.
func parse(name, notation, where string) (named, error) {
	called := name
	if called == "" {
		called = "key"
	}
	s, err := rowkey.Parse(called, notation)
	if err != nil {
		err = fmt.Errorf("%s: %w", where, said.TypeHint(notation, said.InNotation(said.Reason(err))))
		if d, loose := draft.Read(notation); loose == nil && len(d.Open) > 0 && strings.Contains(err.Error(), "expected") {
			err = fmt.Errorf("%w\nrowkey draft reads a layout as design documents write it, and asks what that leaves open; of a table that exists, rowkey infer reads it out of rows", err)
		}
		return named{}, err
	}
	return named{Schema: s, name: name}, nil
}

// completeNames completes -s: the names of rowkey.yaml, and in a notation the
// words of its options.
func (a *app) completeNames(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	if open := strings.LastIndexByte(typed, '['); open >= 0 {
		at := strings.LastIndexAny(typed, " [")
		if at > open && !strings.Contains(typed[open:], "]") {
			for _, w := range notation.Words() {
				out = append(out, typed[:at+1]+w)
			}
		}
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
	all, _, err := a.configured()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	for _, e := range all {
		out = append(out, cobra.CompletionWithDesc(e.name, e.notation))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
