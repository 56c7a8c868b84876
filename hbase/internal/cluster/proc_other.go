//go:build !linux

package cluster

import "syscall"

func procAttr() *syscall.SysProcAttr { return nil }
