package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey"
)

// keysOf are n keys of rows as tables have them, in hexadecimal digits; fewer where few are found.
func keysOf(r *rand.Rand, s *rowkey.Schema, n int) (keys []string) {
	fields := slices.DeleteFunc(slices.Collect(s.Fields()), func(f rowkey.FieldInfo) bool { return class(&f) != "field" })
	values := make([]any, len(fields))
	draw := func(i int) { values[i] = value(r, s, &fields[i]) }
	for range n {
		for i := range fields {
			draw(i)
		}
		for range 5000 { // the error names the field whose value does not do
			key, err := s.AppendKey(nil, values...)
			if err == nil {
				keys = append(keys, hex.EncodeToString(key))
				break
			}
			var e *rowkey.Error
			i := -1
			if errors.As(err, &e) {
				i = slices.IndexFunc(fields, func(f rowkey.FieldInfo) bool { return f.Name == e.Field })
			}
			if i < 0 {
				break
			}
			draw(i)
		}
	}
	return keys
}

// value is a value as tables have it. It may be one that the field refuses.
func value(r *rand.Rand, s *rowkey.Schema, f *rowkey.FieldInfo) any {
	if f.Optional && r.IntN(4) == 0 {
		return nil
	}
	switch f.Kind {
	case "string":
		return text(r, s, f)
	case "binary":
		return []byte(text(r, s, f))
	case "uint":
		u := r.Uint64() >> r.IntN(64)
		if f.Most < 1<<63 {
			u %= f.Most + 1
		}
		return u
	case "int":
		return int64(r.Uint64()>>(64-min(63, 8*f.Bytes-1))>>r.IntN(8*f.Bytes)) * int64(1-2*r.IntN(2))
	case "float":
		return float64(float32(r.NormFloat64() * 1000))
	case "bool":
		return r.IntN(2) == 0
	}
	at := time.Unix(1700000000+r.Int64N(1e8), 0).UTC()
	if step := max(f.Time.Step, f.Time.Truncated); step >= time.Second {
		at = at.Truncate(step)
	} else if step > 0 {
		at = at.Add(time.Duration(r.Int64N(int64(time.Second))).Truncate(step))
	}
	if at.Before(f.Time.First) || at.After(f.Time.Last) {
		at = f.Time.First
	}
	return at
}

func text(r *rand.Rand, s *rowkey.Schema, f *rowkey.FieldInfo) string {
	if all := s.Values(f.Name); len(all) > 0 {
		return all[r.IntN(len(all))]
	}
	if strings.Contains(f.Notation, " uuid") {
		h := fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64())
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	}
	if strings.Contains(f.Notation, " reverselabels") {
		return []string{"com.example.www", "www.example.com", "a.b", "example.org"}[r.IntN(4)]
	}
	chars := []string{"0123456789", "abcdefghijklmnopqrstuvwxyz0123456789-", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}[r.IntN(3)]
	if f.Chars != "" {
		chars = f.Chars
	}
	if f.Numeric {
		return strconv.Itoa(r.IntN(1 << 30))
	}
	b := make([]byte, 1+r.IntN(24))
	for i := range b {
		b[i] = chars[r.IntN(len(chars))]
	}
	return string(b)
}
