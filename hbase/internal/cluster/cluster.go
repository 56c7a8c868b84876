// Package cluster starts a real, distributed HBase on 127.0.0.1, for tests and
// for a visitor: ZooKeeper, a master, two region servers and two Thrift2 gateways,
// one on a socket and one over HTTP, each a process of its own.
//
// It needs Java 17 (a JDK) and Maven, which fetches HBase's jars the first time.
package cluster

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	//go:embed pom.xml
	pom []byte
	//go:embed java.flags
	javaFlags []byte
	//go:embed log4j.properties
	log4j []byte
	//go:embed Admin.java
	adminJava []byte
)

// Version is the release of HBase that is started: what ROWKEY_HBASE_VERSION says, such as
// 2.5.8, else that of pom.xml.
func Version() (string, error) {
	_, version, err := pomOf(os.Getenv("ROWKEY_HBASE_VERSION"))
	return version, err
}

var (
	serverVersion = regexp.MustCompile(`<version>(\d+\.\d+\.\d+)-hadoop3</version>`) // hbase-server
	plainVersion  = regexp.MustCompile(`^\d+\.\d+\.\d+$`)
)

// pomOf is pom.xml for a release of HBase, by default its own.
func pomOf(version string) ([]byte, string, error) {
	own := string(serverVersion.FindSubmatch(pom)[1])
	switch {
	case version == "":
		return pom, own, nil
	case !plainVersion.MatchString(version):
		return nil, "", fmt.Errorf("hbase: ROWKEY_HBASE_VERSION: %q is no release such as %s", version, own)
	}
	return bytes.ReplaceAll(pom, []byte("<version>"+own), []byte("<version>"+version)), version, nil
}

// Config says what to start; its zero value is a cluster on free ports.
type Config struct {
	Socket int       // the port of the Thrift2 gateway on a socket; 0 is any that is free
	HTTP   int       // that of the one over HTTP
	Log    io.Writer // is told what is being done; nil if nobody

	// Optimize lets Java's second compiler have its time: the servers start more
	// slowly and work faster, as they would elsewhere.
	Optimize bool
}

// Cluster is a running HBase.
type Cluster struct {
	Socket string // host:port of the gateway on a socket
	HTTP   string // http://host:port of the one over HTTP

	dir       string
	classpath string
	config    Config
	zooKeeper int

	mu      sync.Mutex
	servers map[string]*server
	admin   *admin
	starts  chan func() // run by the one thread that all processes are children of
	stopped bool
}

// The servers, in the order in which they are started.
const (
	zooKeeper = "zookeeper"
	master    = "master"
	Region1   = "regionserver1"
	Region2   = "regionserver2"
	Socket    = "gateway"
	HTTP      = "gateway-http"
)

type server struct {
	cmd  *exec.Cmd
	port int
	log  string
	done chan struct{} // closed when the process has ended
}

// ErrMissing is that the machine has no Java or no Maven.
var ErrMissing = errors.New("a JDK of version 17 or later and Maven are needed (Debian: apt-get install default-jdk-headless maven)")

// Ready is ErrMissing where Start would be, with what is missing.
func Ready() error {
	for _, name := range []string{"java", "javac", "mvn"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("hbase: no %s: %w", name, ErrMissing)
		}
	}
	return nil
}

