//! The certificate that a server shows, which can be replaced while it serves, and the clients that it lets in.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum_server::tls_rustls::RustlsConfig;
use headway_api::quoted::with_causes;
use rustls::crypto::{CryptoProvider, ring};
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{VerifierBuilderError, WebPkiClientVerifier};
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::pem::{self, PemObject};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

/// The file with the certificates in a folder, as Secrets of the type `kubernetes.io/tls` name it.
pub const CERTIFICATE_FILE: &str = "tls.crt";

/// The file with the key in a folder.
pub const KEY_FILE: &str = "tls.key";

/// A certificate with those that vouch for it, and its key, both in PEM.
#[derive(Clone, PartialEq, Eq)]
pub struct Pem {
    /// The certificates, the server's own first.
    pub certificates: Vec<u8>,
    /// The key of the first.
    pub key: Vec<u8>,
}

/// The TLS of a server. Clones share the certificate.
#[derive(Clone)]
pub struct Tls {
    shown: RustlsConfig,
    clients: Option<Arc<dyn ClientCertVerifier>>,
}

/// What keeps a certificate from being shown.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// The certificates are none.
    #[error("the certificates are not PEM")]
    Certificates(#[source] pem::Error),
    /// There is not one certificate.
    #[error("there is no certificate in what should hold it")]
    NoCertificate,
    /// The key is none.
    #[error("the key is not PEM")]
    Key(#[source] pem::Error),
    /// Certificate and key do not make a server.
    #[error("the certificate cannot be shown with this key")]
    Pair(#[source] rustls::Error),
    /// The certificates of those who vouch for clients are none.
    #[error("the certificates that clients are trusted by are not PEM")]
    ClientCertificates(#[source] pem::Error),
    /// One of them does not vouch for anybody.
    #[error("a certificate that clients are to be trusted by cannot be")]
    ClientCertificate(#[source] rustls::Error),
    /// Nobody can be let in by them.
    #[error("no client can be trusted by these certificates")]
    Clients(#[source] VerifierBuilderError),
}

impl fmt::Debug for Pem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A key must not come into a log.
        write!(f, "Pem({} and {} bytes)", self.certificates.len(), self.key.len())
    }
}

impl Pem {
    /// Reads `tls.crt` and `tls.key` of a folder.
    ///
    /// # Errors
    ///
    /// When one of them cannot be read.
    pub fn of_folder(folder: &Path) -> Result<Self, TlsError> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|cause| TlsError::Read { path, cause })
        };
        Ok(Self { certificates: read(CERTIFICATE_FILE)?, key: read(KEY_FILE)? })
    }
}

impl Tls {
    /// Shows a certificate. With `client_authorities`, in PEM, only clients are let in for whose certificate one of
    /// them vouches.
    ///
    /// # Errors
    ///
    /// When certificate and key do not make a server, or the authorities nobody's.
    pub fn new(pem: &Pem, client_authorities: Option<&[u8]>) -> Result<Self, TlsError> {
        let clients = client_authorities.map(verifier).transpose()?;
        let shown = RustlsConfig::from_config(Arc::new(config(pem, clients.clone())?));
        Ok(Self { shown, clients })
    }

    /// Shows another certificate to whoever connects from now on. When it cannot be shown, the one before stays.
    ///
    /// # Errors
    ///
    /// As [`Tls::new`].
    pub fn replace(&self, pem: &Pem) -> Result<(), TlsError> {
        self.shown.reload_from_config(Arc::new(config(pem, self.clients.clone())?));
        Ok(())
    }

    /// Shows what a folder holds, whenever that changes, until it is dropped.
    ///
    /// Guarantees: the certificate before stays while the files cannot be read or do not fit, as they do not for a
    /// moment when they are written one after the other.
    pub async fn follow(self, folder: PathBuf, mut shown: Pem, every: Duration) {
        loop {
            tokio::time::sleep(every).await;
            let there = {
                let folder = folder.clone();
                tokio::task::spawn_blocking(move || Pem::of_folder(&folder)).await
            };
            let replaced = match there {
                Ok(Ok(pem)) if pem == shown => continue,
                Ok(Ok(pem)) => self.replace(&pem).map(|()| pem),
                Ok(Err(error)) => Err(error),
                // The task ends early only when the process does.
                Err(_) => return,
            };
            match replaced {
                Ok(pem) => {
                    tracing::info!(folder = %folder.display(), "the certificate was replaced");
                    shown = pem;
                }
                Err(error) => {
                    let error = with_causes(&error);
                    tracing::warn!(folder = %folder.display(), error, "the certificate before stays");
                }
            }
        }
    }

    pub(crate) fn shown(&self) -> RustlsConfig {
        self.shown.clone()
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

fn config(pem: &Pem, clients: Option<Arc<dyn ClientCertVerifier>>) -> Result<ServerConfig, TlsError> {
    let certificates: Vec<_> = CertificateDer::pem_slice_iter(&pem.certificates)
        .map(|certificate| certificate.map(CertificateDer::into_owned))
        .collect::<Result<_, _>>()
        .map_err(TlsError::Certificates)?;
    if certificates.is_empty() {
        return Err(TlsError::NoCertificate);
    }
    let key = PrivateKeyDer::from_pem_slice(&pem.key).map_err(TlsError::Key)?;
    let builder = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Pair)?;
    let builder = match clients {
        Some(clients) => builder.with_client_cert_verifier(clients),
        None => builder.with_no_client_auth(),
    };
    let mut config = builder.with_single_cert(certificates, key).map_err(TlsError::Pair)?;
    // Go's clients speak HTTP/2 when they are offered it.
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn verifier(authorities: &[u8]) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(authorities) {
        let certificate = certificate.map_err(TlsError::ClientCertificates)?;
        roots.add(certificate.into_owned()).map_err(TlsError::ClientCertificate)?;
    }
    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider()).build().map_err(TlsError::Clients)
}
