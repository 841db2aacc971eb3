package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"path/filepath"
	"time"
)

// How long the API server may take to be ready. It takes four seconds on an
// idle machine; four of them at once on two busy cores have taken thirty.
const startPatience = 120 * time.Second

// Who asks whether the API server is ready. The audit log leaves it out.
const prober = "headway-testenv"

// Every request once, when it is over, and each watch also when it begins.
// That we ask whether the server is ready is nobody's business.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  users: [` + prober + `]
- level: Metadata
`

func newApiserver(path, dir string, secure, etcd port, further []string) *process {
	pki := func(name string) string { return filepath.Join(dir, "pki", name) }
	args := []string{
		"--etcd-servers=http://127.0.0.1:" + etcd.String(),
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--secure-port=" + secure.String(),
		"--tls-cert-file=" + pki("apiserver.crt"),
		"--tls-private-key-file=" + pki("apiserver.key"),
		"--client-ca-file=" + pki("ca.crt"),
		"--authorization-mode=Node,RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + pki("accounts.pub"),
		"--service-account-signing-key-file=" + pki("accounts.key"),
		"--service-cluster-ip-range=10.96.0.0/16",
		// One server without pods behind it needs no endpoints.
		"--endpoint-reconciler-type=none",
		// It would refuse pods until a controller, which does not run here,
		// has made the account `default` of their namespace.
		"--disable-admission-plugins=ServiceAccount",
		"--audit-policy-file=" + filepath.Join(dir, "audit-policy.yaml"),
		"--audit-log-path=" + filepath.Join(dir, "audit.log"),
		"--audit-log-format=json",
		// In megabytes: the log stays one file, however long a bench runs.
		"--audit-log-maxsize=1000000",
		"--profiling=false",
	}
	return &process{
		name: "kube-apiserver",
		path: path,
		log:  filepath.Join(dir, "apiserver.log"),
		args: append(args, further...),
	}
}

// startApiserver starts it and waits until it is ready.
func (p *plane) startApiserver(alive context.Context) error {
	if err := p.apiserver.start(); err != nil {
		return err
	}
	alive, cancel := context.WithTimeout(alive, startPatience)
	defer cancel()
	for {
		if p.isReady(alive) {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-p.apiserver.ended:
			return p.apiserver.gone()
		case <-p.etcd.ended:
			return p.etcd.gone()
		case <-alive.Done():
			if err := context.Cause(alive); err != context.DeadlineExceeded {
				return err
			}
			return fmt.Errorf("kube-apiserver is not ready after %v; its log ends with:\n%s", startPatience, p.apiserver.tail())
		}
	}
}

func (p *plane) isReady(alive context.Context) bool {
	return answers(alive, p.probe, p.server()+"/readyz")
}

func (p *plane) server() string { return "https://127.0.0.1:" + p.apiserverPort.String() }

// newProbe is a client that may ask for /readyz.
func newProbe(a *authority) (*http.Client, error) {
	user, err := a.client(prober, "system:masters")
	if err != nil {
		return nil, err
	}
	certificate, err := tls.X509KeyPair(user.certificate, user.key)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(a.certificate)
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{certificate}},
		// A connection that is kept would be one that the server must wait
		// for when it stops.
		DisableKeepAlives: true,
	}}, nil
}

// kubeconfig holds the keys themselves, so that the file can be copied.
func kubeconfig(server string, ca []byte, user string, keys pair) []byte {
	inline := base64.StdEncoding.EncodeToString
	return []byte(`apiVersion: v1
kind: Config
clusters:
- name: testenv
  cluster:
    server: ` + server + `
    certificate-authority-data: ` + inline(ca) + `
users:
- name: ` + user + `
  user:
    client-certificate-data: ` + inline(keys.certificate) + `
    client-key-data: ` + inline(keys.key) + `
contexts:
- name: testenv
  context:
    cluster: testenv
    user: ` + user + `
current-context: testenv
`)
}
