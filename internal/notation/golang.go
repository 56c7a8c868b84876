package notation

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// digestsInGo are the names of the digests in Go.
var digestsInGo = map[string]string{
	"murmur3": "Murmur3", "md5": "MD5", "sha1": "SHA1", "sha256": "SHA256", "sha512": "SHA512", "crc32": "CRC32",
	"murmur3x128": "interop.Murmur3x128", "hmurmur": "interop.HBaseMurmur", "hmurmur3": "interop.HBaseMurmur3", "hjenkins": "interop.HBaseJenkins", "javahashcode": "interop.JavaHashCode",
}

// unitsInGo are the names of the units in Go.
var unitsInGo = map[string]string{"ns": "Nanos", "us": "Micros", "ms": "Millis", "s": "Seconds", "min": "Minutes", "h": "Hours", "d": "Days"}

// Go is the declaration as a Go expression, a call for each component.
func (l *Layout) Go(name string) string {
	l = l.folded()
	var b strings.Builder
	b.WriteString("rowkey.New(" + strings.Join(append([]string{strconv.Quote(name)}, optionsInGo(l.Settings)...), ", ") + ").\n")
	for i := range l.Components {
		call := l.Components[i].inGo()
		if i > 0 && l.Components[i].Kind == Separator { // on the line of the field that it ends
			b.WriteString(call)
		} else {
			b.WriteString("\t" + call)
		}
		if b.WriteString("."); i+1 == len(l.Components) || l.Components[i+1].Kind != Separator {
			b.WriteByte('\n')
		}
	}
	for _, s := range l.Samples {
		args := []string{strconv.QuoteToASCII(s.Key)}
		for _, v := range s.Values {
			args = append(args, valueInGo(v))
		}
		b.WriteString("\tSample(" + strings.Join(args, ", ") + ").\n")
	}
	return b.String() + "\tMustBuild()"
}

// folded is the layout with a dialect that all fields have as its setting.
func (l *Layout) folded() *Layout {
	dialect := Word("")
	isDialect := func(o Option) bool { return o.Word.Option() == DialectOption }
	for _, c := range l.Components {
		switch c.Kind {
		case Copy:
			return l
		case String, Binary, Uint, Int, Float, Bool, Time:
			at := slices.IndexFunc(c.Options, isDialect)
			if at < 0 || dialect != "" && c.Options[at].Word != dialect {
				return l
			}
			dialect = c.Options[at].Word
		}
	}
	if dialect == "" || slices.ContainsFunc(l.Settings, isDialect) {
		return l
	}
	out := &Layout{Settings: append(slices.Clone(l.Settings), Option{Word: dialect}), Samples: l.Samples}
	for _, c := range l.Components {
		c.Options = slices.DeleteFunc(slices.Clone(c.Options), isDialect)
		out.Components = append(out.Components, c)
	}
	return out
}

func qualified(name string) string {
	if strings.Contains(name, ".") {
		return name
	}
	return "rowkey." + name
}

func (c *Component) inGo() string {
	name := strconv.Quote(c.Name)
	var head []string
	method := ""
	switch c.Kind {
	case Separator:
		return "Separator(" + strconv.QuoteToASCII(c.Text) + ")"
	case Literal:
		return "Literal(" + strconv.QuoteToASCII(c.Text) + ")"
	case String:
		method, head = "String", []string{name}
	case Binary:
		method, head = "Binary", []string{name}
	case Uint:
		method, head = "Uint", []string{name, strconv.Itoa(c.Size)}
	case Int:
		method, head = "Int", []string{name, strconv.Itoa(c.Size)}
	case Float:
		method, head = "Float", []string{name, strconv.Itoa(c.Size)}
	case Bool:
		method, head = "Bool", []string{name}
	case Time:
		method, head = "Time", []string{name, c.Unit.inGo()}
	case Copy:
		method, head = "Copy", []string{name, strconv.Quote(c.Of)}
	case Salt:
		method, head = "Salt", []string{strconv.Itoa(c.Buckets), textInGo(c.Input.String())}
	case Hash:
		method, head = "Hash", []string{c.Part.inGo(), textInGo(c.Input.String())}
	}
	return method + "(" + strings.Join(append(head, optionsInGo(c.Options)...), ", ") + ")"
}

