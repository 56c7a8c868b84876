package gen

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/hbase-rowkey/rowkey/internal/code"
	"github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// vectorsSupport is the class that the tests of all printed classes share.
//
//go:embed RowKeysVectors.java
var vectorsSupport string

const vectorsImports = `import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
`

// sharedName is a text in the source of Java, or the name of the shared class with a point after it.
var sharedName = pattern.New(`"(\\.|[^"\\])*"|\bRowKeys\.`)

// JavaTestSupport prints RowKeysVectors.java, which the tests of a package share.
func JavaTestSupport(o JavaOptions) File {
	return File{Path: "RowKeysVectors.java", Text: []byte(header + o.head() + vectorsImports + "\n" + vectorsSupport)}
}

// JavaTest prints the test of a class, a program whose arguments are files of vectors:
// TradesKeyVectors.java.
func JavaTest(o JavaOptions, s *code.Schema) (File, error) {
	g := &java{s: s}
	var err error
	if g.names, err = names(s, "Java", javaName); err != nil {
		return File{}, err
	}
	class := JavaClass(s)
	var listed, args, said []string
	for i, f := range s.Fields {
		name := strings.TrimSuffix(g.names[f], "_")
		w, row := fmt.Sprintf("w[%d]", i), "row."+g.names[f]
		listed = append(listed, javaString(f.Name))
		if f.Text != nil && f.Text.Decimal != form.NoDecimal {
			args, said = append(args, "decimal("+w+")"), append(said, "said("+row+")")
			if f.Absent {
				said[i] = `" -"`
			}
			continue
		}
		if f.Optional && f.Num != nil {
			word := map[bool]string{true: "Signed", false: "Unsigned"}[f.Kind == code.Int]
			args = append(args, fmt.Sprintf("%s.equals(\"-\") ? null : %s(%s)", w, lowered(word), w))
			said = append(said, fmt.Sprintf("(%s == null ? \" -\" : said%s(%s))", row, word, row))
			continue
		}
		switch f.Kind {
		case code.String:
			args, said = append(args, "text("+w+")"), append(said, "said("+row+")")
		case code.Binary:
			args, said = append(args, "binary("+w+")"), append(said, "said("+row+")")
		case code.Uint:
			args, said = append(args, "unsigned("+w+")"), append(said, "saidUnsigned("+row+")")
		case code.Int:
			args, said = append(args, "signed("+w+")"), append(said, "saidSigned("+row+")")
		case code.Bool:
			args, said = append(args, "bool("+w+")"), append(said, "said("+row+")")
		case code.Float:
			args, said = append(args, map[bool]string{true: "number4(", false: "number("}[f.Size == 4]+w+")"), append(said, "said("+row+")")
		case code.Time:
			args, said = append(args, fmt.Sprintf("%s.%sOf(instant(%s))", class, name, w)), append(said, fmt.Sprintf("said(row.%sInstant())", name))
		case code.Literal, code.Salt, code.Hash:
		}
		if f.Absent {
			said[i] = `" -"`
		}
	}
	g.p("/** Holds {@link %s} to files of vectors, which are its arguments: exit 1 and the lines that differ. */", class)
	if o.Standalone { // what is shared stands inside of each
		g.p("public final class %sVectors {", class)
		g.p("  public static void main(String[] files) {\n    RowKeysVectors.main(new Printed(), files);\n  }\n\n  private static final class Printed extends RowKeysVectors {")
	} else {
		g.p("public final class %sVectors extends RowKeysVectors {", class)
		g.p("  public static void main(String[] files) {\n    main(new %sVectors(), files);\n  }\n", class)
	}
	g.p("  @Override\n  String fingerprint() {\n    return %s.FINGERPRINT;\n  }\n", class)
	g.p("  @Override\n  String[] fields() {\n    return new String[] {%s};\n  }\n", strings.Join(listed, ", "))
	g.p("  @Override\n  byte[] encode(String[] w) {\n    return %s.encode(%s);\n  }\n", class, strings.Join(args, ", "))
	g.p("  @Override\n  String decode(byte[] key) {\n    %s row = %s.decode(key);\n    try {\n      return %s;\n    } catch (ArithmeticException | DateTimeException e) {\n      throw new NoValue();\n    }\n  }\n", class, class, strings.Join(said, " + "))
	g.p("  @Override\n  List<RowKeys.Range> ranges(String[] w) {\n    switch (w.length) {")
	for _, p := range s.Prefixes {
		if p.Ranges > 0 {
			g.p("      case %d:\n        return %s.ranges(%s);", p.Fields, class, strings.Join(args[:p.Fields], ", "))
		}
	}
	g.p("      default:\n        return null;\n    }\n  }\n")
	g.p("  @Override\n  byte[][] splits(int regions) {\n    return %s.splits(regions);\n  }\n", class)
	g.p("  @Override\n  int region(byte[] key, byte[][] starts) {\n    return %s.region(key, starts);\n  }\n}", class)
	if err := g.fits(); err != nil {
		return File{}, err
	}
	body, imports := g.String(), "import java.time.DateTimeException;\nimport java.util.List;\n"
	if o.Standalone {
		body = sharedName.ReplaceAllStringFunc(body, func(word string) string {
			if word[0] == '"' { // a field may be called RowKeys.a
				return word
			}
			return class + "." + word
		})
		shared := strings.Replace(vectorsSupport, "abstract class RowKeysVectors", "private abstract static class RowKeysVectors", 1)
		body, imports = body+"\n"+strings.ReplaceAll(shared, "RowKeys.", class+".RowKeys.")+"}\n", imports+vectorsImports
	}
	text := header + o.head() + usedImports(imports, body) + "\n" + body
	return File{Path: class + "Vectors.java", Text: []byte(text)}, nil
}
