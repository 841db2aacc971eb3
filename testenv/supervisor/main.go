// Command headway-testenv runs an etcd and a kube-apiserver for one test and
// leaves nothing behind: no process, no folder.
//
//	headway-testenv run --dir DIR --etcd PATH --kube-apiserver PATH
//
// It prints one line of JSON when the API server is ready, then answers each
// line of JSON on standard input with one on standard output (protocol.go).
// The end of standard input means that the parent is gone, and so is
// everything here a moment later. With --until-signal it does not read
// standard input and ends on SIGTERM or SIGINT.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// The kernel kills our children when the thread that started them ends
// (Pdeathsig, process.go). The main goroutine starts them all, and it stays
// on the main thread, which lives as long as the process.
func init() {
	runtime.LockOSThread()
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// options are what the command line asks for.
type options struct {
	dir            string
	etcd           string
	apiserver      string
	apiserverFlags repeated
	keep           bool
	untilSignal    bool
}

// repeated is a flag that may be given several times.
type repeated []string

func (r *repeated) String() string { return strings.Join(*r, " ") }

func (r *repeated) Set(value string) error {
	*r = append(*r, value)
	return nil
}

func parse(arguments []string) (options, error) {
	var o options
	if len(arguments) == 0 || arguments[0] != "run" {
		return o, errors.New("usage: headway-testenv run --dir DIR --etcd PATH --kube-apiserver PATH")
	}
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.StringVar(&o.dir, "dir", "", "folder for everything the two write; it must be empty or not there yet, and is removed at the end")
	flags.StringVar(&o.etcd, "etcd", "", "the etcd to run")
	flags.StringVar(&o.apiserver, "kube-apiserver", "", "the kube-apiserver to run")
	flags.Var(&o.apiserverFlags, "apiserver-flag", "a further flag for the kube-apiserver, such as --max-requests-inflight=10; may be repeated")
	flags.BoolVar(&o.keep, "keep", false, "keep the folder at the end")
	flags.BoolVar(&o.untilSignal, "until-signal", false, "run until SIGTERM or SIGINT and take no commands")
	if err := flags.Parse(arguments[1:]); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	for name, value := range map[string]string{"dir": o.dir, "etcd": o.etcd, "kube-apiserver": o.apiserver} {
		if value == "" {
			return o, fmt.Errorf("--%s is missing", name)
		}
	}
	var err error
	o.dir, err = filepath.Abs(o.dir)
	return o, err
}

func run(arguments []string) error {
	o, err := parse(arguments)
	if err != nil {
		return err
	}
	// A terminal that closes and a reader that is gone are no reason to leave
	// children behind: the end of standard input tells that the parent is gone.
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
	alive, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()

	var commands <-chan string
	if !o.untilSignal {
		commands, alive = readCommands(alive, os.Stdin)
	}

	if err := claimFolder(o.dir); err != nil {
		return err
	}
	p := newPlane(o)
	defer p.end()
	ready, err := p.start(alive)
	if err != nil {
		return err
	}
	if err := tell(os.Stdout, ready); err != nil {
		return err
	}
	return obey(alive, p, commands, os.Stdout)
}

// claimFolder makes the folder, or takes one that is empty: since it is
// removed at the end, nothing of anyone else's may be in it.
func claimFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty", dir)
	}
	return nil
}
