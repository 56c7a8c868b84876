package gen

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// support is the class that all printed classes of a package share.
//
//go:embed RowKeys.java
var support string

// supportImports are the imports of that class.
const supportImports = `import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;
`

// JavaOptions say how Java is printed.
type JavaOptions struct {
	Package    string // empty: the unnamed package
	Standalone bool   // the shared class stands inside of each class
}

// JavaSupport prints RowKeys.java, which the classes of a package share.
func JavaSupport(o JavaOptions) File {
	return File{Path: "RowKeys.java", Text: []byte(header + o.head() + supportImports + "\n" + support)}
}

func (o *JavaOptions) head() string {
	if o.Package == "" {
		return ""
	}
	return "package " + o.Package + ";\n\n"
}

// JavaClass is the name of the class of a schema.
func JavaClass(s *code.Schema) string { return exported(s.Name) + "Key" }

// Java prints the class of a schema: TradesKey.java.
func Java(o JavaOptions, schema *rowkey.Schema, s *code.Schema) (File, error) {
	for _, r := range []*code.Refusal{s.Refused, s.NotJava} {
		if r != nil {
			return File{}, fmt.Errorf("Java: %w", r)
		}
	}
	g := &java{s: s}
	var err error
	if g.names, err = names(s, "Java", javaName); err != nil {
		return File{}, fmt.Errorf("%w", err)
	}
	slots := 1 // this
	for _, f := range s.Fields {
		slots++
		if t := javaType(f); t == "long" || t == "double" {
			slots++
		}
	}
	if slots > 255 {
		return File{}, g.tooMuch("a method of Java has at most 255 parameters, of which a long is two: declare fewer fields")
	}
	g.class(o, schema)
	if err := g.fits(); err != nil {
		return File{}, err
	}
	imports := "import java.math.BigDecimal;\nimport java.nio.ByteBuffer;\nimport java.time.Instant;\nimport java.util.ArrayList;\nimport java.util.Arrays;\nimport java.util.Comparator;\nimport java.util.List;\n"
	if o.Standalone {
		imports += supportImports
	}
	text := header + o.head() + usedImports(imports, g.String()) + "\n" + g.String()
	return File{Path: JavaClass(s) + ".java", Text: []byte(text)}, nil
}

// tooMuch refuses a schema that a class file cannot hold.
func (g *java) tooMuch(why string) error { return fmt.Errorf("%s: Java: %s", g.s.Name, why) }

var javaWord = pattern.New(`\w+`)

// fits refuses what javac does: a text of 64 KiB, and as many bytes of code in a method, or in all
// lists together. A word of the source is about three bytes of code, and a text six: an entry of a
// list, RowKeys.latin("a"), has 11. That is no more than an estimate, so a tenth is left.
func (g *java) fits() (err error) {
	source := aside.ReplaceAllStringFunc(g.String(), func(s string) string {
		switch s[0] {
		case '/':
			return ""
		case '\'': // an instruction, as a number is
			return s
		}
		n := 0 // as a class file writes it, in UTF-8 of its own
		for _, c := range javaEscape.FindAllString(s[1:len(s)-1], -1) {
			switch {
			case c[0] != '\\' || len(c) == 2 || len(c) == 4 && c != `\000` && c[1] < '2':
				n++
			case len(c) == 4:
				n += 2
			default:
				n += 3
			}
		}
		if n > math.MaxUint16 {
			err = g.tooMuch("a text of Java has at most 65535 bytes: list fewer values, or shorter ones")
		}
		return " a b "
	})
	for method := range strings.SplitSeq(source, "\n  }\n") {
		if err == nil && 3*len(javaWord.FindAllString(method, -1)) > 60000 {
			err = g.tooMuch("its code would be longer than the 65535 bytes of a method of Java: declare fewer components, or list fewer values")
		}
	}
	return err
}

// javaEscape is a character of a text in the source of Java.
var javaEscape = pattern.New(`\\u[0-9a-f]{4}|\\[0-7]{3}|\\.|[^\\]`)

