//! The operator in the hooks role, and what asks it.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::Value;
use tempfile::TempDir;

pub(super) const NAMESPACE: &str = "headway-system";

/// Machines that build at the same time are slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running operator; dropping it kills it.
pub(super) struct Operator {
    child: Child,
    listen: String,
    pub(super) hooks: String,
    folder: TempDir,
}

impl Operator {
    /// Starts one as somebody.
    pub(super) fn start(kubeconfig: &Path, arguments: &[String]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (listen, hooks) = (free_address(), free_address());
        let log = File::create(folder.path().join("log")).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_headway-operator"))
            .env_clear()
            .env("POD_NAMESPACE", NAMESPACE)
            .args(arguments.iter().filter(|argument| !argument.contains("listen=") && !argument.contains("log-format")))
            .args(["--kubeconfig", kubeconfig.to_str().unwrap(), "--log-format", "text"])
            .args(["--listen", &listen, "--hooks-listen", &hooks])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Self { child, listen, hooks, folder }
    }

    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    pub(super) fn wait(&self, what: &str, mut is: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !is() {
            assert!(begun.elapsed() < PATIENCE, "it is not so that {what}; the log:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.probe("/readyz").is_some_and(|answer| answer.starts_with("HTTP/1.0 200"))
    }

    /// What a probe is answered.
    pub(super) fn probe(&self, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect(&self.listen).ok()?;
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n").ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        Some(text)
    }

    /// Asks a hook as Cluster API does: by the name of the Service, trusting one authority.
    pub(super) fn ask(&self, name: &str, authority: &[u8], path: &str, body: &Value) -> Result<Value, String> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(authority).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_root_certificates(roots).with_no_client_auth();
        let server = ServerName::try_from(name.to_owned()).unwrap();
        let connection = ClientConnection::new(Arc::new(config), server).unwrap();
        let stream = TcpStream::connect(&self.hooks).map_err(|error| error.to_string())?;
        let mut stream = StreamOwned::new(connection, stream);
        let body = body.to_string();
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\nContent-Length: {}", body.len());
        write!(stream, "{head}\r\n\r\n{body}").map_err(|error| error.to_string())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(|error| error.to_string())?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("no head")?;
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        serde_json::from_str(body).map_err(|error| format!("{error}: {answer}"))
    }

    /// Asks it to stop, as the kubelet does.
    pub(super) fn stop(mut self) {
        assert!(Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap().success());
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{}", self.log());
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not stop:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("the operator's log:\n{}", self.log());
        }
    }
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}