// Start starts the servers and returns when the cluster answers. Stop ends it;
// it ends, too, when the process does.
func Start(ctx context.Context, config Config) (_ *Cluster, err error) {
	if err := freePorts([]int{config.Socket, config.HTTP}); err != nil { // before what takes long
		return nil, err
	}
	if err := Ready(); err != nil {
		return nil, err
	}
	if config.Log == nil {
		config.Log = io.Discard
	}
	dir, err := os.MkdirTemp("", "rowkey-hbase-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, config: config, servers: map[string]*server{}, starts: make(chan func())}
	go c.startAll()
	defer func() {
		if err != nil {
			c.Stop()
		}
	}()
	for name, content := range map[string][]byte{"java.flags": javaFlags, "Admin.java": adminJava} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	if c.classpath, err = classpath(ctx, config.Log); err != nil {
		return nil, err
	}
	ports := make([]int, 6)
	ports[4], ports[5] = config.Socket, config.HTTP
	if err := freePorts(ports); err != nil {
		return nil, err
	}
	c.zooKeeper = ports[0]
	c.Socket = "127.0.0.1:" + strconv.Itoa(ports[4])
	c.HTTP = "http://127.0.0.1:" + strconv.Itoa(ports[5])

	fmt.Fprintf(config.Log, "2. Its servers, about 20 seconds: ZooKeeper, a master, two region servers, two gateways; in %s\n", dir)
	for i, name := range []string{zooKeeper, master, Region1, Region2, Socket, HTTP} {
		if err := c.start(name, ports[i]); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	began := time.Now()
	for _, step := range []struct {
		name string
		wait func() error
	}{
		{"the master", func() error { return c.until(ctx, master, "Master has completed initialization") }},
		{"a region server", func() error { return c.until(ctx, Region1, "Serving as ") }},
		{"the other region server", func() error { return c.until(ctx, Region2, "Serving as ") }},
		{"the gateway", func() error { return c.Await(ctx, Socket) }},
		{"the gateway over HTTP", func() error { return c.Await(ctx, HTTP) }},
	} {
		if err := step.wait(); err != nil {
			return nil, err
		}
		fmt.Fprintf(config.Log, "   %v: %s is up\n", time.Since(began).Round(time.Second), step.name)
	}
	return c, nil
}

// keptClasspath is the folder in the user's cache that classpath keeps its answer in, under
// the hash of what it was made of; and the answer, if its jars are all there.
func keptClasspath() (dir, jars string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", "", err
	}
	pom, _, err := pomOf(os.Getenv("ROWKEY_HBASE_VERSION"))
	if err != nil {
		return "", "", err
	}
	sum := sha256.Sum256(pom)
	dir = filepath.Join(cache, "rowkey-hbase", hex.EncodeToString(sum[:8]))
	b, err := os.ReadFile(filepath.Join(dir, "classpath"))
	if err != nil || slices.ContainsFunc(filepath.SplitList(string(b)), func(jar string) bool {
		_, err := os.Stat(jar)
		return err != nil
	}) {
		return dir, "", nil
	}
	return dir, string(b), nil
}

// Fetched reports that HBase's jars are on this machine.
func Fetched() bool {
	_, jars, err := keptClasspath()
	return err == nil && jars != ""
}

// classpath is HBase's jars, by Maven.
func classpath(ctx context.Context, log io.Writer) (string, error) {
	dir, jars, err := keptClasspath()
	if err != nil || jars != "" {
		return jars, err
	}
	pom, version, err := pomOf(os.Getenv("ROWKEY_HBASE_VERSION"))
	if err != nil {
		return "", err
	}
	kept := filepath.Join(dir, "classpath")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(dir, "pom.xml")
	if err := os.WriteFile(file, pom, 0o644); err != nil {
		return "", err
	}
	fmt.Fprintln(log, "1. The jars of HBase "+version+", by Maven: those that it does not have yet of about 135 MB, which it keeps")
	made := kept + "." + strconv.Itoa(os.Getpid())
	defer os.Remove(made)
	out := downloads{log: log, told: time.Now()}
	cmd := exec.CommandContext(ctx, "mvn", "-B", "-f", file, "dependency:build-classpath", "-Dmdep.outputFile="+made)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		return "", fmt.Errorf("hbase: waiting for Maven: %w", ctx.Err())
	}
	if err != nil {
		return "", fmt.Errorf("hbase: Maven could not get HBase's jars: %w\n%s", err, tail(out.all))
	}
	out.tell()
	b, err := os.ReadFile(made)
	if err != nil {
		return "", err
	}
	return string(b), os.Rename(made, kept)
}

