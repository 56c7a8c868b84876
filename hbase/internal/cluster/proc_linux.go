package cluster

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
	"time"
)

// procAttr has a server die with the process that started it, even if that is
// killed, and keeps Ctrl-C at a terminal for that process.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// cpuOf is the processor time of a process, in user and in system mode: proc(5), stat, in
// hundredths of a second.
func cpuOf(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // after the name, from field 3
	var user, system time.Duration
	if _, err := fmt.Sscan(string(fields[11])+" "+string(fields[12]), &user, &system); err != nil {
		return 0, err
	}
	return (user + system) * 10 * time.Millisecond, nil
}
