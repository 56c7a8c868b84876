package command

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
// and behind another.
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

// costs adds up what rows cost.
type costs struct {
	family     int
	qualifiers []string
	value      int
	block      int // bytes before encoding

	before                cell
	last                  []byte // its row
	begun                 bool
	filled                int // of the block
	cells, blocks         int64
	none, prefix, diff    int64 // bytes
	rowBytes, sharedBytes int64
}

// Timestamps: of two cells of one row all bytes but the last are taken to be
// alike, as written together; of two rows the first 4, as written within 49
// days (2³² ms).
const (
	stampOfRow  = 7
	stampOfRows = 4
)

// add counts the cells of a row.
func (k *costs) add(row []byte) {
	for i, q := range k.qualifiers {
		c := cell{row: row, family: k.family, qualifier: q, value: k.value}
		if k.begun && k.filled < k.block {
			stamp := stampOfRows
			if i > 0 {
				stamp = stampOfRow
			}
			k.prefix += int64(c.prefixNext(k.before))
			k.diff += int64(c.fastDiffNext(k.before, stamp))
			k.sharedBytes += int64(min(max(c.shared(k.before)-2, 0), len(row)))
		} else {
			k.prefix += int64(c.prefixFirst())
			k.diff += int64(c.fastDiffFirst())
			k.filled = 0
			k.blocks++
		}
		k.begun = true
		k.filled += c.whole()
		k.none += int64(c.whole())
		k.rowBytes += int64(len(row))
		k.cells++
		k.before = c
	}
	k.last = append(k.last[:0], row...) // the caller's may change
	k.before.row = k.last
}
