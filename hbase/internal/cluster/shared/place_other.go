//go:build !unix

package shared

import (
	"errors"
	"io"
	"os"
)

type place struct{ dir, who string }

func newPlace() (place, error) { return place{}, errors.New("hbase: these tests need a Unix") }
func (place) socket() string   { return "" }
func (place) turn() (io.Closer, error) {
	return nil, errors.New("hbase: these tests need a Unix")
}
func (place) spawn() (*os.File, <-chan struct{}, error) {
	return nil, nil, errors.New("hbase: these tests need a Unix")
}
