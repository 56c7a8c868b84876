package notation

import (
	"slices"
	"strings"
)

// Word is the name of an option: in a notation, in errors, in completion. It is
// its name in Go in lower case.
type Word string

const (
	Width         Word = "width"
	Digits        Word = "digits"
	HexDigits     Word = "hexdigits"
	Decimal       Word = "decimal"
	Varint        Word = "varint"
	Numeric       Word = "numeric"
	Precision     Word = "precision"
	Unsigned      Word = "unsigned"
	Desc          Word = "desc"
	Reverse       Word = "reverse"
	ReverseRune   Word = "reverserune"
	ReverseLabels Word = "reverselabels"
	ReversePart   Word = "reversepart"
	UUID          Word = "uuid"
	Via           Word = "via"
	Fixed         Word = "fixed"
	Pad           Word = "pad"
	PadLeft       Word = "padleft"
	Escaped       Word = "escaped"
	LenPrefix     Word = "lenprefix"
	BlobCopy      Word = "blobcopy"
	Left          Word = "left"
	Right         Word = "right"
	Truncate      Word = "truncate"
	Below         Word = "below"
	Years         Word = "years"
	OneOf         Word = "oneof"
	Codes         Word = "codes"
	Chars         Word = "chars"
	MinLen        Word = "minlen"
	Bucket        Word = "bucket"
	Loose         Word = "loose"
	NotStored     Word = "notstored"
	Optional      Word = "optional"
	Letters       Word = "letters"
	Named         Word = "named"
	MaxLen        Word = "maxlen"

	// These four are no words of the notation. Errors use them for options that have
	// several words: ms, md5.raw(4), phoenix, javahash.
	UnitOption    Word = "unit"
	PartOption    Word = "part"
	DialectOption Word = "dialect"
	RuleOption    Word = "rule"
)

// Args is what arguments a word has.
type Args uint8

const (
	NoArgs     Args = iota // desc
	OneNumber              // width(4): Option.N
	TwoNumbers             // years(2000,2100): N and M
	NumberByte             // pad(5,'x'): N and Byte
	OneText                // chars("ab"): Text
	OneName                // named(bucket): Text
	ADuration              // truncate(1h0m0s): Duration
	ABound                 // below(16): Bound
	ManyTexts              // oneof("a","b"): List
	ManyPairs              // codes("a":"b"): Pairs
)

// Stage is the step from value to bytes at which an option acts.
type Stage uint8

const (
	OnWhole  Stage = iota // the component as a whole
	OnValue               // which values are allowed
	OnNumber              // how a number is written
	OnBytes               // a change of the bytes written so far
	OnEnd                 // how the bytes end
	OnSalt                // how a bucket is computed and written
	OnSchema              // the whole schema: an option of New
)

// Kinds is a set of kinds of components, and New: what an option fits.
type Kinds uint16

const (
	FitsString Kinds = 1 << iota
	FitsBinary
	FitsUint
	FitsInt
	FitsFloat
	FitsBool
	FitsTime
	FitsCopy // a copy of one of the other kinds in the set; if the set has no others, any copy
	FitsSalt
	FitsHash
	FitsNew
)

// Sets that several options share.
const (
	fitsText   = FitsString | FitsBinary | FitsCopy
	fitsNumber = FitsUint | FitsInt | FitsTime | FitsCopy
	fitsCount  = FitsUint | FitsTime | FitsCopy
	fitsMost   = FitsString | FitsBinary | FitsUint | FitsInt | FitsTime | FitsCopy
	fitsField  = FitsString | FitsBinary | FitsUint | FitsInt | FitsFloat | FitsBool | FitsTime
	fitsAny    = fitsField | FitsCopy
)

