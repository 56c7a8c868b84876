package hbase

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// gateways are the servers that a client may ask.
type gateways struct {
	all []*gateway

	mu   sync.Mutex
	next int
}

// gateway is one of them.
type gateway struct {
	dial    func(context.Context) (wire, error) // has what is secret, and no one else
	release func()
	socket  bool
	down    time.Time // when it could not be reached
}

// downFor is how long a gateway that could not be reached is passed over.
var downFor = 5 * time.Second

// order is the gateways as they are to be asked: each time another one first, and
// last those that could not be reached a moment ago.
func (gs *gateways) order() []*gateway {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	var up, down []*gateway
	for i := range gs.all {
		g := gs.all[(gs.next+i)%len(gs.all)]
		if time.Since(g.down) < downFor {
			down = append(down, g)
		} else {
			up = append(up, g)
		}
	}
	gs.next++
	return append(up, down...)
}

// avoid notes that a gateway could not be reached.
func (gs *gateways) avoid(g *gateway) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	g.down = time.Now()
}

// open makes a wire to the first gateway that can be reached. Each has its share
// of the time that is left: one that does not answer leaves some to the others.
func (gs *gateways) open(ctx context.Context) (w wire, _ *gateway, err error) {
	order := gs.order()
	for i, g := range order {
		ctx, cancel := ctx, func() {}
		if until, ok := ctx.Deadline(); ok && i < len(order)-1 {
			ctx, cancel = context.WithTimeout(ctx, time.Until(until)/time.Duration(len(order)-i))
		}
		w, err = g.dial(ctx)
		cancel()
		if err == nil {
			return w, g, nil
		}
		gs.avoid(g)
	}
	return nil, nil, err
}

// refuseDial is the error of an address or option that cannot be.
func refuseDial(why string) error { return &Error{Call: "dial", Err: explain(ErrArgument, why)} }

// gatewayAt is the gateway at an address.
func gatewayAt(addr string, o *options) (*gateway, error) {
	if !strings.Contains(addr, "://") {
		if len(o.header) > 0 {
			return nil, refuseDial("headers go over HTTP: the address begins with http:// or https://")
		}
		config := o.tls
		if config != nil && config.ServerName == "" {
			config = config.Clone()
			config.ServerName = hostOf(addr)
		}
		var spoken atomic.Pointer[bool] // in frames, once it is known
		dial := func(ctx context.Context) (wire, error) {
			if framed := spoken.Load(); framed != nil {
				return dialSocket(ctx, addr, config, *framed)
			}
			s, framed, err := dialFirst(ctx, func(framed bool) (*socket, error) { return dialSocket(ctx, addr, config, framed) })
			if err != nil {
				return nil, err
			}
			spoken.Store(&framed)
			return s, nil
		}
		return &gateway{dial: dial, release: func() {}, socket: true}, nil
	}
	u, err := url.Parse(addr)
	switch {
	case err != nil: // which would show all of it
		return nil, refuseDial("the address is no URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, refuseDial("the address is host:port, http://host:port/ or https://host:port/")
	case u.User != nil || u.RawQuery != "":
		return nil, refuseDial("a user, password or token goes in a Header, not in the address")
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		TLSClientConfig:     o.tls,
		ForceAttemptHTTP2:   true,
		MaxConnsPerHost:     o.connections,
		MaxIdleConnsPerHost: o.connections,
		IdleConnTimeout:     90 * time.Second,
	}
	client := &http.Client{
		Transport: withHeader{transport, o.header},
		// The headers are for this server, not for where it sends one.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	met := new(atomic.Bool)
	dial := func(context.Context) (wire, error) { return newPost(addr, client, met), nil }
	return &gateway{dial: dial, release: transport.CloseIdleConnections}, nil
}

func hostOf(addr string) string {
	if i := strings.LastIndexByte(addr, ':'); i >= 0 {
		addr = addr[:i]
	}
	return strings.Trim(addr, "[]")
}