// textInGo is a text with quotes in it as people write it.
func textInGo(s string) string {
	if strings.Contains(s, `"`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

func (u Unit) inGo() string {
	switch {
	case u.Name == layoutWord:
		return fmt.Sprintf("rowkey.Layout(%q, %s)", u.Layout, u.zoneInGo())
	case u.Since:
		return qualified(unitsInGo[u.Name]) + ".Since(" + valueInGo(time.Unix(u.Sec, u.Nsec)) + ")"
	}
	return qualified(unitsInGo[u.Name])
}

func (u Unit) zoneInGo() string {
	offset := u.Offset
	if u.Zone != nil {
		if name := u.Zone.String(); name != "" && name != "UTC" {
			return fmt.Sprintf("func() *time.Location {\n\t\tzone, err := time.LoadLocation(%q)\n\t\tif err != nil {\n\t\t\tpanic(err)\n\t\t}\n\t\treturn zone\n\t}()", name)
		}
		_, offset = time.Unix(0, 0).In(u.Zone).Zone() // of one offset
	}
	if offset == 0 {
		return "time.UTC"
	}
	return fmt.Sprintf("time.FixedZone(\"\", %d)", offset)
}

func (p Part) inGo() string {
	s := qualified(digestsInGo[p.Digest])
	if p.Seeded {
		s += fmt.Sprintf(".Seed(%d)", p.Seed)
	}
	switch {
	case !p.Hex:
		return s + fmt.Sprintf(".Raw(%d)", p.N)
	case p.At != 0:
		s += fmt.Sprintf(".HexAt(%d, %d)", p.At, p.N)
	default:
		s += fmt.Sprintf(".Hex(%d)", p.N)
	}
	if p.Upper {
		s += ".Upper()"
	}
	return s
}

func optionsInGo(options []Option) (out []string) {
	for i := range options {
		out = append(out, options[i].inGo())
	}
	return out
}

func (o *Option) inGo() string {
	switch o.Word {
	case UnitOption:
		return o.Unit.inGo()
	case PartOption:
		return o.Part.inGo()
	}
	info := byWord[o.Word]
	name := qualified(info.Go)
	var args []string
	switch info.Args {
	case NoArgs:
		return name
	case OneNumber:
		args = []string{strconv.Itoa(o.N)}
	case TwoNumbers:
		args = []string{strconv.Itoa(o.N), strconv.Itoa(o.M)}
	case NumberByte:
		args = []string{strconv.Itoa(o.N), fmt.Sprintf("0x%02x", o.Byte)}
	case OneText, OneName:
		args = []string{strconv.QuoteToASCII(o.Text)}
	case ADuration:
		args = []string{durationInGo(o.Duration)}
	case ABound:
		args = []string{strconv.FormatUint(o.Bound, 10)}
	case ManyTexts:
		for _, v := range o.List {
			args = append(args, strconv.QuoteToASCII(v))
		}
	case ManyPairs:
		var pairs []string
		for _, v := range slices.Sorted(maps.Keys(o.Pairs)) {
			pairs = append(pairs, strconv.QuoteToASCII(v)+": "+strconv.QuoteToASCII(o.Pairs[v]))
		}
		args = []string{"map[string]string{" + strings.Join(pairs, ", ") + "}"}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func durationInGo(d time.Duration) string {
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{time.Hour, "time.Hour"}, {time.Minute, "time.Minute"}, {time.Second, "time.Second"}, {time.Millisecond, "time.Millisecond"}} {
		switch {
		case d == u.of:
			return u.name
		case d%u.of == 0:
			return fmt.Sprintf("%d*%s", d/u.of, u.name)
		}
	}
	return strconv.FormatInt(int64(d), 10)
}

func valueInGo(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.QuoteToASCII(v)
	case []byte:
		return "[]byte(" + strconv.QuoteToASCII(string(v)) + ")"
	case time.Time:
		v = v.UTC()
		return fmt.Sprintf("time.Date(%d, %d, %d, %d, %d, %d, %d, time.UTC)", v.Year(), v.Month(), v.Day(), v.Hour(), v.Minute(), v.Second(), v.Nanosecond())
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") { // else it is an int
			s += ".0"
		}
		return s
	case nil:
		return "nil"
	}
	return fmt.Sprint(v)
}
