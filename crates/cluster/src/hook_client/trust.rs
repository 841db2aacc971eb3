//! Whom an extension is held against, and who we are to it: certificates and keys into a configuration of TLS.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use headway_core::hook::CallFault;
use hyper_rustls::ConfigBuilderExt;
use k8s_openapi::ByteString;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use crate::cause::innermost;

/// The files of our certificate. They are read before each call, so that one that was renewed is shown from the next
/// call on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityFiles {
    /// The certificate and those above it, in PEM.
    pub certificate: PathBuf,
    /// Its key, in PEM.
    pub key: PathBuf,
}

/// What the files hold.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Identity {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Identity {
    /// Reads the files.
    pub(super) async fn read(files: &IdentityFiles) -> Result<Self, CallFault> {
        let IdentityFiles { certificate, key } = files.clone();
        let unreadable = |path: PathBuf| {
            move |cause: io::Error| {
                CallFault::Identity(format!("cannot read {}: {}", path.display(), innermost(&cause)))
            }
        };
        let read = tokio::task::spawn_blocking(move || {
            let certificate = std::fs::read(&certificate).map_err(unreadable(certificate))?;
            Ok(Self { certificate, key: std::fs::read(&key).map_err(unreadable(key))? })
        });
        read.await.unwrap_or_else(|stopped| Err(CallFault::Identity(innermost(&stopped))))
    }
}

/// A configuration that trusts what the bundle holds, in PEM and base64; without a bundle, whom the system trusts.
pub(super) fn tls(ca_bundle: &str, identity: Option<&Identity>) -> Result<ClientConfig, CallFault> {
    let unusable = |why: String| CallFault::ClientConfig(format!("caBundle {why}"));
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(innermost(&error)))?;
    let builder = if ca_bundle.is_empty() {
        builder.with_native_roots().map_err(|error| {
            unusable(format!("is empty, and no certificates of the system can be read: {}", innermost(&error)))
        })?
    } else {
        builder.with_root_certificates(roots(ca_bundle).map_err(unusable)?)
    };
    let Some(Identity { certificate, key }) = identity else { return Ok(builder.with_no_client_auth()) };
    let own = |what: &str| {
        let what = what.to_owned();
        move |why: rustls_pki_types::pem::Error| CallFault::Identity(format!("{what}: {}", innermost(&why)))
    };
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificate).collect();
    let key = PrivateKeyDer::from_pem_slice(key).map_err(own("its key"))?;
    let chain = chain.map_err(own("its certificate"))?;
    if chain.is_empty() {
        return Err(CallFault::Identity("its file holds no certificate in PEM".into()));
    }
    builder.with_client_auth_cert(chain, key).map_err(|error| CallFault::Identity(innermost(&error)))
}

fn roots(ca_bundle: &str) -> Result<RootCertStore, String> {
    let ByteString(pem) = serde_json::from_value(ca_bundle.into()).map_err(|_| "is not base64".to_owned())?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|error| format!("is not PEM: {}", innermost(&error)))?;
        roots.add(certificate).map_err(|error| format!("holds a bad certificate: {}", innermost(&error)))?;
    }
    if roots.is_empty() { Err("holds no certificate in PEM".into()) } else { Ok(roots) }
}
