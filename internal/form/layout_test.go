package form

import (
	"fmt"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/internal/seed"
)

// TestMod: the rest of a negative number is not negative.
func TestMod(t *testing.T) {
	if got := Mod(-3, 16); got != 13 {
		t.Errorf("−3 mod 16 is %d", got)
	}
}

// A layout's text is what time.Format makes, its number those digits, and both come
// back as the beginning of their step. Dates computed by day are the same.
func TestLayout(t *testing.T) {
	for _, text := range []string{"2006", "200601", "20060102", "2006010215", "200601021504", "20060102150405", "2006-01-02", "2006/01/02 15:04:05", "[2006]"} {
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 8*3600), time.FixedZone("", -5*3600-1800)} {
			made, problem := NewLayout(text, zone)
			if problem != "" {
				t.Fatal(problem)
			}
			l, problem := made.Settle(0, 253402300799)
			if problem != "" {
				t.Fatal(problem)
			}
			r := seed.Rand(t)
			for range 3000 {
				sec := r.Int64N(253402300799-86400) + 86400
				first := l.Floor(sec)
				form := l.Append([]byte("head"), sec)
				if want := "head" + time.Unix(sec, 0).In(zone).Format(text); string(form) != want {
					t.Fatalf("%d by %s is %s, not %s", sec, text, form, want)
				}
				if back, ok := l.Read(form[4:]); !ok || back != first {
					t.Fatalf("%s is read as %d %t, not %d", form, back, ok, first)
				}
				if next := l.Next(first); next <= sec || string(l.Append(nil, next-1)) != string(form[4:]) || string(l.Append(nil, next)) == string(form[4:]) {
					t.Fatalf("behind %d by %s stands %d", first, text, next)
				}
				if !l.AllDigits() {
					continue
				}
				n := l.Number(sec)
				if fmt.Sprint(n) != string(form[4:]) {
					t.Fatalf("%s as a number is %d", form, n)
				}
				if back, ok := l.ReadNumber(n); !ok || back != first {
					t.Fatalf("%d is read as %d %t", n, back, ok)
				}
				local := uint64(sec + int64(l.Offset))
				if DateNumber(local, uint8(l.Elements)) != n {
					t.Fatalf("%d by days is %d, not %d", local, DateNumber(local, uint8(l.Elements)), n)
				}
				if back, ok := DateSeconds(n, uint8(l.Elements)); !ok || int64(back) != first+int64(l.Offset) {
					t.Fatalf("%d by days is read as %d %t", n, back, ok)
				}
			}
		}
	}
	day, _ := NewLayout("20060102", time.UTC)
	if form := AppendUint(nil, day.Number(1684201230), 4); fmt.Sprintf("%x", form) != "0134b174" {
		t.Errorf("the day as a number is %x", form)
	}
	for _, text := range []string{"20230431", "20231301", "20230001", "20230100", "2023013", "202301311", "2023013a", "        "} {
		if sec, ok := day.Read([]byte(text)); ok {
			t.Errorf("%q is read as %d", text, sec)
		}
	}
	for _, n := range []uint64{20230431, 20231301, 1 << 63, 0, 19691231} {
		if _, ok := DateSeconds(n, 3); ok {
			t.Errorf("%d is a date", n)
		}
	}
	for _, text := range []string{"", "06", "02", "2006 Jan", "20060102x", "200602", "é2006"} {
		if _, problem := NewLayout(text, time.UTC); problem == "" {
			t.Errorf("%q is a layout", text)
		}
	}
	if _, problem := NewLayout("2006", nil); problem == "" {
		t.Error("a layout without a zone")
	}
	shanghai := time.FixedZone("", 8*3600)
	l, _ := NewLayout("2006", shanghai)
	if _, problem := l.Settle(0, 1<<40); problem != "" {
		t.Error(problem)
	}
}