// usedImports are the imports that a text uses, each once and sorted.
func usedImports(imports, text string) string {
	lines := strings.Split(strings.TrimSpace(imports), "\n")
	slices.Sort(lines)
	lines = slices.DeleteFunc(slices.Compact(lines), func(line string) bool {
		name := strings.TrimSuffix(line[strings.LastIndexByte(line, '.')+1:], ";")
		return !regexp.MustCompile(`\b` + name + `\b`).MatchString(text)
	})
	return strings.Join(lines, "\n") + "\n"
}

// JavaWords are the words of Java, by which nothing can be called.
var JavaWords = strings.Fields(`abstract assert boolean break byte case catch char class const continue default do double else enum extends final
	finally float for goto if implements import instanceof int interface long native new package private protected public return short static
	strictfp super switch synchronized this throw throws transient try void volatile while true false null _`)

// reserved are words that no field can be called in Java, and names that printed code uses.
var reserved = slices.Concat(JavaWords, strings.Fields("out key n all buffer own trim apart starts regions"))

var javaLocal = pattern.New(`^[a-z]\d*$|^[a-z]{2}\d+$`)

func javaName(name string) string {
	n := lowered(exported(name))
	bare := strings.TrimPrefix(n, "x")
	if first, _ := utf8.DecodeRuneInString(bare); unicode.IsLetter(first) && !unicode.IsLower(first) && !unicode.IsUpper(first) {
		n = bare // letters without a case, such as Chinese ones, may begin a name of Java
	}
	if slices.Contains(reserved, n) || javaLocal.MatchString(n) {
		n += "_"
	}
	return n
}

// java prints the class of one schema. In the printed code, of field 2
//
//	u2   is its number
//	t2   are the bytes of its text
//	f2   is its form, if that varies, or is a text's
//
// and of component 3
//
//	s3       is where it begins in a key
//	in3, d3  is what a salt or hash is computed from, and the digest
//	h3       is its bucket
type java struct {
	printer
	s     *code.Schema
	names map[*code.Comp]string
	made  int // how many variables were made up
}

// javaType is the Java type of a field's value.
func javaType(f *code.Comp) string {
	switch {
	case f.Text != nil && f.Text.Decimal != form.NoDecimal:
		return "BigDecimal"
	case f.Optional && f.Num != nil:
		return "Long"
	}
	switch f.Kind {
	case code.String:
		return "String"
	case code.Binary:
		return "byte[]"
	case code.Float:
		if f.Size == 4 {
			return "float"
		}
		return "double"
	case code.Bool:
		return "boolean"
	case code.Uint, code.Int, code.Time:
		return "long"
	case code.Literal, code.Salt, code.Hash:
	}
	panic("gen: a field of no kind")
}

// javaString is a Java literal of a text.
func javaString(s string) string { return javaQuoted([]rune(s)) }

// javaBytes is a Java literal of bytes, a char for each.
func javaBytes(b []byte) string {
	r := make([]rune, len(b))
	for i, c := range b {
		r[i] = rune(c)
	}
	return javaQuoted(r)
}

