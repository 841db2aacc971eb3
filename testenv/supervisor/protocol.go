package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// request is one line on standard input.
type request struct {
	Command string `json:"command"`
	// How many ports to claim.
	Ports int `json:"ports,omitempty"`
	// What to run.
	Programs []program `json:"programs,omitempty"`
}

// answer is the line that each request gets on standard output.
type answer struct {
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
	// The process of the API server, which a restart changes; none while it is stopped.
	Apiserver int `json:"apiserver,omitempty"`
	// The ports that were claimed.
	Ports []int `json:"ports,omitempty"`
}

// readCommands hands the lines on. The context that it gives ends with the
// input, so that a command at work is given up when the parent is gone.
func readCommands(parent context.Context, input io.Reader) (<-chan string, context.Context) {
	alive, gone := context.WithCancel(parent)
	lines := make(chan string)
	go func() {
		defer gone()
		scanner := bufio.NewScanner(input)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-alive.Done():
				return
			}
		}
	}()
	return lines, alive
}

// obey carries out the commands one after the other until `stop`, the end of
// the input or a signal. It runs on the goroutine that may start processes.
func obey(alive context.Context, p *plane, commands <-chan string, output io.Writer) error {
	for {
		select {
		case <-alive.Done():
			return nil
		case line := <-commands:
			var r request
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				if err := tell(output, answer{Error: fmt.Sprintf("not a command: %v", err)}); err != nil {
					return err
				}
				continue
			}
			if r.Command == "stop" {
				p.end()
				return tell(output, answer{OK: true})
			}
			if err := tell(output, p.carryOut(alive, r)); err != nil {
				return err
			}
		}
	}
}

func (p *plane) carryOut(alive context.Context, r request) answer {
	var err error
	var ports []int
	switch r.Command {
	case "stop-apiserver":
		err = p.apiserver.stop()
	case "kill-apiserver":
		err = p.apiserver.kill()
	case "start-apiserver":
		err = p.startApiserver(alive)
	case "restart-apiserver":
		if err = p.apiserver.stop(); err == nil {
			err = p.startApiserver(alive)
		}
	case "pause-apiserver":
		err = p.apiserver.pause()
	case "resume-apiserver":
		err = p.apiserver.resume()
	case "pause-etcd":
		err = p.etcd.pause()
	case "resume-etcd":
		err = p.etcd.resume()
	case "compact":
		err = p.compact(alive)
	case "claim-ports":
		ports, err = p.claim(r.Ports)
	case "run":
		err = p.run(alive, r.Programs)
	default:
		err = fmt.Errorf("unknown command %q", r.Command)
	}
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{OK: true, Apiserver: p.apiserver.pid(), Ports: ports}
}

// tell writes one line of JSON.
func tell(output io.Writer, what any) error {
	line, err := json.Marshal(what)
	if err != nil {
		return err
	}
	_, err = output.Write(append(line, '\n'))
	return err
}
