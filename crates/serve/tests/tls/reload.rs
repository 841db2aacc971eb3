//! A server over real TLS: the certificate is replaced while it serves, and clients are let in by theirs.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use headway_serve::certificate::Authority;
use headway_serve::listen::Listener;
use headway_serve::tls::{CERTIFICATE_FILE, KEY_FILE, Pem, Tls, TlsError};
use jiff::Timestamp;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio_rustls::TlsConnector;

const NOW: &str = "2026-11-29T12:00:00Z";

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn issue(authority: &Authority) -> Pem {
    authority.issue(&["localhost".to_owned()], now()).unwrap().pem
}

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: tokio::task::JoinHandle<()>,
}

fn run(tls: &Tls) -> Running {
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.address();
    let (stop, stopped) = oneshot::channel();
    let tls = tls.clone();
    let serving = tokio::spawn(async move {
        let router = Router::new().route("/", get(|| async { "here\n" }));
        let stopped = async move {
            let _ = stopped.await;
        };
        listener.serve(&tls, router, stopped).await.unwrap();
    });
    Running { address, stop, serving }
}

fn root(authority: &Authority) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.certificate.as_bytes()).unwrap()).unwrap();
    roots
}

/// Asks over a connection of its own.
async fn ask(address: SocketAddr, trusts: &Authority, shows: Option<&Pem>) -> std::io::Result<String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let builder = builder.with_root_certificates(root(trusts));
    let config = match shows {
        None => builder.with_no_client_auth(),
        Some(pem) => {
            let certificates = CertificateDer::pem_slice_iter(&pem.certificates).map(Result::unwrap).collect();
            builder.with_client_auth_cert(certificates, PrivateKeyDer::from_pem_slice(&pem.key).unwrap()).unwrap()
        }
    };
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from("localhost").unwrap();
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(String::from_utf8(answer).unwrap())
}

fn is_here(answer: &std::io::Result<String>) -> bool {
    answer.as_ref().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200") && answer.ends_with("here\n"))
}

fn write(folder: &Path, pem: &Pem) {
    std::fs::write(folder.join(CERTIFICATE_FILE), &pem.certificates).unwrap();
    std::fs::write(folder.join(KEY_FILE), &pem.key).unwrap();
}

#[tokio::test]
async fn ch_5_5_a_certificate_is_replaced_while_it_serves() {
    let (one, other) = (Authority::new(now()).unwrap(), Authority::new(now()).unwrap());
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &issue(&one));
    let shown = Pem::of_folder(folder.path()).unwrap();
    let tls = Tls::new(&shown, None).unwrap();
    let running = run(&tls);
    let following = tokio::spawn(tls.follow(folder.path().to_owned(), shown, Duration::from_millis(20)));
    assert!(is_here(&ask(running.address, &one, None).await));
    assert!(ask(running.address, &other, None).await.is_err(), "a stranger is not trusted");

    // Half-written: the key does not fit the certificate, and the one before stays.
    let next = issue(&other);
    std::fs::write(folder.path().join(CERTIFICATE_FILE), &next.certificates).unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(is_here(&ask(running.address, &one, None).await));

    write(folder.path(), &next);
    for attempt in 0.. {
        if is_here(&ask(running.address, &other, None).await) {
            break;
        }
        assert!(attempt < 200, "the new certificate is not shown");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(ask(running.address, &one, None).await.is_err(), "the old one is shown no more");
    following.abort();
    running.stop.send(()).unwrap();
    running.serving.await.unwrap();
}

#[tokio::test]
async fn ch_5_8_clients_are_let_in_by_their_certificates() {
    let (ours, theirs, strange) =
        (Authority::new(now()).unwrap(), Authority::new(now()).unwrap(), Authority::new(now()).unwrap());
    let tls = Tls::new(&issue(&ours), Some(theirs.certificate.as_bytes())).unwrap();
    let running = run(&tls);
    let client = |authority: &Authority| authority.issue_client("cluster-api", now()).unwrap().pem;
    assert!(is_here(&ask(running.address, &ours, Some(&client(&theirs))).await));
    assert!(ask(running.address, &ours, None).await.is_err());
    assert!(ask(running.address, &ours, Some(&client(&strange))).await.is_err());
    running.stop.send(()).unwrap();
    running.serving.await.unwrap();
}

#[test]
fn what_cannot_be_shown_is_refused_with_its_reason() {
    let authority = Authority::new(now()).unwrap();
    let (pem, other) = (issue(&authority), issue(&authority));
    let refused = |certificates: &[u8], key: &[u8]| {
        let pem = Pem { certificates: certificates.to_vec(), key: key.to_vec() };
        Tls::new(&pem, None).err().expect("it is refused")
    };
    assert!(matches!(refused(b"", &pem.key), TlsError::NoCertificate));
    assert!(matches!(refused(&pem.certificates, b""), TlsError::Key(_)));
    assert!(matches!(refused(&pem.certificates, &other.key), TlsError::Pair(_)));
    assert!(matches!(refused(&pem.certificates, &pem.certificates), TlsError::Key(_)));
    assert!(matches!(Tls::new(&pem, Some(b"")), Err(TlsError::Clients(_))));
    assert!(Tls::new(&pem, Some(authority.certificate.as_bytes())).is_ok());
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Pem::of_folder(folder.path()), Err(TlsError::Read { .. })));
}

#[test]
fn a_certificate_is_renewed_when_two_thirds_are_over() {
    let authority = Authority::new(now()).unwrap();
    let issued = authority.issue(&["a.b.svc".to_owned()], now()).unwrap();
    assert_eq!(issued.renew_at, "2027-01-28T12:00:00Z".parse().unwrap());
    assert!(authority.issue(&["not a näme\u{7f}".to_owned()], now()).is_err());
    let broken = Authority { key: "nothing".into(), ..authority };
    assert!(broken.issue(&["a.b.svc".to_owned()], now()).is_err());
}
