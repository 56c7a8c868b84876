// Package lindorm writes a schema as a table of Lindorm's SQL.
package lindorm

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/hbase-rowkey/rowkey"
)

// sqlName is a name that Lindorm's SQL takes between backticks.
var sqlName = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Lindorm's limits for the primary key of a table made by SQL.
const (
	lindormColumns = 5
	lindormRegions = 10_000 // more are a slip of the pen
)

// CreateTable is the CREATE TABLE of Lindorm's SQL for a table that answers the questions
// which the schema's keys answer.
func CreateTable(s *rowkey.Schema, f Options) (string, error) {
	table := f.Table
	if !sqlName.MatchString(table) {
		return "", fmt.Errorf("-o lindorm: table %s: expected letters, digits and '_': --table NAME", said.Shown(table))
	}
	var columns, key, notes []string
	var hash string
	var first rowkey.FieldInfo // of the columns
	inKey := map[string]bool{}
	for c := range s.Fields() {
		if c.Kind != "literal" && !c.Derived && c.Stored {
			inKey[c.Name] = true
		}
	}
	at := 0
	for c := range s.Fields() {
		switch {
		case c.Kind == "literal":
			continue // a column has its end
		case c.Kind == "salt" || c.Kind == "hash":
			if at > 0 || hash != "" {
				notes = append(notes, fmt.Sprintf("%s is left out: SQL has one hash, at the beginning of the key", c.Notation))
				continue
			}
			if len(c.Computed.Inputs) == 0 {
				return "", fmt.Errorf("-o lindorm: %s is computed from no field, and hash8 takes columns", c.Notation)
			}
			var inputs []string
			for _, name := range c.Computed.Inputs {
				if !inKey[name] {
					return "", fmt.Errorf("-o lindorm: %s: %s is no stored field, and a hashed column must be in the key", c.Notation, name)
				}
				inputs = append(inputs, quotedSQL(name))
			}
			hash = lindormHash(c) + "(" + strings.Join(inputs, ", ") + ")"
		case c.Derived:
			notes = append(notes, fmt.Sprintf("%s is left out: an index of %s does what a copy does", c.Notation, c.Computed.Source))
		case !c.Stored:
			return "", fmt.Errorf("-o lindorm: %s is not stored: give its hash as a field of its own", c.Name)
		default:
			if !sqlName.MatchString(c.Name) {
				return "", fmt.Errorf("-o lindorm: field %s: expected letters, digits and '_', which is what SQL names", said.Shown(c.Name))
			}
			kind, note := lindormType(c)
			column := "  " + quotedSQL(c.Name) + " " + kind + " NOT NULL"
			if c.Optional {
				notes = append(notes, c.Name+" may be null here: a column of a primary key may not, so that it needs a value that stands for none")
			}
			if note != "" {
				notes = append(notes, c.Name+note)
			}
			columns = append(columns, column)
			if at == 0 {
				first = c
			}
			part := quotedSQL(c.Name)
			switch {
			case c.Order == rowkey.Backward:
				part += " DESC"
			case c.Reversed:
				notes = append(notes, c.Name+" is stored reversed here; SQL stores it as it is")
			}
			key = append(key, part)
			at++
		}
	}
	switch {
	case len(columns) > lindormColumns:
		return "", fmt.Errorf("-o lindorm: %d fields, and a primary key has at most %d columns", len(columns), lindormColumns)
	case len(columns) == 0:
		return "", errors.New("-o lindorm: the schema has no field")
	}
	for i, column := range columns[:len(columns)-1] {
		if strings.Contains(column, " VARBINARY ") {
			return "", fmt.Errorf("-o lindorm: column %d is VARBINARY, which is only possible as the last one of a key", i+1)
		}
	}
	with, err := lindormRegionsOf(f, hash, first)
	if err != nil {
		return "", err
	}
	if hash != "" {
		key = slices.Insert(key, 0, hash)
		notes = append(notes, "a query reads one place if it gives all columns of the hash by =")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "-- %s\n", s.String())
	b.WriteString("-- The bytes of this table are Lindorm's: its hash and its encoding are not published. Read and write it by SQL, not with keys of this schema.\n")
	for _, note := range notes {
		b.WriteString("-- " + note + "\n")
	}
	fmt.Fprintf(&b, "CREATE TABLE %s (\n%s,\n  PRIMARY KEY(%s)\n)%s;\n", quotedSQL(table), strings.Join(columns, ",\n"), strings.Join(key, ", "), with)
	named := map[string]string{}
	for _, index := range f.Indexes {
		name := table + "_by_" + strings.ReplaceAll(index, ",", "_")
		switch other, taken := named[name]; {
		case other == index && taken:
			return "", fmt.Errorf("--index %s: given twice", said.Shown(index))
		case taken:
			return "", fmt.Errorf("--index %s: its name would be that of --index %s", said.Shown(index), said.Shown(other))
		}
		named[name] = index
		var parts []string
		for column := range strings.SplitSeq(index, ",") {
			if !sqlName.MatchString(column) {
				return "", fmt.Errorf("--index %s: expected names of columns with commas between them", said.Shown(index))
			}
			part := quotedSQL(column)
			if slices.Contains(parts, part) {
				return "", fmt.Errorf("--index %s: %s stands twice", said.Shown(index), column)
			}
			parts = append(parts, part)
		}
		fmt.Fprintf(&b, "-- An index does not inherit the hash; one whose first column rises needs one of its own.\nCREATE INDEX %s ON %s (%s);\n",
			quotedSQL(name), quotedSQL(table), strings.Join(parts, ", "))
	}
	return b.String(), nil
}