// Info is all that is known of one option. Parse, the printer, completion, the errors of
// Build and docs/notation.md use it.
type Info struct {
	Word    Word
	Go      string // its name in package rowkey; interop.JavaHash is one of package interop
	Args    Args
	Expects [2]string // what Parse says that it expects for each number
	Fits    Kinds     // in some dialect
	Stage   Stage
	Meaning string // in one line
	Remedy  string // for the error that it does not fit: what it fits, and what to use elsewhere
	Stacks  bool   // it may stand more than once on one component
	GoOnly  bool   // String prints it, but Parse cannot read it
	Of      Word   // for one of several words of an option: the word by which errors name that option
}

const (
	onWholeUnits = "it fits a Uint or a Time, but not of OrderedBytes; an Int has Decimal"
	onListed     = "it fits a String or a Binary; a number has Below"
	onDigits     = "it fits a text, and a number after Digits"
	onCopies     = "it fits the Copy of a text"
)

// Options are the words that may stand in a component after its head, or before the first
// component, in the order in which the documents show them.
var Options = []Info{
	{Word: Width, Go: "Width", Args: OneNumber, Expects: [2]string{"bytes"}, Fits: fitsNumber | FitsSalt, Stage: OnNumber,
		Meaning: "the number in n bytes, big-endian: 7 in 3 bytes is 00 00 07",
		Remedy:  "it fits a Uint, an Int or a Time without a dialect, or of HBase; a text has Fixed"},
	{Word: Digits, Go: "Digits", Args: OneNumber, Expects: [2]string{"how many digits"}, Fits: fitsCount | FitsSalt, Stage: OnNumber,
		Meaning: "the number in n decimal digits: 7 in 3 digits is 30 30 37", Remedy: onWholeUnits},
	{Word: HexDigits, Go: "HexDigits", Args: OneNumber, Expects: [2]string{"how many digits"}, Fits: fitsCount, Stage: OnNumber,
		Meaning: "the number in n hexadecimal digits: 255 in 4 digits is 30 30 66 66", Remedy: onWholeUnits},
	{Word: Decimal, Go: "Decimal", Fits: fitsNumber | FitsSalt, Stage: OnNumber,
		Meaning: "the number in as many decimal digits as it has: 12 is 31 32",
		Remedy:  "it fits a Uint, an Int or a Time without a dialect, or of HBase; the others have Numeric"},
	{Word: Varint, Go: "Varint", Fits: FitsUint | FitsCopy, Stage: OnNumber,
		Meaning: "the number in 1 to 9 bytes that sort, the small ones in few: 300 is 81 2c",
		Remedy:  "it fits a Uint without a dialect, or of HBase"},
	{Word: Numeric, Go: "interop.Numeric", Fits: FitsString | FitsUint | FitsInt | FitsCopy, Stage: OnNumber,
		Meaning: "a decimal number of any size that sorts, in the bytes of the dialect",
		Remedy:  "it fits a String, a Uint or an Int of OrderedBytes or Phoenix"},
	{Word: Precision, Go: "interop.Precision", Args: TwoNumbers, Expects: [2]string{"digits in all", "digits after the point"}, Fits: FitsString | FitsUint | FitsInt | FitsCopy, Stage: OnValue,
		Meaning: "numbers of DECIMAL(n,m) only: n digits in all, m of them after the point",
		Remedy:  "it fits a Numeric, of OrderedBytes or Phoenix"},
	{Word: Unsigned, Go: "interop.Unsigned", Fits: FitsFloat | FitsTime | FitsCopy, Stage: OnNumber,
		Meaning: "Phoenix's UNSIGNED_ types: nothing below 0",
		Remedy:  "it fits a Float or a Time of Phoenix, in whole units"},
	{Word: Desc, Go: "Desc", Fits: fitsAny, Stage: OnNumber,
		Meaning: "sorts backward: the largest of the type − v, or every byte XOR ff; a Bool only in Phoenix"},
	{Word: Reverse, Go: "Reverse", Fits: fitsMost | FitsFloat, Stage: OnBytes, Stacks: true,
		Meaning: "the bytes, last first: 61 62 is 62 61",
		Remedy:  "it fits a text, and a number that is not of OrderedBytes or Phoenix"},
	{Word: ReverseRune, Go: "ReverseRune", Fits: fitsMost, Stage: OnBytes, Stacks: true,
		Meaning: "the characters, last first: c3 a9 61 is 61 c3 a9", Remedy: onDigits},
	{Word: ReverseLabels, Go: "ReverseLabels", Args: OneText, Fits: fitsMost, Stage: OnBytes, Stacks: true,
		Meaning: "the labels between separators, last first: a.b.c is c.b.a", Remedy: onDigits},
	{Word: ReversePart, Go: "ReversePart", Args: TwoNumbers, Expects: [2]string{"the first byte", "the byte after the last"}, Fits: fitsMost, Stage: OnBytes, Stacks: true,
		Meaning: "the bytes from n to m, last first; the others stay", Remedy: onDigits},
	{Word: UUID, Go: "UUID", Fits: FitsString | FitsCopy, Stage: OnBytes,
		Meaning: "the 36 characters of a UUID in 16 bytes",
		Remedy:  "it fits a String; of 16 bytes say Binary and Fixed(16)"},
	{Word: Via, Go: "Via", Args: OneText, Fits: fitsAny | FitsSalt, Stage: OnBytes, Stacks: true, GoOnly: true,
		Meaning: "what a Transform, written in Go, makes of the bytes"},
	{Word: Left, Go: "Left", Args: OneNumber, Expects: [2]string{"bytes"}, Fits: FitsCopy, Stage: OnBytes, Stacks: true,
		Meaning: "the first n bytes, or all of fewer", Remedy: onCopies},
	{Word: Right, Go: "Right", Args: OneNumber, Expects: [2]string{"bytes"}, Fits: FitsCopy, Stage: OnBytes, Stacks: true,
		Meaning: "the last n bytes, or all of fewer", Remedy: onCopies},
	{Word: Fixed, Go: "Fixed", Args: OneNumber, Expects: [2]string{"bytes"}, Fits: fitsAny, Stage: OnEnd,
		Meaning: "exactly n bytes"},
	{Word: Pad, Go: "Pad", Args: NumberByte, Expects: [2]string{"bytes"}, Fits: fitsAny, Stage: OnEnd,
		Meaning: "filled on the right to n bytes: 61 in 3 bytes with 00 is 61 00 00"},
	{Word: PadLeft, Go: "PadLeft", Args: NumberByte, Expects: [2]string{"bytes"}, Fits: fitsAny, Stage: OnEnd,
		Meaning: "filled on the left to n bytes: 37 in 3 bytes with 30 is 30 30 37"},
	{Word: Escaped, Go: "Escaped", Fits: fitsAny, Stage: OnEnd,
		Meaning: "any bytes, 00 written as 00 ff, ended by 00 01"},
	{Word: LenPrefix, Go: "LenPrefix", Args: OneNumber, Expects: [2]string{"bytes"}, Fits: fitsAny, Stage: OnEnd,
		Meaning: "the length in n bytes first: 61 62 in 1 byte is 02 61 62"},
	{Word: BlobCopy, Go: "interop.BlobCopy", Fits: FitsBinary | FitsCopy, Stage: OnEnd,
		Meaning: "OrderedBytes' blob that sorts: the bytes as they are, last only",
		Remedy:  "it fits a Binary of OrderedBytes"},
	{Word: Truncate, Go: "Truncate", Args: ADuration, Fits: FitsTime | FitsCopy, Stage: OnValue,
		Meaning: "the time rounded down to a multiple of a duration", Remedy: "it fits a Time"},
	{Word: Below, Go: "Below", Args: ABound, Fits: fitsNumber, Stage: OnValue,
		Meaning: "the numbers 0 … n−1 only",
		Remedy:  "it fits a Uint, an Int or a Time in whole units; a text has OneOf, a Layout Years"},
	{Word: Years, Go: "Years", Args: TwoNumbers, Expects: [2]string{"the first year", "the last year"}, Fits: FitsTime | FitsCopy, Stage: OnValue,
		Meaning: "times of these years only, by UTC", Remedy: "it fits a Time; a number has Below, a text OneOf"},
	{Word: OneOf, Go: "OneOf", Args: ManyTexts, Fits: fitsText, Stage: OnValue,
		Meaning: "these texts only", Remedy: onListed},
	{Word: Codes, Go: "Codes", Args: ManyPairs, Fits: fitsText, Stage: OnValue,
		Meaning: "these texts only, each written as its code", Remedy: onListed},
	{Word: Chars, Go: "Chars", Args: OneText, Fits: fitsText, Stage: OnValue,
		Meaning: "texts of these bytes only", Remedy: onListed},
	{Word: MinLen, Go: "MinLen", Args: OneNumber, Expects: [2]string{"bytes"}, Fits: fitsText, Stage: OnValue,
		Meaning: "texts of at least n bytes", Remedy: "it fits a String or a Binary"},
	{Word: Bucket, Go: "Bucket", Fits: FitsString | FitsBinary | FitsUint | FitsInt | FitsBool | FitsTime, Stage: OnWhole,
		Meaning: "a leading field of few values that the writer chooses: read as a salt is"},
	{Word: Loose, Go: "Loose", Fits: fitsMost, Stage: OnWhole,
		Meaning: "a legacy table's value, which may hold its separator or has no end",
		Remedy:  "it fits a field without a dialect, or of HBase; in the others a field ends itself"},
	{Word: NotStored, Go: "NotStored", Fits: fitsAny, Stage: OnWhole,
		Meaning: "not in the key: the value only feeds a salt, a hash or a copy"},
	{Word: Optional, Go: "Optional", Fits: FitsString | FitsBinary | FitsUint | FitsInt, Stage: OnWhole,
		Meaning: "may be null, in the way of the dialect",
		Remedy:  "it fits a field of OrderedBytes or Phoenix; other keys have no null"},
	{Word: Letters, Go: "Letters", Args: OneText, Fits: FitsSalt, Stage: OnSalt,
		Meaning: "the bucket as the letter at its number", Remedy: "it fits a Salt"},
	{Word: Named, Go: "Named", Args: OneName, Fits: FitsSalt | FitsHash, Stage: OnWhole,
		Meaning: "a name for a salt or a hash", Remedy: "it fits a Salt or a Hash; a field has its name"},

	{Word: "javahash", Go: "interop.JavaHash", Fits: FitsSalt, Stage: OnSalt, Of: RuleOption, Meaning: "(String.hashCode() & 0x7fffffff) % n"},
	{Word: "javahashabs", Go: "interop.JavaHashAbs", Fits: FitsSalt, Stage: OnSalt, Of: RuleOption, Meaning: "Math.abs(String.hashCode()) % n"},
	{Word: "javahashfloor", Go: "interop.JavaHashFloor", Fits: FitsSalt, Stage: OnSalt, Of: RuleOption, Meaning: "Math.floorMod(String.hashCode(), n)"},
	{Word: "javahashmodabs", Go: "interop.JavaHashModAbs", Fits: FitsSalt, Stage: OnSalt, Of: RuleOption, Meaning: "Math.abs(String.hashCode() % n)"},
	{Word: "phoenixhash", Go: "interop.PhoenixHash", Fits: FitsSalt, Stage: OnSalt, Of: RuleOption, Meaning: "Math.abs(h % n), h = 31h + b over the bytes, from 1"},
	{Word: "hbasewdhash", Go: "interop.HBaseWDHash", Fits: FitsSalt, Stage: OnSalt, Of: RuleOption, Meaning: "Math.abs(h) % n, h as for phoenixhash"},
	{Word: "pinpointhash", Go: "interop.PinpointHash", Fits: FitsSalt, Stage: OnSalt, Of: RuleOption, Meaning: "(h & 0x7fffffff) % n, h as for phoenixhash"},
	{Word: "modulo", Go: "Modulo", Fits: FitsSalt, Stage: OnSalt, Of: RuleOption, Meaning: "the number itself mod n, never negative"},

	{Word: MaxLen, Go: "MaxLen", Args: OneNumber, Expects: [2]string{"the longest key in bytes"}, Fits: FitsNew, Stage: OnSchema,
		Meaning: "the longest key in bytes", Remedy: "it fits New; a text has Fixed and Pad"},
	{Word: "hbase", Go: "interop.HBase", Fits: FitsUint | FitsInt | FitsFloat | FitsBool | FitsTime | FitsCopy | FitsNew, Stage: OnWhole, Of: DialectOption, Meaning: "the bytes of HBase's Bytes.toBytes"},
	{Word: "orderedbytes", Go: "interop.OrderedBytes", Fits: fitsAny | FitsNew, Stage: OnWhole, Of: DialectOption, Meaning: "the bytes of HBase's OrderedBytes"},
	{Word: "phoenix", Go: "interop.Phoenix", Fits: fitsAny | FitsNew, Stage: OnWhole, Of: DialectOption, Meaning: "the bytes of Phoenix's primary keys"},
}

