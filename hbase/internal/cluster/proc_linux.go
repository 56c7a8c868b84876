package cluster

import "syscall"

// procAttr has a server die with the process that started it, even if that is
// killed, and keeps Ctrl-C at a terminal for that process.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
