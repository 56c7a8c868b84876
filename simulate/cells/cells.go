// Package cells counts what cells of HBase cost in its files, with and without a
// data block encoding.
package cells

// What a cell costs on disk, by HBase's formats. Facts, with their classes:
//
// A KeyValue is 4 bytes of key length, 4 of value length, the key, the value;
// its key is 2 bytes of row length, the row, 1 byte of family length, the
// family, the qualifier, 8 bytes of timestamp, 1 of type (KeyValue).
//
// PREFIX (PrefixKeyDeltaEncoder) writes the key's length less what it shares
// with the key before, the value's length and what it shares, each 7 bits a
// byte, then the rest of the key and the value. FAST_DIFF (FastDiffDeltaEncoder)
// writes a byte of flags, the lengths only where they differ from the cell
// before, what is shared, the rest of row and qualifier without the family, the
// timestamp without its first bytes that are alike (at most 7), the type only
// where it differs, and the value unless it is the same.
//
// What two keys share is counted from the first byte of the row's length, so
// that rows of different lengths share 0 or 1 byte of it and nothing of
// themselves (PrivateCellUtil.findCommonPrefixInFlatKey).
//
// The first cell of a block is whole. A block ends with the cell that brings
// it, before encoding, to 64 KiB (HColumnDescriptor's BLOCKSIZE).

const (
	lengths    = 4 + 4 // of key and value
	stampBytes = 8
	typeBytes  = 1
)

// cell is what the sizes depend on: values are taken to differ, types to be
// alike.
type cell struct {
	row       []byte
	family    int
	qualifier string
	value     int
}

// key is the length of a cell's key.
func (c cell) key() int {
	return 2 + len(c.row) + 1 + c.family + len(c.qualifier) + stampBytes + typeBytes
}

// whole is the size of a cell that is not encoded.
func (c cell) whole() int { return lengths + c.key() + c.value }

// shared is how much of a cell's key the key before has too, up to the
// timestamp, whose bytes are counted apart.
func (c cell) shared(before cell) int {
	if len(c.row) != len(before.row) {
		if len(c.row)>>8 == len(before.row)>>8 {
			return 1
		}
		return 0
	}
	n := 2 + common(c.row, before.row)
	if n < 2+len(c.row) {
		return n
	}
	return n + 1 + c.family + common([]byte(c.qualifier), []byte(before.qualifier))
}

func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// varint is the bytes of a number in 7 bits each.
func varint(n int) int {
	size := 1
	for ; n > 0x7f; n >>= 7 {
		size++
	}
	return size
}

// prefixFirst and prefixNext are a cell's size in PREFIX: the first of a block,
// and after another.
func (c cell) prefixFirst() int { return varint(c.key()) + varint(c.value) + 1 + c.key() + c.value }

func (c cell) prefixNext(before cell) int {
	n := c.shared(before)
	return varint(c.key()-n) + varint(c.value) + varint(n) + c.key() - n + c.value
}

// fastDiffFirst and fastDiffNext are a cell's size in FAST_DIFF. stamp is how
// many bytes the timestamps share.
func (c cell) fastDiffFirst() int { return 1 + c.prefixFirst() }

func (c cell) fastDiffNext(before cell, stamp int) int {
	n := c.shared(before)
	size := 1 + varint(n) + stampBytes - stamp + c.value
	if c.key() != before.key() {
		size += varint(c.key())
	}
	if c.value != before.value {
		size += varint(c.value)
	}
	if row := 2 + len(c.row); n < row {
		return size + row - n + len(c.qualifier) // the family is left out
	}
	return size + len(c.qualifier) - (n - 2 - len(c.row) - 1 - c.family)
}

// Costs adds up what the cells of rows cost in HBase's files. Its rows are added
// in key order, each once.
type Costs struct {
	Family     int      // bytes of the column family's name
	Qualifiers []string // of the cells of each row
	Value      int      // bytes of each value
	Block      int      // bytes of a block before encoding, the family's BLOCKSIZE

	Cells, Blocks          int64
	None, Prefix, FastDiff int64 // bytes of all cells in each data block encoding
	RowBytes               int64 // of the keys, in each of their cells
	SharedBytes            int64 // of these, what PREFIX leaves out

	before cell
	last   []byte // its row
	begun  bool
	filled int // of the block
}

// Gap says that rows were left out before the next one: a block begins there.
func (k *Costs) Gap() { k.begun = false }

// Each is the mean bytes of a cell in each encoding; 0 before the first row.
func (k *Costs) Each() (none, prefix, fastDiff float64) {
	n := float64(max(k.Cells, 1))
	return float64(k.None) / n, float64(k.Prefix) / n, float64(k.FastDiff) / n
}

// Timestamps: of two cells of one row all bytes but the last are taken to be
// alike, as written together; of two rows the first 4, as written within 49
// days (2³² ms).
const (
	stampOfRow  = 7
	stampOfRows = 4
)

// Add counts the cells of a row.
func (k *Costs) Add(row []byte) {
	for i, q := range k.Qualifiers {
		c := cell{row: row, family: k.Family, qualifier: q, value: k.Value}
		if k.begun && k.filled < k.Block {
			stamp := stampOfRows
			if i > 0 {
				stamp = stampOfRow
			}
			k.Prefix += int64(c.prefixNext(k.before))
			k.FastDiff += int64(c.fastDiffNext(k.before, stamp))
			k.SharedBytes += int64(min(max(c.shared(k.before)-2, 0), len(row)))
		} else {
			k.Prefix += int64(c.prefixFirst())
			k.FastDiff += int64(c.fastDiffFirst())
			k.filled = 0
			k.Blocks++
		}
		k.begun = true
		k.filled += c.whole()
		k.None += int64(c.whole())
		k.RowBytes += int64(len(row))
		k.Cells++
		k.before = c
	}
	k.last = append(k.last[:0], row...) // the caller's may change
	k.before.row = k.last
}