// freePorts puts free ports for those that are 0, and is an error if one of the
// others is taken.
func freePorts(ports []int) error {
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for i, port := range ports {
		if port < 0 || port > 65535 {
			return fmt.Errorf("hbase: %d is not a port: 1 to 65535, or 0 for any that is free", port)
		}
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err != nil {
			return fmt.Errorf("hbase: port %d is not free: %w", port, err)
		}
		held = append(held, l)
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return nil
}

// startAll runs what starts processes, on one thread: Linux ends a child with the
// thread that it was started by.
func (c *Cluster) startAll() {
	runtime.LockOSThread()
	for start := range c.starts {
		start()
	}
}

// run starts a process.
func (c *Cluster) run(cmd *exec.Cmd) (err error) {
	cmd.SysProcAttr = procAttr()
	done := make(chan struct{})
	c.starts <- func() {
		err = cmd.Start()
		close(done)
	}
	<-done
	return err
}

var programs = map[string][]string{
	zooKeeper: {"-Xmx64m", "org.apache.hadoop.hbase.zookeeper.HQuorumPeer", "start"},
	master:    {"-Xmx384m", "org.apache.hadoop.hbase.master.HMaster", "start"},
	Region1:   {"-Xmx512m", "org.apache.hadoop.hbase.regionserver.HRegionServer", "start"},
	Region2:   {"-Xmx512m", "org.apache.hadoop.hbase.regionserver.HRegionServer", "start"},
	Socket:    {"-Xmx384m", "org.apache.hadoop.hbase.thrift2.ThriftServer", "-b", "127.0.0.1", "start"},
	HTTP:      {"-Xmx384m", "org.apache.hadoop.hbase.thrift2.ThriftServer", "-b", "127.0.0.1", "start"},
}

// codecs are of what a gateway shows of a cell: the one over HTTP its tags, too, such as a TTL.
var codecs = map[bool]string{
	false: "org.apache.hadoop.hbase.codec.KeyValueCodec",
	true:  "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags",
}

// java is a command on HBase's jars with the configuration of a server.
func (c *Cluster) java(name string, port int, args ...string) (*exec.Cmd, error) {
	conf := filepath.Join(c.dir, "conf-"+name)
	if err := os.MkdirAll(conf, 0o700); err != nil {
		return nil, err
	}
	var site bytes.Buffer
	site.WriteString("<configuration>\n")
	for _, p := range [][2]string{
		{"hbase.rootdir", c.Root()},
		{"hbase.tmp.dir", filepath.Join(c.dir, "tmp-"+name)},
		{"hbase.cluster.distributed", "true"},
		// A local file system has no hflush; it keeps files all the same.
		{"hbase.unsafe.stream.capability.enforce", "false"},
		{"hbase.wal.provider", "filesystem"},
		{"hbase.zookeeper.quorum", "127.0.0.1"},
		{"hbase.zookeeper.property.clientPort", strconv.Itoa(c.zooKeeper)},
		{"hbase.zookeeper.property.clientPortAddress", "127.0.0.1"},
		{"hbase.zookeeper.property.dataDir", filepath.Join(c.dir, "zookeeper")},
		// A killed server is missed after 6 seconds, not after 90.
		{"hbase.zookeeper.property.tickTime", "1000"},
		{"zookeeper.session.timeout", "6000"},
		{"hbase.master.hostname", "localhost"},
		{"hbase.master.ipc.address", "127.0.0.1"},
		{"hbase.master.port", strconv.Itoa(port)},
		{"hbase.master.info.port", "-1"},
		{"hbase.unsafe.regionserver.hostname", "localhost"},
		{"hbase.regionserver.ipc.address", "127.0.0.1"},
		{"hbase.regionserver.port", strconv.Itoa(port)},
		{"hbase.regionserver.info.port", "-1"},
		{"hbase.hfile.compaction.discharger.interval", "1000"}, // until then a daughter of a split cannot be split again
		{"hbase.regionserver.thrift.port", strconv.Itoa(port)},
		{"hbase.regionserver.thrift.http", strconv.FormatBool(name == HTTP)},
		{"hbase.thrift.info.port", "-1"},
		{"hbase.client.rpc.codec", codecs[name == HTTP]},
	} {
		fmt.Fprintf(&site, "<property><name>%s</name><value>%s</value></property>\n", p[0], p[1])
	}
	site.WriteString("</configuration>\n")
	if err := errors.Join(
		os.WriteFile(filepath.Join(conf, "hbase-site.xml"), site.Bytes(), 0o600),
		os.WriteFile(filepath.Join(conf, "log4j.properties"), log4j, 0o600),
	); err != nil {
		return nil, err
	}
	flags := []string{"@" + filepath.Join(c.dir, "java.flags")}
	if c.config.Optimize {
		flags = append(flags, "-XX:TieredStopAtLevel=4")
	}
	args = slices.Concat(flags, []string{"-cp", conf + string(filepath.ListSeparator) + c.classpath}, args)
	cmd := exec.Command("java", args...)
	cmd.Dir = c.dir
	return cmd, nil
}

// start starts one server.
func (c *Cluster) start(name string, port int) error {
	args := programs[name]
	if name == Socket || name == HTTP { // the port in the configuration is not asked for everywhere
		args = slices.Insert(slices.Clone(args), len(args)-1, "-p", strconv.Itoa(port))
	}
	cmd, err := c.java(name, port, args...)
	if err != nil {
		return err
	}
	s := &server{cmd: cmd, port: port, log: filepath.Join(c.dir, name+".log"), done: make(chan struct{})}
	log, err := os.Create(s.log)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return errors.New("hbase: the cluster is stopped")
	}
	if err := c.run(cmd); err != nil {
		return err
	}
	go func() {
		cmd.Wait()
		close(s.done)
	}()
	c.servers[name] = s
	return nil
}

// until waits for a line in a server's log.
func (c *Cluster) until(ctx context.Context, name, line string) error {
	return c.poll(ctx, name, func(s *server) bool {
		log, _ := os.ReadFile(s.log)
		return bytes.Contains(log, []byte(line))
	})
}

