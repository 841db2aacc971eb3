//! A Prometheus that says one thing, over TLS and to those who show its token.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use headway_testenv::Serving;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};

/// The server; it ends with the process.
pub(super) struct Prometheus {
    address: SocketAddr,
    /// The first lines and the tokens of the requests that came.
    asked: Arc<Mutex<Vec<String>>>,
}

/// Who may ask.
pub(super) const TOKEN: &str = "alerts-are-mine";

impl Prometheus {
    /// Starts one that answers with a text.
    pub(super) fn start(serving: &Serving, answer: Vec<u8>) -> Self {
        let certificates = CertificateDer::pem_file_iter(&serving.certificate).unwrap().map(Result::unwrap).collect();
        let key = PrivateKeyDer::from_pem_file(&serving.key).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = Arc::new(config.with_no_client_auth().with_single_cert(certificates, key).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = asked.clone();
        thread::spawn(move || {
            for tcp in listener.incoming() {
                let (Ok(mut tcp), Ok(mut tls)) = (tcp, ServerConnection::new(config.clone())) else { continue };
                let mut stream = Stream::new(&mut tls, &mut tcp);
                let mut request = Vec::new();
                let mut piece = [0; 1024];
                while !request.ends_with(b"\r\n\r\n") {
                    match stream.read(&mut piece) {
                        Ok(read) if read > 0 => request.extend_from_slice(&piece[..read]),
                        // A client that does not believe the certificate hangs up.
                        Ok(_) | Err(_) => break,
                    }
                }
                if request.is_empty() {
                    continue;
                }
                let request = String::from_utf8_lossy(&request).into_owned();
                let may = request.to_lowercase().contains(&format!("authorization: bearer {TOKEN}"));
                heard.lock().unwrap().push(request);
                let (line, body) = if may { ("200 OK", answer.as_slice()) } else { ("403 Forbidden", &b""[..]) };
                let head = format!("HTTP/1.1 {line}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)));
                tls.send_close_notify();
                drop(tls.complete_io(&mut tcp));
            }
        });
        Self { address, asked }
    }

    pub(super) fn url(&self) -> String {
        format!("https://{}", self.address)
    }

    pub(super) fn host(&self) -> String {
        self.address.to_string()
    }

    /// What was asked so far.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// A file with a token.
pub(super) fn token_file(folder: &Path, token: &str) -> String {
    let path = folder.join("token");
    std::fs::write(&path, format!("{token}\n")).unwrap();
    path.to_str().unwrap().to_owned()
}
