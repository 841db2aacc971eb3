package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
)

func newEtcd(path, dir string, client, peer port) *process {
	clients := "http://127.0.0.1:" + client.String()
	peers := "http://127.0.0.1:" + peer.String()
	return &process{
		name: "etcd",
		path: path,
		log:  filepath.Join(dir, "etcd.log"),
		args: []string{
			"--name=testenv",
			"--data-dir=" + filepath.Join(dir, "etcd"),
			"--listen-client-urls=" + clients,
			"--advertise-client-urls=" + clients,
			"--listen-peer-urls=" + peers,
			"--initial-advertise-peer-urls=" + peers,
			"--initial-cluster=testenv=" + peers,
			// The data does not outlive the test, let alone a power failure.
			"--unsafe-no-fsync",
			// A bench of a large cluster writes more than the default 2 GiB
			// between two compactions.
			"--quota-backend-bytes=8589934592",
			"--log-level=warn",
		},
	}
}

// compact forgets all history: who asks for what came after a revision that
// was told before now hears that it is gone.
func (p *plane) compact(alive context.Context) error {
	// The events after revision R begin at R+1, and a store compacted to C
	// still serves those from C on: so C is two more than was ever told. The
	// API server does not look at keys outside of its own prefix.
	entry := map[string]any{"key": encodeBase64("headway-testenv/compact")}
	var written struct {
		Header struct {
			Revision string `json:"revision"`
		} `json:"header"`
	}
	for range 2 {
		if err := p.askEtcd(alive, "/v3/kv/put", entry, &written); err != nil {
			return err
		}
	}
	var done struct{}
	body := map[string]any{"revision": written.Header.Revision, "physical": true}
	return p.askEtcd(alive, "/v3/kv/compaction", body, &done)
}

func encodeBase64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// askEtcd uses the JSON gateway that etcd serves beside gRPC, so that this
// program needs no client library.
func (p *plane) askEtcd(alive context.Context, path string, body, into any) error {
	alive, cancel := context.WithTimeout(alive, patience)
	defer cancel()
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	url := "http://127.0.0.1:" + p.etcdPort.String() + path
	request, err := http.NewRequestWithContext(alive, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("cannot ask etcd: %w", err)
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("cannot ask etcd: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd refuses %s: %s", path, text)
	}
	return json.Unmarshal(text, into)
}
