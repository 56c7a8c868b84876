package command

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/play"
	"github.com/hbase-rowkey/rowkey/play/serve"
	"github.com/spf13/cobra"
)

func (a *app) playCommand() *cobra.Command {
	var addr, site string
	var quiet bool
	c := &cobra.Command{
		Use:   "play [flags] [SCHEMA | LINK]",
		Short: "Open the playground: a page on which a design is reviewed",
		Long: `Serve a page on this machine and open it in the browser. It shows, while you type, the bytes of a key,
what questions read, the advice of lint, and where the writes go; two or three designs stand side by
side. SCHEMA is a notation, any text that draft reads, or a name in rowkey.yaml. LINK is a link that
the page copied: it holds all of the page.

The page is served on a loopback address alone, and only to itself. It reads no file and sends
nothing to another machine. Ctrl-C ends it.`,
		Example: `  rowkey play
  rowkey play "[salt16(seller)][seller]['_'][max-ms(at)][order:8]"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("expected one design or link, not %d: the page compares several", len(args))
			}
			return nil
		},
		ValidArgsFunction: a.completeNames,
	}
	f := c.Flags()
	f.StringVar(&addr, "addr", "127.0.0.1:0", "`address` of this machine to serve at; port 0 is a free one")
	f.BoolVar(&quiet, "no-browser", false, "print the address, and do not open the browser")
	f.StringVar(&site, "site", "", "`URL` with which links that are copied begin (default: the page's own)")
	a.takesConfig(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		if u, err := url.Parse(site); site != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Fragment != "") {
			return fmt.Errorf("--site %s: expected the address of a page, as https://example.com/rowkey/", site)
		}
		fragment := ""
		if len(args) > 0 {
			var err error
			if fragment, err = a.fragment(args[0]); err != nil {
				return err
			}
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		return a.play(ctx, addr, site, fragment, !quiet)
	}
	return c
}

// fragment is the fragment of a link to what is to be shown.
func (a *app) fragment(arg string) (string, error) {
	if at := strings.Index(arg, "#1"); at >= 0 && !strings.Contains(arg, "[") {
		if _, err := play.OfLink(arg); err != nil {
			return "", err
		}
		return arg[at:], nil
	}
	name, text := "design", arg
	if !strings.ContainsAny(arg, "[]() +,?%\"'") {
		s, err := a.loadNamed("", arg)
		if err != nil {
			return "", err
		}
		name, text = arg, s.Schema.String()
	}
	return play.Link(play.State{Designs: [][]any{{name, text}}})
}

// play serves the page until the context ends.
func (a *app) play(ctx context.Context, addr, site, fragment string, open bool) error {
	l, err := serve.Listen(addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", addr, err)
	}
	address := "http://" + l.Addr().String() + "/" + fragment
	if err := a.write(address + "\n"); err != nil {
		return err
	}
	s := serve.Server(l, site)
	go func() {
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = s.Shutdown(end)
	}()
	if open {
		openBrowser(address)
	}
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// openBrowser opens the browser where there is one; the address is printed in any case.
func openBrowser(address string) {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if c := exec.Command(name, args...); c.Start() == nil {
		go func() { _ = c.Wait() }()
	}
}
