//! Authorities and the certificates that they give out.

use std::sync::Arc;

use k8s_openapi::ByteString;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

/// Somebody who gives out certificates.
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

/// A certificate with its key, in PEM.
#[derive(Clone)]
pub(super) struct Leaf {
    pub(super) certificate: String,
    pub(super) key: String,
}

impl Authority {
    pub(super) fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// A good certificate of 127.0.0.1.
    pub(super) fn leaf(&self) -> Leaf {
        self.leaf_with("127.0.0.1", |_| ())
    }

    pub(super) fn leaf_with(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> Leaf {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap().pem();
        Leaf { certificate, key: key.serialize_pem() }
    }

    pub(super) fn expired_leaf(&self) -> Leaf {
        self.leaf_with("127.0.0.1", |params| params.not_after = date_time_ymd(2020, 1, 1))
    }

    pub(super) fn early_leaf(&self) -> Leaf {
        self.leaf_with("127.0.0.1", |params| params.not_before = date_time_ymd(2090, 1, 1))
    }

    /// As `caBundle` has it.
    pub(super) fn bundle(&self) -> String {
        let text = serde_json::to_value(ByteString(self.pem.clone().into_bytes())).unwrap();
        text.as_str().unwrap().to_owned()
    }

    pub(super) fn pem(&self) -> &str {
        &self.pem
    }
}

/// Which versions of HTTP a server offers.
#[derive(Clone, Copy)]
pub(super) enum Offer {
    Both,
    Http1,
}

/// The TLS of a server; with an authority, it asks for a certificate of that authority.
pub(super) fn server_tls(leaf: &Leaf, clients: Option<&Authority>, offer: Offer) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions().unwrap();
    let builder = match clients {
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add(CertificateDer::from_pem_slice(authority.pem.as_bytes()).unwrap()).unwrap();
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
            builder.with_client_cert_verifier(verifier)
        }
        None => builder.with_no_client_auth(),
    };
    let chain = vec![CertificateDer::from_pem_slice(leaf.certificate.as_bytes()).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(leaf.key.as_bytes()).unwrap();
    let mut config = builder.with_single_cert(chain, key).unwrap();
    config.alpn_protocols = match offer {
        Offer::Both => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        Offer::Http1 => vec![b"http/1.1".to_vec()],
    };
    Arc::new(config)
}
