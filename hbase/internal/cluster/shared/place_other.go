//go:build !unix

package shared

import (
	"errors"
	"os"
)

type place struct{ dir, who string }

func newPlace() (place, error) { return place{}, errors.New("hbase: these tests need a Unix") }
func (place) socket() string   { return "" }
func (place) turn() error      { return nil }
func (place) spawn() (*os.File, <-chan struct{}, error) {
	return nil, nil, errors.New("hbase: these tests need a Unix")
}
