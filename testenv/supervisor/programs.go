package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"
)

// How long programs may take until all of them are ready: ten seconds on an
// idle machine.
const programsPatience = 180 * time.Second

// program is what a test wants to run beside the API server, such as a
// manager of Cluster API.
type program struct {
	// Its log is named after it.
	Name string   `json:"name"`
	Path string   `json:"path"`
	Args []string `json:"args"`
	// As NAME=VALUE.
	Env []string `json:"env"`
	// A URL that answers 200 when the program is ready.
	Ready string `json:"ready"`
}

// claim gives ports that nobody else takes while we run.
func (p *plane) claim(count int) ([]int, error) {
	numbers := make([]int, 0, count)
	for range count {
		claimed, err := claimPort()
		if err != nil {
			return nil, err
		}
		p.claimed = append(p.claimed, claimed)
		numbers = append(numbers, claimed.number)
	}
	return numbers, nil
}

// run starts all of them and waits until each is ready. They end with the plane.
func (p *plane) run(alive context.Context, programs []program) error {
	alive, cancel := context.WithTimeout(alive, programsPatience)
	defer cancel()
	started := make([]*process, 0, len(programs))
	for _, it := range programs {
		process := &process{
			name: it.Name,
			path: it.Path,
			args: it.Args,
			env:  it.Env,
			log:  filepath.Join(p.options.dir, it.Name+".log"),
		}
		if err := process.start(); err != nil {
			return err
		}
		p.programs = append(p.programs, process)
		started = append(started, process)
	}
	for at, it := range programs {
		if err := awaitReady(alive, started[at], it.Ready); err != nil {
			return err
		}
	}
	return nil
}

func awaitReady(alive context.Context, process *process, url string) error {
	for !answers(alive, http.DefaultClient, url) {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-process.ended:
			return process.gone()
		case <-alive.Done():
			if err := context.Cause(alive); err != context.DeadlineExceeded {
				return err
			}
			return fmt.Errorf("%s is not ready after %v; its log ends with:\n%s", process.name, programsPatience, process.tail())
		}
	}
	return nil
}

// answers tells whether there is a server that is content with itself.
func answers(alive context.Context, client *http.Client, url string) bool {
	alive, cancel := context.WithTimeout(alive, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(alive, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}
