package foreign

import (
	"fmt"

	"github.com/hbase-rowkey/rowkey/internal/fault"
)

// Append appends a digest of others. They are given a copy of the data, since
// what they are given escapes, and every caller's scratch with it.
func (d *Digest) Append(dst, data []byte) ([]byte, error) {
	r := viaRooms.Get().(*Room)
	defer viaRooms.Put(r)
	r.load(data)
	sum, err := d.call(r)
	if err != nil {
		return dst, &Error{"digest " + d.Name, err, fault.ErrRange}
	}
	if len(sum) != d.Size {
		return dst, &fault.Detail{Text: fmt.Sprintf("digest %s gave %d bytes, not its %d", d.Name, len(sum), d.Size), Reason: fault.ErrLength}
	}
	return append(dst, sum...), nil
}

// call calls the digest on what is loaded.
func (d *Digest) call(r *Room) (sum []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			sum, err = nil, Panicked(p)
		}
	}()
	in, room := r.lend()
	return d.Sum(room, in), nil
}

// Digest is a digest of NewDigest.
type Digest struct {
	Name string
	Size int
	Sum  func(dst, data []byte) []byte
}
