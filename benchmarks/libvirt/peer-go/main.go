// The libvirt benchmark's peer on go-libvirt. It connects, prints a ready line, then reads one command per line and
// answers each with one line of JSON. The commands are listed in README.md beside the folder.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/digitalocean/go-libvirt"
	"github.com/digitalocean/go-libvirt/socket/dialers"
)

const moduleName = "github.com/digitalocean/go-libvirt"

type answer struct {
	Operations int     `json:"operations"`
	Items      int     `json:"items"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
}

type clock struct {
	wall time.Time
	cpu  time.Duration
}

type listener struct {
	stop   context.CancelFunc
	events <-chan any
	from   clock
	wanted int
}

type peer struct {
	address    *url.URL
	connection *libvirt.Libvirt
	domain     libvirt.Domain
	listener   *listener
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: peer URI")
		os.Exit(2)
	}
	peer, err := newPeer(os.Args[1])
	if err != nil {
		print(map[string]string{"error": err.Error()})
		os.Exit(1)
	}
	print(map[string]string{"ready": "go-libvirt " + moduleVersion()})
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		result, err := peer.run(strings.Fields(lines.Text()))
		if err != nil {
			print(map[string]string{"error": err.Error()})
			continue
		}
		print(result)
	}
	_ = peer.connection.Disconnect()
}

func newPeer(uri string) (*peer, error) {
	address, err := url.Parse(uri)
	if err != nil {
		return nil, err
	}
	peer := &peer{address: address}
	if peer.connection, err = peer.open(); err != nil {
		return nil, err
	}
	peer.domain, err = peer.connection.DomainLookupByName("test")
	return peer, err
}

// The daemon is told the URI without the transport: test+tcp://host:port/default is test:///default there.
func (p *peer) open() (*libvirt.Libvirt, error) {
	connection := libvirt.NewWithDialer(dialers.NewRemote(p.address.Hostname(), dialers.UsePort(p.address.Port())))
	driver, _, _ := strings.Cut(p.address.Scheme, "+")
	return connection, connection.ConnectToURI(libvirt.ConnectURI(driver + "://" + p.address.Path))
}

func (p *peer) run(words []string) (answer, error) {
	if len(words) == 0 {
		return answer{}, fmt.Errorf("empty command")
	}
	count, err := numberAt(words, 1, 0)
	if err != nil {
		return answer{}, err
	}
	depth, err := numberAt(words, 2, 1)
	if err != nil {
		return answer{}, err
	}
	switch words[0] {
	case "version-serial", "version-pipelined":
		return pipelined(p.version, count, depth)
	case "info-serial", "info-pipelined":
		return pipelined(p.info, count, depth)
	case "connect":
		return p.connect(count)
	case "stats":
		return p.stats(count)
	case "listen":
		return p.listen(count)
	case "await-events":
		return p.awaitEvents()
	}
	return answer{}, fmt.Errorf("unknown command: %s", words[0])
}

func (p *peer) version() error {
	_, err := p.connection.ConnectGetLibVersion()
	return err
}

func (p *peer) info() error {
	_, _, _, _, _, err := p.connection.DomainGetInfo(p.domain)
	return err
}

// Serial is a depth of one; it runs in this goroutine, so nothing is scheduled that a plain loop would not.
func pipelined(call func() error, count, depth int) (answer, error) {
	calls := count / depth
	from := readClock()
	if depth == 1 {
		err := repeat(call, calls)
		return from.answer(calls, calls), err
	}
	failures := make(chan error, depth)
	var callers sync.WaitGroup
	for range depth {
		callers.Go(func() {
			if err := repeat(call, calls); err != nil {
				failures <- err
			}
		})
	}
	callers.Wait()
	result := from.answer(calls*depth, calls*depth)
	select {
	case err := <-failures:
		return answer{}, err
	default:
		return result, nil
	}
}

func repeat(call func() error, times int) error {
	for range times {
		if err := call(); err != nil {
			return err
		}
	}
	return nil
}

func (p *peer) connect(count int) (answer, error) {
	from := readClock()
	for range count {
		connection, err := p.open()
		if err != nil {
			return answer{}, err
		}
		if err := connection.Disconnect(); err != nil {
			return answer{}, err
		}
	}
	return from.answer(count, count), nil
}

func (p *peer) stats(count int) (answer, error) {
	items := 0
	from := readClock()
	for range count {
		records, err := p.connection.ConnectGetAllDomainStats(nil, 0, 0)
		if err != nil {
			return answer{}, err
		}
		for _, record := range records {
			items += len(record.Params)
		}
	}
	return from.answer(count, items), nil
}

func (p *peer) listen(wanted int) (answer, error) {
	ctx, stop := context.WithCancel(context.Background())
	events, err := p.connection.SubscribeEvents(ctx, libvirt.DomainEventIDLifecycle, libvirt.OptDomain{})
	if err != nil {
		stop()
		return answer{}, err
	}
	p.listener = &listener{stop: stop, events: events, from: readClock(), wanted: wanted}
	return answer{}, nil
}

// Wall time runs from the first event to the last, CPU time from the registration, so that no event's work is lost.
func (p *peer) awaitEvents() (answer, error) {
	listening := p.listener
	if listening == nil {
		return answer{}, fmt.Errorf("await-events before listen")
	}
	p.listener = nil
	defer listening.stop()
	for seen := range listening.wanted {
		if _, open := <-listening.events; !open {
			return answer{}, fmt.Errorf("events ended after %d of %d", seen, listening.wanted)
		}
		if seen == 0 {
			listening.from.wall = time.Now()
		}
	}
	return listening.from.answer(listening.wanted, listening.wanted), nil
}

func (from clock) answer(operations, items int) answer {
	to := readClock()
	return answer{operations, items, to.wall.Sub(from.wall).Seconds(), (to.cpu - from.cpu).Seconds()}
}

func readClock() clock {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return clock{time.Now(), time.Duration(usage.Utime.Nano() + usage.Stime.Nano())}
}

func numberAt(words []string, index, otherwise int) (int, error) {
	if len(words) <= index {
		return otherwise, nil
	}
	number, err := strconv.Atoi(words[index])
	if err != nil || number < otherwise {
		return 0, fmt.Errorf("not a number of at least %d: %s", otherwise, words[index])
	}
	return number, nil
}

func moduleVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == moduleName {
			return module.Version
		}
	}
	return "unknown"
}

func print(line any) {
	if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
		panic(err)
	}
}
