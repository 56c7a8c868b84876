package said

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
)

// saltRules are the rules by which other programs make buckets, and digests that they take.
var saltRules = slices.Concat([]string{""}, digest.RuleNames(), []string{"md5.raw(4)", "md5.raw(8)", "md5.raw(16)", "crc32.raw(4)", "sha1.raw(4)", "sha256.raw(4)"})

var hashes = []string{"md5", "sha1", "sha256", "sha512", "crc32", "murmur3", "javahashcode"}

var (
	saltForm = pattern.New(`^\[salt(\d+)(\(.*?\)+)((?: [^ ]+)*)\]$`)
	hashForm = pattern.New(`^\[(` + strings.Join(hashes, "|") + `)(\.(?:hex|raw)\(\d+\)(?:\.upper)?)(\(.*)\]$`)
)

// Sum is a schema in which one salt is computed by another rule or has another number of buckets, or
// one hash is of another digest.
type Sum struct {
	Field  rowkey.FieldInfo // the salt or the hash, in Schema
	Word   string           // what differs: "javahashabs", "salt50", "salt50 javahash", "sha1"
	Piece  string           // in the notation
	Schema *rowkey.Schema
}

// OtherSums yields the same layout with another rule of a salt or another digest of a hash, and of
// half, twice and four times as many buckets if that is asked. The numbers of buckets that the
// schema has come first.
func OtherSums(s *rowkey.Schema, buckets bool) iter.Seq[Sum] {
	return func(yield func(Sum) bool) {
		for i, f := range slices.Collect(s.Fields()) {
			before, after, _ := strings.Cut(s.String(), f.Notation)
			if f.Kind != "salt" && f.Kind != "hash" || i > 0 && before == "" {
				continue
			}
			for _, o := range sumsLike(f.Notation, buckets) {
				if o.Piece == f.Notation {
					continue
				}
				t, err := rowkey.Parse("", before+o.Piece+after)
				if err != nil {
					continue
				}
				o.Field, o.Schema = slices.Collect(t.Fields())[i], t
				if !yield(o) {
					return
				}
			}
		}
	}
}

// sumsLike are a salt by each rule, or a part of each digest.
func sumsLike(piece string, buckets bool) (out []Sum) {
	if m := saltForm.FindStringSubmatch(piece); m != nil {
		kept, own := "", ""
		for _, o := range strings.Fields(m[3]) {
			if slices.Contains(saltRules, o) {
				own = o
			} else {
				kept += " " + o
			}
		}
		for _, n := range numbersLike(m[1], buckets) {
			for _, rule := range append([]string{own}, slices.DeleteFunc(slices.Clone(saltRules), func(r string) bool { return r == own })...) {
				word := rule
				switch {
				case n != m[1] && rule == own:
					word = "salt" + n
				case rule == "":
					word = "murmur3" // which the notation leaves out
				}
				if n != m[1] && rule != own {
					word = "salt" + n + " " + word
				}
				out = append(out, Sum{Word: word, Piece: "[" + strings.TrimRight(fmt.Sprintf("salt%s%s %s", n, m[2], rule), " ") + kept + "]"})
			}
		}
	}
	if m := hashForm.FindStringSubmatch(piece); m != nil {
		for _, h := range hashes {
			out = append(out, Sum{Word: h, Piece: "[" + h + m[2] + m[3] + "]"})
		}
	}
	return out
}

// numbersLike are a number of buckets, and half, twice and four times as many if that is asked.
func numbersLike(text string, others bool) []string {
	n, err := strconv.Atoi(text)
	if !others || err != nil {
		return []string{text}
	}
	out := []string{text}
	if n%2 == 0 && n > 2 {
		out = append(out, strconv.Itoa(n/2))
	}
	return append(out, strconv.Itoa(2*n), strconv.Itoa(4*n))
}
