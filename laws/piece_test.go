package laws

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hbase-rowkey/rowkey"
)

// What a program is told of a key, whole or broken.
func TestPieces(t *testing.T) {
	key, err := trades.Key().String("s-42").Time(tradedAt).Uint(7).Bytes()
	require.NoError(t, err)
	zone := time.FixedZone("", 8*3600)
	whole := []rowkey.Piece{
		{Name: "salt", Notation: "[salt16(seller)]", Bytes: key[:1], Text: "bucket 12 of 16"},
		{Name: "seller", Notation: "[seller]", Offset: 1, Bytes: key[1:5], Value: "s-42", Text: `"s-42"`},
		{Notation: "['_']", Offset: 5, Bytes: key[5:6]},
		{Name: "at", Notation: "[max-ms(at)]", Offset: 6, Bytes: key[6:14], Value: tradedAt.UTC(), Text: "2023-05-16T10:20:30+08:00"},
		{Name: "order", Notation: "[order:8]", Offset: 14, Bytes: key[14:], Value: uint64(7), Text: "7"},
	}
	got, err := trades.Pieces(key, zone)
	require.NoError(t, err)
	assert.Equal(t, whole, got)

	// They are no part of the caller's key.
	mine := bytes.Clone(key)
	got, err = trades.Pieces(mine, zone)
	require.NoError(t, err)
	clear(mine)
	assert.Equal(t, whole, got)
	_ = append(got[0].Bytes, "xxxxx"...)
	assert.Equal(t, whole, got, "nor of each other")

	// No zone is UTC.
	got, err = trades.Pieces(key, nil)
	require.NoError(t, err)
	assert.Equal(t, "2023-05-16T02:20:30Z", got[3].Text)

	// Another salt.
	salted := bytes.Clone(key)
	salted[0] = 13
	got, err = trades.Pieces(salted, nil)
	assert.ErrorIs(t, err, rowkey.ErrDerived)
	assert.Equal(t, rowkey.Piece{Name: "salt", Notation: "[salt16(seller)]", Bytes: []byte{13}, Problem: "wrong: bucket 13, the fields give bucket 12"}, got[0])
	assert.Len(t, got, 5)

	// Broken, too long, and nothing at all.
	for _, c := range []struct {
		key  []byte
		last rowkey.Piece
		n    int
	}{
		{key[:9], rowkey.Piece{Offset: 6, Bytes: key[6:9], Problem: "expected here: [max-ms(at)]"}, 4},
		{append(bytes.Clone(key), 0xff), rowkey.Piece{Offset: 22, Bytes: []byte{0xff}, Problem: "bytes left over"}, 6},
		{nil, rowkey.Piece{Problem: "expected here: [salt16(seller)]"}, 1},
	} {
		got, err := trades.Pieces(c.key, nil)
		var e *rowkey.Error
		require.ErrorAs(t, err, &e, "%x", c.key)
		require.Len(t, got, c.n, "%x", c.key)
		last := got[len(got)-1]
		if len(last.Bytes) == 0 {
			last.Bytes = nil
		}
		assert.Equal(t, c.last, last, "%x", c.key)
	}
}

// A key that breaks off behind a salt says of bytes that they are no bucket, such as −48 in two digits.
func TestPiecesOfNoBucket(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[salt100(device) digits(2)]['_'][device]"))
	for key, want := range map[string]string{"-48_dev": "wrong: no bucket of 100", "48-_dev": "", "x": ""} {
		got, err := s.Pieces([]byte(key), nil)
		assert.ErrorIs(t, err, rowkey.ErrMalformed, key)
		assert.Equal(t, want, strings.TrimPrefix(got[0].Problem, "expected here: [salt100(device) digits(2)]"), key)
	}
}

// Of what is not stored, null, or broken in itself.
func TestPiecesOfEveryKind(t *testing.T) {
	s := rowkey.Must(rowkey.Parse("t", "[md5.hex(4)(uid)][uid notstored][day:2 digits(3)]"))
	got, err := s.Pieces([]byte("abcd0x7"), nil)
	var e *rowkey.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "day", e.Field)
	require.Len(t, got, 3)
	assert.Equal(t, rowkey.Piece{Name: "uid", Notation: "[uid notstored]", Offset: 4, Text: "not stored"}, got[1])
	assert.Equal(t, "broken: "+strings.TrimSuffix(e.Err.Error(), ": not a key of this schema"), got[2].Problem)
	assert.Nil(t, got[2].Value)

	s = rowkey.Must(rowkey.Parse("t", "phoenix [a optional][n:4]"))
	key, err := s.AppendKey(nil, nil, 7)
	require.NoError(t, err)
	got, err = s.Pieces(key, nil)
	require.NoError(t, err)
	assert.Equal(t, "null", got[0].Text)
	assert.Nil(t, got[0].Value)

	s = rowkey.Must(rowkey.Parse("t", "[a=b left(2) fixed(2)][b]"))
	got, err = s.Pieces([]byte("xyxyz"), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"as the fields give it", `"xyz"`}, []string{got[0].Text, got[1].Text})
}

// checkPieces holds the pieces of a key against the key, and against what Decode
// and Explain say of it.
func checkPieces(fail func(string, ...any), s *rowkey.Schema, key []byte) {
	pieces, err := s.Pieces(key, time.UTC)
	row, bad := s.Decode(key)
	if fmt.Sprint(err) != fmt.Sprint(bad) && (err == nil || bad == nil) {
		fail("%s: Pieces of %x says %v, Decode %v", s, key, err, bad)
	}
	var joined []byte
	values := map[string]any{}
	problems := 0
	explained := strings.Split(s.Explain(key), "\n")
	at := 1
	for _, p := range pieces {
		if p.Offset != len(joined) {
			fail("%s: of %x the piece %+v begins at %d", s, key, p, len(joined))
		}
		joined = append(joined, p.Bytes...)
		if p.Value != nil {
			values[p.Name] = p.Value
		}
		if p.Problem != "" {
			problems++
		}
		if at >= len(explained) || !strings.HasPrefix(explained[at], fmt.Sprint(p.Offset)) || !strings.HasSuffix(explained[at], strings.TrimRight(p.Text+p.Problem, " ")) {
			fail("%s: Explain of %x says %q, not %+v", s, key, explained, p)
		}
		at += max(1, (len(p.Bytes)+19)/20)
	}
	if !bytes.Equal(joined, key) {
		fail("%s: the pieces of %x are %x", s, key, joined)
	}
	if err == nil {
		if problems > 0 {
			fail("%s: a piece of the key %x has a problem: %+v", s, key, pieces)
		}
		for name, v := range row.All() {
			if v != nil && fmt.Sprint(v) != fmt.Sprint(values[name]) {
				fail("%s: the piece %s of %x is %v, read as %v", s, name, key, values[name], v)
			}
		}
	}
}
