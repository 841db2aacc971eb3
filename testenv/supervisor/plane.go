package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// plane is one etcd with one API server, and their folder.
type plane struct {
	options       options
	etcd          *process
	apiserver     *process
	etcdPort      port
	apiserverPort port
	probe         *http.Client
	// What runs beside the API server, in the order of their start.
	programs []*process
	// Ports that programs were told to take: claimed until we end.
	claimed []port
	ended   bool
}

// ready is the first line on standard output.
type ready struct {
	Kubeconfig string  `json:"kubeconfig"`
	Server     string  `json:"server"`
	Authority  string  `json:"authority"`
	AuditLog   string  `json:"auditLog"`
	Pids       pids    `json:"pids"`
	Other      serving `json:"other"`
	StartedIn  int64   `json:"startedInMilliseconds"`
}

type pids struct {
	Supervisor int `json:"supervisor"`
	Etcd       int `json:"etcd"`
	Apiserver  int `json:"apiserver"`
}

// serving names what a test needs to serve TLS as somebody whom the API
// server's authority does not vouch for.
type serving struct {
	Authority   string `json:"authority"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
	// The authority as objects of the API hold it: PEM in base64.
	Bundle string `json:"bundle"`
}

func newPlane(o options) *plane {
	return &plane{options: o}
}

// start brings both up and waits until the API server is ready.
func (p *plane) start(alive context.Context) (ready, error) {
	begun := time.Now()
	peer, err := p.claimPorts()
	if err != nil {
		return ready{}, err
	}
	dir := p.options.dir
	told := ready{
		Kubeconfig: filepath.Join(dir, "kubeconfig"),
		Server:     p.server(),
		Authority:  filepath.Join(dir, "pki", "ca.crt"),
		AuditLog:   filepath.Join(dir, "audit.log"),
		Other: serving{
			Authority:   filepath.Join(dir, "other", "ca.crt"),
			Certificate: filepath.Join(dir, "other", "serving.crt"),
			Key:         filepath.Join(dir, "other", "serving.key"),
		},
	}
	other, err := newAuthority("testenv-other")
	if err != nil {
		return ready{}, err
	}
	told.Other.Bundle = encodeBase64(string(other.pem))
	p.etcd = newEtcd(p.options.etcd, dir, p.etcdPort, peer)
	p.apiserver = newApiserver(p.options.apiserver, dir, p.apiserverPort, p.etcdPort, p.options.apiserverFlags)
	// It is up before the API server asks for it: certificates take a moment.
	if err := p.etcd.start(); err != nil {
		return ready{}, err
	}
	if err := p.writeFiles(told, other); err != nil {
		return ready{}, err
	}
	if err := p.startApiserver(alive); err != nil {
		return ready{}, err
	}
	told.Pids = pids{os.Getpid(), p.etcd.pid(), p.apiserver.pid()}
	told.StartedIn = time.Since(begun).Milliseconds()
	return told, nil
}

func (p *plane) claimPorts() (peer port, err error) {
	for _, place := range []*port{&p.etcdPort, &peer, &p.apiserverPort} {
		if *place, err = claimPort(); err != nil {
			return peer, err
		}
	}
	return peer, nil
}

// writeFiles writes keys, certificates, the audit policy and the kubeconfig.
func (p *plane) writeFiles(told ready, other *authority) error {
	ours, err := newAuthority("testenv")
	if err != nil {
		return err
	}
	if p.probe, err = newProbe(ours); err != nil {
		return err
	}
	server, err := ours.serving("kube-apiserver", "kubernetes", "kubernetes.default", "kubernetes.default.svc")
	if err != nil {
		return err
	}
	admin, err := ours.client("admin", "system:masters")
	if err != nil {
		return err
	}
	private, public, err := accountKeys()
	if err != nil {
		return err
	}
	service, err := other.serving("localhost")
	if err != nil {
		return err
	}
	dir := p.options.dir
	for _, name := range []string{"pki", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			return err
		}
	}
	return writeFiles(map[string][]byte{
		told.Kubeconfig:        kubeconfig(told.Server, ours.pem, "admin", admin),
		told.Authority:         ours.pem,
		told.Other.Authority:   other.pem,
		told.Other.Certificate: service.certificate,
		told.Other.Key:         service.key,
		filepath.Join(dir, "pki", "apiserver.crt"): server.certificate,
		filepath.Join(dir, "pki", "apiserver.key"): server.key,
		filepath.Join(dir, "pki", "accounts.key"):  private,
		filepath.Join(dir, "pki", "accounts.pub"):  public,
		filepath.Join(dir, "audit-policy.yaml"):    []byte(auditPolicy),
	})
}

// end kills all and removes the folder. What they hold is worth nothing
// then, unless the folder is kept: then they may finish.
func (p *plane) end() {
	if p.ended {
		return
	}
	p.ended = true
	// Nothing is left without what it talks to: that would fill its log.
	all := append(slices.Clone(p.programs), p.apiserver, p.etcd)
	for _, it := range all {
		if it == nil || !it.running() {
			continue
		}
		if p.options.keep {
			_ = it.stop()
			continue
		}
		_ = it.signal(syscall.SIGKILL)
	}
	for _, it := range all {
		if it != nil && it.command != nil {
			<-it.ended
		}
	}
	if !p.options.keep {
		if err := os.RemoveAll(p.options.dir); err != nil {
			os.Stderr.WriteString("cannot remove " + p.options.dir + ": " + err.Error() + "\n")
		}
	}
}
