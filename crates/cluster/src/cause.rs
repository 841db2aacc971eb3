//! What lies below an error of a connection: the layers above it say nothing to people.

use std::error::Error;
use std::io;

use rustls::CertificateError;

/// An error and its causes, from the outside in.
pub(crate) fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
        // An I/O error hands on its inner error's cause as its own, and so leaves out the inner error itself.
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inside) => Some(inside),
            None => error.source(),
        }
    }
    std::iter::successors(Some(error), |error| cause(*error))
}

/// What the innermost of an error's causes says.
pub(crate) fn innermost(error: &(dyn Error + 'static)) -> String {
    let last = chain(error).last().unwrap_or(error);
    if let Some(rustls::Error::InvalidCertificate(why)) = last.downcast_ref() {
        return format!("tls: failed to verify certificate: {}", certificate(why));
    }
    let text = last.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// What is wrong with a certificate, in the words that kubectl's users know.
pub(crate) fn certificate(why: &CertificateError) -> String {
    match why {
        CertificateError::UnknownIssuer => "certificate signed by unknown authority".into(),
        // As after an authority was made anew.
        CertificateError::BadSignature => {
            "certificate signed by unknown authority, which has the name of a known one".into()
        }
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "certificate is for another purpose".into()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "certificate has expired".into(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "certificate is not yet valid".into()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "certificate is valid for another name".into()
        }
        other => other.to_string(),
    }
}
