package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// recordLook is how files are shown.
var recordLook = look[Record]{[]string{"package", "size", "date", "path"}, func(r Record) []string {
	return []string{clip(r.Package, 24), fmt.Sprintf("%11s", comma(r.Size)), r.Time.Format(time.DateOnly), clip(r.Path, 40)}
}}

// questions asks for the files of the package that wanted is in, for those of
// all packages whose name begins with prefix, for those about as large as
// wanted, for the largest, and for wanted itself.
func questions(s *store, wanted Record, prefix string) ([]question[Record], error) {
	packages, err1 := packageQuestions(s, wanted.Package, prefix)
	sizes, err2 := sizeQuestions(s, wanted.Size)
	largest, err3 := largestQuestions(s, wanted.Size)
	one, err4 := rowQuestion(s, wanted)
	asked := append(slices.Concat(packages, sizes, largest), one)
	for i := range asked {
		asked[i].looks = recordLook
	}
	return asked, errors.Join(err1, err2, err3, err4)
}

// packageQuestions asks for the files of one package, and of all packages whose name begins
// with prefix.
func packageQuestions(s *store, pkg, prefix string) ([]question[Record], error) {
	onePackage, err1 := files.Scan(rowkey.Eq("package", pkg))
	inTree, err2 := tree.Scan(rowkey.Prefix("package", prefix))
	inFiles, err3 := files.Scan(rowkey.Prefix("package", prefix))
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	underPrefix := func(r Record) bool { return strings.HasPrefix(r.Package, prefix) }
	return []question[Record]{{
		asks: fmt.Sprintf("The files of package %s, largest first", pkg),
		call: scanCall("files", fmt.Sprintf(`rowkey.Eq("package", %q)`, pkg)),
		why: fmt.Sprintf("The salt is computed from the package: one bucket is read, not all %d. "+
			"And as a size is stored as the largest number less itself, the first row is the largest file.", buckets),
		table: s.files,
		plan:  onePackage,
		wants: func(r Record) bool { return r.Package == pkg },
		order: largestFirst,
	}, {
		asks:  fmt.Sprintf("Every package whose name begins with %q", prefix),
		call:  scanCall("tree", fmt.Sprintf(`rowkey.Prefix("package", %q)`, prefix)),
		why:   "In the index table these rows lie side by side, by name.",
		table: s.tree,
		plan:  inTree,
		wants: underPrefix,
		order: byName,
	}, {
		asks: "The same without the index table",
		call: scanCall("files", fmt.Sprintf(`rowkey.Prefix("package", %q)`, prefix)),
		why: fmt.Sprintf("The beginning of a name does not tell the salt, which is computed from the whole name. "+
			"So this takes %d scans, one a bucket: the price of a salt, and why there is an index table. "+
			"Merge runs the scans together and puts their rows in order, as if there were no salt.", inFiles.Len()),
		table: s.files,
		plan:  inFiles,
		wants: underPrefix,
		order: byPackage,
	}}, nil
}

// sizeQuestions asks for the files about as large as size.
func sizeQuestions(s *store, size uint64) ([]question[Record], error) {
	from, to := window(size)
	_, refusal := files.Scan(rowkey.AtLeast("size", from), rowkey.LessThan("size", to))
	permitted, err1 := files.Scan(rowkey.AtLeast("size", from), rowkey.LessThan("size", to), rowkey.FullScan())
	bySize, err2 := sizes.Scan(rowkey.AtLeast("size", from), rowkey.LessThan("size", to))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if !errors.Is(refusal, rowkey.ErrFullScan) {
		return nil, fmt.Errorf("a query by size on files: %v in place of %w", refusal, rowkey.ErrFullScan)
	}
	inWindow := func(r Record) bool { return from <= r.Size && r.Size < to }
	atLeast := fmt.Sprintf(`rowkey.AtLeast("size", %d)`, from)
	lessThan := fmt.Sprintf(`rowkey.LessThan("size", %d)`, to)
	return []question[Record]{{
		asks:    fmt.Sprintf("All files of %s to %s bytes", comma(from), comma(to-1)),
		refused: scanCall("files", atLeast, lessThan),
		refusal: refusal.Error(),
		call:    scanCall("files", atLeast, lessThan, "rowkey.FullScan()"),
		why: "In files a size stands after its package, so rows of one size lie all over the table, and a query without a package " +
			"would read all of it. That is refused, not done in silence; FullScan permits it. Every row is read then, " +
			"and Match picks those wanted out:",
		table: s.files,
		plan:  permitted,
		wants: inWindow,
		order: byPackage,
		spare: s.files.rows.Len(),
	}, {
		asks: "The same by an index table",
		call: scanCall("sizes", atLeast, lessThan),
		why: "The explanation above says what is missing: a layout that has size first. That is sizes, where the question needs no permission. " +
			"Its salt spreads the rows of each size over all buckets, so every bucket has a range, but in the ranges is no row that is not wanted. " +
			"They come largest first, whichever bucket they are from:",
		table: s.sizes,
		plan:  bySize,
		wants: inWindow,
		order: largestOfAll,
	}}, nil
}