// several has the remedies of the options that have several words.
var several = map[Word]string{
	DialectOption: "HBase writes a text as it is: leave it out",
	PartOption:    "it fits a Salt; of a field say Hash",
	RuleOption:    "it fits a Salt",
	"nil":         "it is no option: leave it out",
}

// byWord finds an option.
var byWord = func() map[Word]*Info {
	m := make(map[Word]*Info, len(Options))
	for i := range Options {
		m[Options[i].Word] = &Options[i]
	}
	return m
}()

// stands is the option with this word, if a notation may have it in a component; else nil.
func stands(w Word) *Info {
	if o := byWord[w]; o != nil && o.Fits != FitsNew && !o.GoOnly {
		return o
	}
	return nil
}

// Words are the words of all options that a notation may have in a component, sorted.
func Words() (words []string) {
	for i := range Options {
		if o := &Options[i]; o.Fits != FitsNew && !o.GoOnly {
			words = append(words, string(o.Word))
		}
	}
	slices.Sort(words)
	return words
}

// wordsOf are the words of one option that has several, in their order.
func wordsOf(option Word) (words []string) {
	for i := range Options {
		if Options[i].Of == option {
			words = append(words, string(Options[i].Word))
		}
	}
	return words
}

// Misfit says that an option does not fit a kind of component, and what it fits. layout
// reports that the component is a time with a Layout.
func (w Word) Misfit(kind string, layout bool) string {
	article := "a "
	if strings.ContainsRune("aeio", rune(kind[0])) {
		article = "an "
	}
	text := "option " + string(w) + " does not fit " + article + kind
	switch w {
	case Truncate, Digits, HexDigits, Decimal:
		if layout {
			return text + " with a Layout, which has its own resolution and digits"
		}
	}
	remedy := several[w]
	if o := byWord[w]; o != nil {
		remedy = o.Remedy
	}
	if remedy != "" {
		text += ": " + remedy
	}
	return text
}

// Option is the word by which errors name the option: "dialect" for phoenix; for most words
// the word itself.
func (w Word) Option() Word {
	if o := byWord[w]; o != nil && o.Of != "" {
		return o.Of
	}
	return w
}

// Takes reports that an option may fit a kind of field. Of what changes the bytes of any value, more than the kind
// decides.
func (w Word) Takes(k Kinds) bool {
	o := byWord[w]
	return o == nil || o.Stage != OnNumber && o.Stage != OnValue || o.Fits&k != 0
}

// InGo is the option's name in the package.
func (w Word) InGo() string { return byWord[w].Go }

// Stacks reports that an option may stand more than once on one component.
func (w Word) Stacks() bool {
	o := byWord[w]
	return o != nil && o.Stacks
}
