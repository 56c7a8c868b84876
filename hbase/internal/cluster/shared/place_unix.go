//go:build unix

package shared

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
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

// lock waits until no other process has the lock of that name. It ends when the file is
// closed, or this process ends.
func (p place) lock(name string) (*os.File, error) {
	f, err := p.open(name)
	if err != nil {
		return nil, err
	}
	return f, flock(f, syscall.LOCK_EX)
}

func (p place) open(name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(p.dir, name), os.O_CREATE|os.O_RDWR, 0o600)
}

func flock(f *os.File, how int) (err error) {
	for {
		if err = syscall.Flock(int(f.Fd()), how); err != syscall.EINTR { // Go's runtime interrupts calls
			return err
		}
	}
}

// turns are the tests of all packages that use HBase: any number, or one that is alone.
// Who waits has the door, so that a test that would be alone waits for those that have
// begun, and for no others.
type turns struct {
	place place
	turn  *os.File

	mu   sync.Mutex
	held int // how many of this process have a turn; the first one takes the lock, the last gives it back
}

func (p place) turns() (*turns, error) {
	f, err := p.open("turn")
	return &turns{place: p, turn: f}, err
}

// take waits for a turn. A test that has one may take more, which are not alone.
func (x *turns) take(alone bool) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.held > 0 {
		if alone {
			return errors.New("hbase: a test of this package uses HBase: no other can be alone")
		}
		x.held++
		return nil
	}
	door, err := x.place.lock("door")
	if err != nil {
		return err
	}
	defer door.Close()
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	if err := flock(x.turn, how); err != nil {
		return err
	}
	x.held++
	return nil
}

func (x *turns) give() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.held--; x.held == 0 {
		flock(x.turn, syscall.LOCK_UN)
	}
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
