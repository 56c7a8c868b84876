//go:build !linux

package cluster

import (
	"errors"
	"syscall"
	"time"
)

func procAttr() *syscall.SysProcAttr { return nil }

func cpuOf(int) (time.Duration, error) {
	return 0, errors.New("the processor time of a process is read on Linux alone")
}
