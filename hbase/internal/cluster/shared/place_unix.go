//go:build unix

package shared

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// place is the folder in which the packages of one checkout find their HBase.
type place struct {
	dir string
	who string // the package
}

func newPlace() (place, error) {
	who, err := os.Getwd() // go test runs a package's tests in its folder
	if err != nil {
		return place{}, err
	}
	top := who
	for {
		if _, err := os.Stat(filepath.Join(top, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(top) == top {
			return place{}, fmt.Errorf("hbase: %s is in no module", who)
		}
		top = filepath.Dir(top)
	}
	// A socket's path has 104 bytes at most on some systems: the folder's name is short.
	// Each release of HBase has a place of its own.
	sum := sha256.Sum256([]byte(top + "\x00" + os.Getenv("ROWKEY_HBASE_VERSION")))
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("rowkey-hbase-%d-%x", os.Getuid(), sum[:4]))
	return place{dir, who}, os.MkdirAll(dir, 0o700)
}

func (p place) socket() string { return filepath.Join(p.dir, "s") }

// turn waits until no other package uses the HBase. The turn ends when the file is closed,
// or this process ends.
func (p place) turn() (io.Closer, error) {
	lock, err := os.OpenFile(filepath.Join(p.dir, "turn"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		fmt.Fprintln(os.Stderr, "waiting for HBase: another package's tests use it")
	}
	for err == syscall.EWOULDBLOCK || err == syscall.EINTR { // Go's runtime interrupts calls
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	}
	return lock, err
}

// spawn starts the process: this program, once more. Its output goes to a file, since it
// lives longer than this process.
func (p place) spawn() (*os.File, <-chan struct{}, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	out, err := os.Create(filepath.Join(p.dir, "log"))
	if err != nil {
		return nil, nil, err
	}
	defer out.Close()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), hosting+"="+p.dir)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C ends the tests, and it when nobody uses it
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	in, err := os.Open(out.Name())
	return in, ended, err
}
