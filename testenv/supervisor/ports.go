package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// Below the ports that the kernel gives to outgoing connections: one of those
// could take the place of an API server while it is stopped.
const (
	firstPort = 25000
	lastPort  = 31999
)

// port is a free port on loopback that no other supervisor takes meanwhile.
type port struct {
	number int
	// An abstract socket whose name holds the number. The kernel lets go of
	// it when we end, however we end.
	claim net.Listener
}

func (p port) String() string { return fmt.Sprint(p.number) }

func claimPort() (port, error) {
	for range 200 {
		number := firstPort + rand.IntN(lastPort-firstPort+1)
		claim, err := net.Listen("unix", fmt.Sprintf("@headway-testenv-port-%d", number))
		if err != nil {
			continue
		}
		if free(number) {
			return port{number, claim}, nil
		}
		claim.Close()
	}
	return port{}, errors.New("no free port on loopback")
}

func free(number int) bool {
	listener, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", number))
	if err != nil {
		return false
	}
	listener.Close()
	return true
}