// Await waits until a gateway takes connections.
func (c *Cluster) Await(ctx context.Context, gateway string) error {
	return c.poll(ctx, gateway, func(s *server) bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(s.port))
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

func (c *Cluster) poll(ctx context.Context, name string, ready func(*server) bool) error {
	c.mu.Lock()
	s := c.servers[name]
	c.mu.Unlock()
	fail := func(why string) error {
		log, _ := os.ReadFile(s.log)
		return fmt.Errorf("hbase: %s %s\n%s", name, why, tail(log))
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !ready(s) {
		select {
		case <-s.done:
			return fail("ended")
		case <-ctx.Done():
			return fail("did not come up: " + ctx.Err().Error())
		case <-tick.C:
		}
	}
	return nil
}

// tail is the end of a log.
func tail(log []byte) []byte {
	const most = 4000
	return log[max(0, len(log)-most):]
}

// Kill ends a server at once, as a crash does.
func (c *Cluster) Kill(name string) error {
	c.mu.Lock()
	s := c.servers[name]
	c.mu.Unlock()
	if s == nil {
		return fmt.Errorf("hbase: no server %s", name)
	}
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.done
	return nil
}

// Restart starts a server that was killed, on the port that it had, and waits for
// it.
func (c *Cluster) Restart(ctx context.Context, name string) error {
	c.mu.Lock()
	s := c.servers[name]
	c.mu.Unlock()
	if s == nil {
		return fmt.Errorf("hbase: no server %s", name)
	}
	if err := c.start(name, s.port); err != nil {
		return err
	}
	if name == Region1 || name == Region2 {
		return c.until(ctx, name, "Serving as ")
	}
	return c.Await(ctx, name)
}

// Revive restarts the servers that have ended.
func (c *Cluster) Revive(ctx context.Context) error {
	for _, name := range []string{zooKeeper, master, Region1, Region2, Socket, HTTP} {
		c.mu.Lock()
		s := c.servers[name]
		c.mu.Unlock()
		select {
		case <-s.done:
			if err := c.Restart(ctx, name); err != nil {
				return err
			}
		default:
		}
	}
	return nil
}

// ServerAt is the name of the region server at host:port, as Regions gives it.
func (c *Cluster) ServerAt(address string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range []string{Region1, Region2} {
		if strings.HasSuffix(address, ":"+strconv.Itoa(c.servers[name].port)) {
			return name, nil
		}
	}
	return "", fmt.Errorf("hbase: no region server at %s", address)
}

// CPU is the processor time that each server has used.
func (c *Cluster) CPU() (map[string]time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	used := map[string]time.Duration{}
	for name, s := range c.servers {
		var err error
		if used[name], err = cpuOf(s.cmd.Process.Pid); err != nil {
			return nil, err
		}
	}
	return used, nil
}

// Stop ends all servers and removes what they wrote.
func (c *Cluster) Stop() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return nil
	}
	c.stopped = true
	if c.admin != nil {
		c.admin.in.Close()
		c.admin.cmd.Process.Kill()
		c.admin.cmd.Wait()
	}
	for _, s := range c.servers {
		s.cmd.Process.Kill()
	}
	for _, s := range c.servers {
		<-s.done
	}
	close(c.starts)
	return os.RemoveAll(c.dir)
}

// admin is HBase's own client, which takes commands.
type admin struct {
	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// Admin runs a command of Admin.java and gives its answer.
func (c *Cluster) Admin(words ...string) (string, error) {
	a, err := c.client()
	if err != nil {
		return "", err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, err := fmt.Fprintln(a.in, strings.Join(words, " ")); err != nil {
		return "", err
	}
	line, err := a.out.ReadString('\n')
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(c.dir, "admin.log"))
		return "", fmt.Errorf("hbase: admin: %w\n%s", err, tail(log))
	}
	said, answer, _ := strings.Cut(strings.TrimSpace(line), " ")
	if said != "ok" {
		return "", fmt.Errorf("hbase: admin %s: %s", words[0], answer)
	}
	return answer, nil
}

// client starts the admin's process, the first time.
func (c *Cluster) client() (*admin, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.admin != nil {
		return c.admin, nil
	}
	if c.stopped {
		return nil, errors.New("hbase: the cluster is stopped")
	}
	cmd, err := c.java("admin", 0, "-Xmx128m", filepath.Join(c.dir, "Admin.java"))
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(c.dir, "admin.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd.Stderr = log
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if err := c.run(cmd); err != nil {
		return nil, err
	}
	c.admin = &admin{cmd: cmd, in: in, out: bufio.NewReader(out)}
	return c.admin, nil
}
