//! A server that Cluster API asks: it answers as it is told to, or hands on to another, and keeps what was said.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use headway_api::hooks::Hook;
use headway_testenv::Serving;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, Stream};
use serde_json::Value;

/// One call of a hook and what was answered.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) hook: String,
    pub(super) request: Value,
    pub(super) response: Value,
    pub(super) at: Instant,
}

impl Call {
    /// Whether the answer holds the upgrade up.
    pub(super) fn holds(&self) -> bool {
        self.response["retryAfterSeconds"].as_i64().is_some_and(|seconds| seconds > 0)
    }

    /// The hook, with the version that the call is about.
    pub(super) fn about(&self) -> String {
        let version = ["toKubernetesVersion", "kubernetesVersion"].into_iter().find_map(|it| self.request[it].as_str());
        format!("{} {}", self.hook, version.unwrap_or_default()).trim_end().to_owned()
    }
}

/// The server; it ends with the process.
pub(super) struct Extension {
    address: SocketAddr,
    calls: Arc<Mutex<Vec<Call>>>,
}

/// Who answers: the path and the body of a call in, the body of the answer out.
pub(super) type Answer = dyn Fn(&str, &[u8]) -> Vec<u8> + Send + Sync;

impl Extension {
    pub(super) fn start(serving: &Serving, answer: Box<Answer>) -> Self {
        let certificates = CertificateDer::pem_file_iter(&serving.certificate).unwrap().map(Result::unwrap).collect();
        let key = PrivateKeyDer::from_pem_file(&serving.key).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = Arc::new(config.with_no_client_auth().with_single_cert(certificates, key).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let calls = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer) = (calls.clone(), Arc::new(answer));
        thread::spawn(move || {
            for tcp in listener.incoming().flatten() {
                let (config, answer, kept) = (config.clone(), answer.clone(), kept.clone());
                // One that hangs up in the middle is Cluster API's to try again, and then one call more.
                thread::spawn(move || drop(serve(tcp, config, &**answer, &kept)));
            }
        });
        Self { address, calls }
    }

    pub(super) fn url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// All calls so far, but those that ask which hooks there are.
    pub(super) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().iter().filter(|call| call.hook != Hook::Discovery.name()).cloned().collect()
    }
}

/// Has another server answer, which shows a certificate of the same authority.
pub(super) fn relay(serving: &Serving, to: SocketAddr) -> Box<Answer> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&serving.authority).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_root_certificates(roots).with_no_client_auth());
    Box::new(move |path, body| {
        let mut tcp = TcpStream::connect(to).unwrap();
        let mut tls = ClientConnection::new(config.clone(), ServerName::try_from("localhost").unwrap()).unwrap();
        let mut stream = Stream::new(&mut tls, &mut tcp);
        // No content-type: Cluster API sends none either.
        let head = format!("POST {path} HTTP/1.1\r\nhost: {to}\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).unwrap();
        let (head, answer) = read(&mut stream).unwrap();
        assert!(head.starts_with("HTTP/1.1 200 "), "{path}: {head}");
        answer
    })
}

/// Answers one request.
fn serve(mut tcp: TcpStream, config: Arc<ServerConfig>, answer: &Answer, kept: &Mutex<Vec<Call>>) -> io::Result<()> {
    let mut tls = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut stream = Stream::new(&mut tls, &mut tcp);
    let (head, body) = read(&mut stream)?;
    let path = head.split(' ').nth(1).unwrap_or_default();
    let answered = answer(path, &body);
    let (request, response) = (serde_json::from_slice(&body)?, serde_json::from_slice(&answered)?);
    // Before the answer is sent: who acts upon it finds it here.
    kept.lock().unwrap().push(Call { hook: hook(path), request, response, at: Instant::now() });
    let length = answered.len();
    let kind = "application/json";
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n")?;
    stream.write_all(&answered)?;
    tls.send_close_notify();
    tls.complete_io(&mut tcp).map(drop)
}

/// The head and the body of a message whose length is told.
fn read(stream: &mut impl Read) -> io::Result<(String, Vec<u8>)> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body)?;
    Ok((head, body))
}

/// The hook that a path is about.
pub(super) fn hook(path: &str) -> String {
    let segment = path.split(['/', '?']).nth(3).unwrap_or_default();
    Hook::of_segment(segment).map_or(segment, |hook| hook.name()).to_owned()
}
