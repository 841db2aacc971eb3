package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// How long a process may take to end when it is asked to. The API server
// needs a second; one that hangs on a paused etcd would take minutes.
const patience = 10 * time.Second

// process is a program that is started and stopped again and again.
type process struct {
	name string
	path string
	args []string
	// Beyond what every process gets, as NAME=VALUE.
	env []string
	log string

	command *exec.Cmd
	// Closed when the process has ended; outcome holds from then on.
	ended   chan struct{}
	outcome error
}

func (p *process) start() error {
	if p.running() {
		return fmt.Errorf("%s is running already", p.name)
	}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	command := exec.Command(p.path, p.args...)
	command.Stdout = log
	command.Stderr = log
	command.Dir = filepath.Dir(p.log)
	// Nothing of the developer's environment (proxies, ETCD_… settings) may
	// change what a test sees.
	command.Env = append([]string{"HOME=" + command.Dir, "PATH=/usr/bin:/bin"}, p.env...)
	// Whatever ends us, even SIGKILL, ends the child. A group of its own
	// keeps a Ctrl-C at the terminal from reaching it before us.
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := command.Start(); err != nil {
		return fmt.Errorf("cannot start %s: %w", p.name, err)
	}
	p.command = command
	ended := make(chan struct{})
	p.ended = ended
	go func() {
		p.outcome = command.Wait()
		close(ended)
	}()
	return nil
}

func (p *process) running() bool {
	if p.command == nil {
		return false
	}
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

func (p *process) pid() int {
	if !p.running() {
		return 0
	}
	return p.command.Process.Pid
}

// stop asks the process to end, and makes it after a while.
func (p *process) stop() error {
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	// A paused process hears nothing.
	if err := p.signal(syscall.SIGCONT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(patience):
		return p.kill()
	}
}

// kill ends the process at once, as a crash would.
func (p *process) kill() error {
	if err := p.signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.ended
	return nil
}

func (p *process) pause() error  { return p.signal(syscall.SIGSTOP) }
func (p *process) resume() error { return p.signal(syscall.SIGCONT) }

func (p *process) signal(s syscall.Signal) error {
	if !p.running() {
		return p.gone()
	}
	if err := p.command.Process.Signal(s); err != nil {
		return fmt.Errorf("cannot signal %s: %w", p.name, err)
	}
	return nil
}

// gone says that the process does not run, and why as far as it is known.
func (p *process) gone() error {
	if p.command == nil {
		return fmt.Errorf("%s was never started", p.name)
	}
	how := "without an error"
	if p.outcome != nil {
		how = p.outcome.Error()
	}
	return fmt.Errorf("%s does not run, it ended with %s; its log ends with:\n%s", p.name, how, p.tail())
}

// tail gives the end of the log.
func (p *process) tail() string {
	const much = 2000
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	if len(text) > much {
		text = text[len(text)-much:]
	}
	return strings.TrimSpace(string(text))
}
