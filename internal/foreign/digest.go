package foreign

import (
	"fmt"

	"github.com/hbase-rowkey/rowkey/internal/fault"
)

// Append appends the digest of data. The caller's function gets a copy of data: a buffer
// given to an unknown function moves to the heap.
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

// call calls Sum on the loaded data.
func (d *Digest) call(r *Room) (sum []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			sum, err = nil, Panicked(p)
		}
	}()
	in, room := r.lend()
	return d.Sum(room, in), nil
}

// Digest is a digest that a caller wrote (NewDigest): its name, its size in bytes and its
// function.
type Digest struct {
	Name string
	Size int
	Sum  func(dst, data []byte) []byte
}