// Options say what the table is like.
type Options struct {
	Table   string
	Regions int
	Indexes []string
}

func quotedSQL(name string) string { return "`" + name + "`" }

// lindormHash is the narrowest of Lindorm's hashes that spreads as widely.
func lindormHash(c rowkey.FieldInfo) string {
	switch {
	case c.Kind == "salt" && c.Count > 0 && c.Count <= 256, c.Kind == "hash" && c.Computed.Bits <= 8:
		return "hash8"
	case c.Kind == "salt" || c.Computed.Bits <= 32:
		return "hash32"
	}
	return "hash64"
}

// lindormType is the type of a field's column, and what is to be said of it.
func lindormType(c rowkey.FieldInfo) (kind, note string) {
	switch c.Kind {
	case "string":
		if c.Numeric {
			return "VARCHAR", " is a decimal here, and sorts as text there"
		}
		return "VARCHAR", ""
	case "binary":
		return "VARBINARY", ""
	case "uint", "int":
		if c.Most > math.MaxInt64 {
			return "BIGINT", " is unsigned here: BIGINT ends at 9223372036854775807"
		}
		return "BIGINT", ""
	case "float":
		return "DOUBLE", ""
	case "bool":
		return "BOOLEAN", ""
	}
	if c.Time.Step < time.Millisecond {
		return "BIGINT", " is finer than the milliseconds of TIMESTAMP: a number of " + c.Time.Step.String()
	}
	return "TIMESTAMP", ""
}

// CheckRegions is an error if a table cannot be created with n regions.
func CheckRegions(n int) error {
	if n < 2 || n > lindormRegions {
		return fmt.Errorf("--regions %d: expected 2 to %d", n, lindormRegions)
	}
	return nil
}

// lindormRegionsOf is the WITH of a table that is split from the start.
func lindormRegionsOf(f Options, hash string, first rowkey.FieldInfo) (string, error) {
	if f.Regions == 0 {
		return "", nil
	}
	if err := CheckRegions(f.Regions); err != nil {
		return "", err
	}
	switch {
	case hash != "":
		return fmt.Sprintf(" WITH (NUMREGIONS='%d')", f.Regions), nil
	case first.Kind == "time":
		return "", fmt.Errorf("--regions: %s comes first and rises, so all writes go to the last region: put a salt first", first.Name)
	case (first.Kind == "uint" || first.Kind == "int") && first.Most <= math.MaxInt64 && first.Most > 0:
		return fmt.Sprintf(" WITH (NUMREGIONS='%d', STARTKEY='0', ENDKEY='%d')", f.Regions, first.Most), nil
	}
	return "", fmt.Errorf("--regions: the values of %s depend on data: put a salt first, or write SPLITKEYS='…' with values of your own", first.Name)
}