func javaQuoted(runes []rune) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range runes {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, "\\%03o", r) // not \u, which Java reads before it reads the text
		case r >= 0x10000:
			fmt.Fprintf(&b, "\\u%04x\\u%04x", 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func javaLong(u uint64) string { return fmt.Sprintf("%dL", int64(u)) }

// fieldOf is the constant that names a component in errors.
func (g *java) fieldOf(c *code.Comp) string { return fmt.Sprintf("C%d", c.Index) }

// fail is the statement that refuses a value.
func (g *java) fail(c *code.Comp, reason, why string) string {
	return fmt.Sprintf("throw new RowKeys.KeyException(%s, RowKeys.Reason.%s, -1, %s);", g.fieldOf(c), reason, javaString(why))
}

// javadoc is what a field holds, in words.
func javadoc(f *code.Comp) string {
	if f.Optional {
		return held(f) + " It may be null."
	}
	if f.Absent {
		return held(f) + " It is not in the key: decode leaves it empty."
	}
	return held(f)
}

func held(f *code.Comp) string {
	n := f.Num
	switch f.Kind {
	case code.Uint:
		if f.Size == 8 && n.Max == math.MaxUint64 {
			return f.Notation + ": 64 bits without a sign. Compare with Long.compareUnsigned."
		}
		return fmt.Sprintf("%s: 0 to %s.", f.Notation, fmt.Sprint(n.Max))
	case code.Int:
		return fmt.Sprintf("%s: %d to %d.", f.Notation, n.IMin, n.IMax)
	case code.Time:
		switch {
		case n.Date != nil:
			return f.Notation + ": seconds since 1970, rounded down to the date."
		case n.Epoch != 0:
			return fmt.Sprintf("%s: steps of %s since %s.", f.Notation, stepName(n.Step), time.Unix(n.Epoch, 0).UTC().Format(time.RFC3339))
		}
		return fmt.Sprintf("%s: steps of %s since 1970.", f.Notation, stepName(n.Step))
	case code.Binary:
		return f.Notation + ": bytes."
	case code.Literal, code.Salt, code.Hash, code.String, code.Float, code.Bool:
	}
	return f.Notation + "."
}

// inComment is a text that may stand in a comment of Java.
func inComment(s string) string {
	s = strings.NewReplacer("*/", "*&#47;", "\n", " ", "&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", `\u`, `&#92;u`).Replace(s)
	var b strings.Builder
	for _, r := range s {
		if r < 0x7f {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}

func (g *java) class(o JavaOptions, schema *rowkey.Schema) {
	s, class := g.s, JavaClass(g.s)
	g.p("/**\n * A row key of %s", inComment(s.Notation))
	if call, key := example(schema, s); key != nil {
		g.p(" *\n * <p>{@code encode(%s)} is {@code %x}.", call, key)
	}
	g.p(" *\n * <p>Keys sort as HBase sorts them by {@link #COMPARATOR}.\n */")
	g.p("public final class %s {", class)
	g.p("  public static final String NAME = %s;\n  public static final String NOTATION = %s;\n  public static final String FINGERPRINT = %q;\n", javaString(s.Name), javaString(s.Notation), s.Fingerprint)
	g.p("  /** Compares keys as HBase does, byte by byte without signs. It can be serialised. */\n  public static final Comparator<byte[]> COMPARATOR = RowKeys.COMPARATOR;\n")
	g.p("  private static final RowKeys.Field WHOLE = new RowKeys.Field(NAME, \"\");")
	for _, c := range s.Comps {
		g.p("  private static final RowKeys.Field %s = new RowKeys.Field(NAME, %s);", g.fieldOf(c), javaString(c.Name))
	}
	g.b()
	var params, args, values []string
	for _, f := range s.Fields {
		g.p("  /** %s */\n  public final %s %s;", inComment(javadoc(f)), javaType(f), g.names[f])
		params = append(params, javaType(f)+" "+g.names[f])
		args = append(args, g.names[f])
		values = append(values, g.valueRead(f))
	}
	g.p("\n  public %s(%s) {", class, strings.Join(params, ", "))
	for _, a := range args {
		g.p("    this.%s = %s;", a, a)
	}
	g.p("  }\n")
	g.doc("The key of this row.", "if a value cannot be stored: it names the field")
	g.p("  public byte[] encode() {\n    return encode(%s);\n  }\n", strings.Join(args, ", "))
	g.doc("The key of these values.", "if one cannot be stored: it names the field")
	g.p("  public static byte[] encode(%s) {", strings.Join(params, ", "))
	g.write(s.Prefixes[len(s.Fields)-1])
	g.p("    return out;\n  }\n")
	g.doc("The row of a key, which is checked whole.", "if it is no key of this schema")
	g.p("  public static %s decode(byte[] key) {", class)
	g.read()
	g.p("    return new %s(%s);\n  }\n", class, strings.Join(values, ", "))
	for _, f := range s.Fields {
		if f.Kind == code.Time {
			g.instants(f)
		}
	}
	for _, p := range s.Prefixes {
		if p.Ranges > 0 {
			g.ranges(p, params)
		}
	}
	g.formLists()
	for _, c := range s.Comps {
		if c.Text == nil || len(c.Text.Codes) == 0 {
			continue
		}
		var values, codes [][]byte
		for _, pair := range c.Text.Codes {
			values, codes = append(values, []byte(pair[0])), append(codes, []byte(pair[1]))
		}
		g.p("  private static final byte[][] VALUES%d = %s;\n  private static final byte[][] CODES%d = %s;\n", c.Index, g.listed(values), c.Index, g.listed(codes))
	}
	g.doc("The first keys of all regions but the first, for a table with this many regions.", "if the data decide them")
	var leads []string
	for i := range s.Leads {
		leads = append(leads, fmt.Sprintf(", LEAD%d", i))
	}
	g.p("  public static byte[][] splits(int regions) {\n    return RowKeys.splits(WHOLE, regions%s);\n  }\n", strings.Join(leads, ""))
	for i, l := range s.Leads {
		forms := "null"
		if l.Forms != nil {
			forms = g.listed(l.Forms)
		}
		g.p("  private static final RowKeys.Lead LEAD%d = new RowKeys.Lead(%s, %s, %d, %d, %t);\n", i, javaBytes(l.Before), forms, l.Base, l.N, l.Upper)
	}
	g.p("  /** The number of the region that holds a key, from 0, of regions with these first keys. */")
	g.p("  public static int region(byte[] key, byte[][] starts) {\n    return RowKeys.region(key, starts);\n  }")
	if o.Standalone {
		g.p("\n%s", strings.Replace(support, "public final class RowKeys", "public static final class RowKeys", 1))
	}
	g.p("}")
}

// b prints an empty line.
func (g *java) b() { g.p("") }

// listed is an array of byte arrays, some of other lengths than others.
func (g *java) listed(forms [][]byte) string {
	width := len(forms[0])
	if width > 0 && !slices.ContainsFunc(forms, func(f []byte) bool { return len(f) != width }) {
		return fmt.Sprintf("RowKeys.cut(%s, %d)", javaBytes(slices.Concat(forms...)), width)
	}
	var list []string
	for _, f := range forms {
		list = append(list, fmt.Sprintf("RowKeys.latin(%s)", javaBytes(f)))
	}
	return "new byte[][] {" + strings.Join(list, ", ") + "}"
}

// formLists prints the forms of what may be open.
func (g *java) formLists() {
	seen := map[int]bool{}
	for _, p := range g.s.Prefixes {
		for _, i := range p.Open {
			if p.Ranges > 0 && !seen[i] {
				seen[i] = true
				g.p("  private static final byte[][] FORMS%d = %s;\n", i, g.listed(g.s.Comps[i].Forms))
			}
		}
	}
}

// ranges prints the method that bounds a prefix of the fields.
func (g *java) ranges(p code.Prefix, params []string) {
	about := howMany(p) + " of the keys with these values. " + ofNulls(g.s, p, "null")
	g.doc("T"+strings.TrimSpace(about[1:]), "if a value cannot be stored")
	g.p("  public static List<RowKeys.Range> ranges(%s) {", strings.Join(params[:p.Fields], ", "))
	g.write(p)
	var at, width, forms []string
	for _, i := range p.Open {
		at, width, forms = append(at, fmt.Sprintf("o%d", i)), append(width, fmt.Sprint(g.s.Comps[i].Width)), append(forms, fmt.Sprintf("FORMS%d", i))
	}
	trim, apart := "0", "false"
	if g.s.MayTrim(p) {
		trim = "trim"
	}
	if g.s.Twice(p) {
		apart = "apart"
		if 2*p.Ranges > 1024 {
			g.p("    if (apart && trim > 0 && trim < out.length) %s", g.fail(g.s.Comps[p.Open[0]], "RANGES", "more than 1024 ranges"))
		}
	}
	exact := p.Comps == len(g.s.Comps) && g.s.GoesOn
	g.p("    List<RowKeys.Range> all = new ArrayList<>();\n    RowKeys.spread(all, out, %t, %s, %s, new int[] {%s}, new int[] {%s}, new byte[][][] {%s});\n    return all;\n  }\n",
		exact, trim, apart, strings.Join(at, ", "), strings.Join(width, ", "), strings.Join(forms, ", "))
}

// instants prints the conversions between a time's number and an Instant.
func (g *java) instants(f *code.Comp) {
	n, name := f.Num, strings.TrimSuffix(g.names[f], "_")
	per := int64(1)
	if n.Step < time.Second {
		per = int64(time.Second / n.Step)
	}
	step := max(1, int64(n.Step/time.Second))
	g.p("  /** What the field %s holds of an instant. One that it cannot hold becomes a number that encode refuses. */", inComment(f.Name))
	g.p("  public static long %sOf(Instant t) {", name)
	switch {
	case n.Date != nil:
		g.p("    return t.getEpochSecond();")
	case per > 1 && n.Past:
		g.p("    return RowKeys.steps(t.getEpochSecond() - %dL, t.getNano(), %dL, %dL);", n.Epoch, per, int64(n.Step))
	case per == 1:
		g.p("    return Math.floorDiv(t.getEpochSecond() - %dL, %dL);", n.Epoch, step)
	default:
		g.p("    long s = t.getEpochSecond() - %dL;\n    if (s < 0 || s > %dL) return Long.MIN_VALUE;", n.Epoch, math.MaxInt64/per)
		g.p("    long u = s * %dL + t.getNano() / %d;\n    return u < 0 ? Long.MIN_VALUE : u;", per, int64(n.Step))
	}
	g.p("  }\n\n  /** The field %s as an instant. */\n  public Instant %sInstant() {", inComment(f.Name), name)
	switch {
	case n.Date != nil:
		g.p("    return Instant.ofEpochSecond(%s);", g.names[f])
	case per == 1:
		g.p("    return Instant.ofEpochSecond(Math.addExact(Math.multiplyExact(%s, %dL), %dL));", g.names[f], step, n.Epoch)
	case n.Past:
		g.p("    return Instant.ofEpochSecond(Math.floorDiv(%s, %dL) + %dL, Math.floorMod(%s, %dL) * %dL);", g.names[f], per, n.Epoch, g.names[f], per, int64(n.Step))
	default:
		g.p("    return Instant.ofEpochSecond(%s / %dL + %dL, %s %% %dL * %dL);", g.names[f], per, n.Epoch, g.names[f], per, int64(n.Step))
	}
	g.p("  }\n")
}

// example is a call of encode, and the key, for the comment of a class; empty if there is none.
func example(schema *rowkey.Schema, s *code.Schema) (call string, key []byte) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 2000 {
		row, args := make([]any, len(s.Fields)), make([]string, len(s.Fields))
		for i, f := range s.Fields {
			row[i] = value(r, f)
			args[i] = javaArgument(f, row[i])
		}
		if k, err := schema.AppendKey(nil, row...); err == nil && !slices.Contains(args, "") && (key == nil || len(k) < len(key)) && len(k) > 2*len(s.Fields) {
			call, key = strings.Join(args, ", "), k
		}
	}
	return call, key
}

// javaArgument is a usual value as Java writes it; empty for one that is not easily read.
func javaArgument(f *code.Comp, x any) string {
	switch x := x.(type) {
	case string:
		if f.Text.Decimal != form.NoDecimal {
			return ""
		}
		if x != "" && len(x) < 40 && strings.Trim(x, "abcdefghijklmnopqrstuvwxyz0123456789-_") == "" {
			return javaString(x)
		}
	case uint64:
		if x < 1<<62 {
			return fmt.Sprintf("%dL", x)
		}
	case int64:
		return fmt.Sprintf("%dL", x)
	case bool:
		return fmt.Sprint(x)
	case float64:
		if x == 1.5 || x == -1.5 {
			return fmt.Sprint(x)
		}
	case time.Time:
		if x.Year() < 2017 || x.Year() > 2027 {
			return ""
		}
		return strings.TrimSuffix(javaName(f.Name), "_") + "Of(Instant.parse(\"" + x.Format(time.RFC3339Nano) + "\"))"
	}
	return ""
}

// doc prints a comment.
func (g *java) doc(text, throws string) {
	if throws == "" {
		g.p("  /** %s */", text)
		return
	}
	g.p("  /**\n   * %s\n   *\n   * @throws RowKeys.KeyException %s\n   */", text, throws)
}
