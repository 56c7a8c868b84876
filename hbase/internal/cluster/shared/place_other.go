//go:build !unix

package shared

import (
	"errors"
	"os"
)

type (
	place struct{ dir, who string }
	turns struct{}
)

var errUnix = errors.New("hbase: these tests need a Unix")

func newPlace() (place, error)                          { return place{}, errUnix }
func (place) socket() string                            { return "" }
func (place) lock(string) (*os.File, error)             { return nil, errUnix }
func (place) turns() (*turns, error)                    { return nil, errUnix }
func (place) spawn() (*os.File, <-chan struct{}, error) { return nil, nil, errUnix }
func (*turns) take(bool) error                          { return errUnix }
func (*turns) give()                                    {}