// largestQuestions asks for the largest files of all, and, page by page, for those that are not
// much smaller than size.
func largestQuestions(s *store, size uint64) ([]question[Record], error) {
	from, _ := window(size)
	least := max(1, from/10)
	const largest, manyPages = 5, 10_000
	// The pages of a large file are longer, so that there are not too many of them.
	pageRows := max(10, s.sizes.rows.Len()/manyPages)
	everything, err1 := sizes.Scan(rowkey.FullScan())
	large, err2 := sizes.Scan(rowkey.AtLeast("size", least))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return []question[Record]{{
		asks: fmt.Sprintf("The %d largest files of all", largest),
		call: scanCall("sizes", "rowkey.FullScan()") + fmt.Sprintf(" // and, of the plan, Limit(%d)", largest),
		why: fmt.Sprintf("This is no condition at all, hence FullScan. But the largest come first, and Limit stops Merge after %d: "+
			"it reads two rows of each bucket, to see that they are in order, and then one more for each row that it passes on.", largest),
		table: s.sizes,
		plan:  everything.Limit(largest),
		wants: func(Record) bool { return true },
		order: largestOfAll,
		first: largest,
		spare: 2*buckets - 1,
	}, {
		asks: fmt.Sprintf("All files of %s bytes or more, %d a page", comma(least), pageRows),
		call: fmt.Sprintf("plan, err := %s\n"+
			"rows, next, done, err := scan.Page(ctx, plan.Limit(%d), token, 1, open, rowKey)\n"+
			"// token is nil for the first page, and for the one after it what next was here",
			scanCall("sizes", fmt.Sprintf(`rowkey.AtLeast("size", %d)`, least)), pageRows),
		why:   pagesWhy(),
		table: s.sizes,
		plan:  large,
		page:  pageRows,
		wants: func(r Record) bool { return r.Size >= least },
		order: largestOfAll,
		spare: 2 * buckets,
	}}, nil
}

// rowQuestion asks for one file.
func rowQuestion(s *store, wanted Record) (question[Record], error) {
	oneRow, err := files.Scan(rowkey.Eq("package", wanted.Package), rowkey.Eq("size", wanted.Size),
		rowkey.Eq("path", wanted.Path), rowkey.Eq("time", wanted.Time))
	return question[Record]{
		asks: fmt.Sprintf("One row: %s", wanted.Path),
		call: scanCall("files", `rowkey.Eq("package", r.Package)`, `rowkey.Eq("size", r.Size)`,
			`rowkey.Eq("path", r.Path)`, `rowkey.Eq("time", r.Time)`),
		why:   "With every field known there is a whole key (Plan.Keys), to be got without a scan.",
		table: s.files,
		plan:  oneRow,
		get:   true,
		wants: func(r Record) bool { return r == wanted },
		order: byName,
	}, err
}

// window is the sizes with as many digits as size: from ≤ size < to.
func window(size uint64) (from, to uint64) {
	from = 1
	for size/from >= 10 {
		from *= 10
	}
	if from > math.MaxUint64/10 {
		return from, math.MaxUint64
	}
	return from, 10 * from
}

// largestFirst is the order of one package's rows in files.
func largestFirst(a, b Record) int {
	return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Path, b.Path), a.Time.Compare(b.Time))
}

// byPackage is the order of files without its salt.
func byPackage(a, b Record) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), largestFirst(a, b))
}

// byName is the order of tree.
func byName(a, b Record) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Size, b.Size), a.Time.Compare(b.Time))
}

// largestOfAll is the order of sizes without its salt.
func largestOfAll(a, b Record) int {
	return cmp.Or(cmp.Compare(b.Size, a.Size), byName(a, b))
}
