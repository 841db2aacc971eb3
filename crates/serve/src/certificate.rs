//! Certificates of our own: an authority that lives long and nobody else knows, and what it vouches for.
//!
//! Time comes in. Where they are kept is left to others.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};

use crate::tls::Pem;

/// How long an authority lives, in years: replacing it is a change for all who trust it.
const AUTHORITY_YEARS: i64 = 10;

/// How long a certificate holds, in days. It is renewed when two thirds are over.
const DAYS: i64 = 90;

const RENEWED_AFTER_DAYS: i64 = 60;

/// An authority, in PEM.
#[derive(Clone, PartialEq, Eq)]
pub struct Authority {
    /// What is given to those who are to trust it.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

/// A certificate that an authority vouches for.
#[derive(Clone, PartialEq, Eq)]
pub struct Issued {
    /// The certificate and its key.
    pub pem: Pem,
    /// From when on it should be renewed. It holds for another month from there.
    pub renew_at: Timestamp,
}

/// What keeps a certificate from being made.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The time is beyond what a certificate can say.
    #[error("no certificate can be made at {0}")]
    Time(Timestamp),
    /// A name is none.
    #[error("no certificate can be made for the name {name}")]
    Name {
        /// The name.
        name: String,
        /// Why.
        #[source]
        cause: rcgen::Error,
    },
    /// The authority's key is none.
    #[error("the key of the authority cannot be read")]
    AuthorityKey(#[source] rcgen::Error),
    /// The cryptography refuses.
    #[error("a certificate cannot be made")]
    Made(#[source] rcgen::Error),
}

impl Authority {
    /// A new authority.
    ///
    /// # Errors
    ///
    /// When the time does not fit, or the cryptography refuses.
    pub fn new(now: Timestamp) -> Result<Self, CertificateError> {
        let key = KeyPair::generate().map_err(CertificateError::Made)?;
        let mut params = params();
        lasts(&mut params, now, Span::new().years(AUTHORITY_YEARS))?;
        let certificate = params.self_signed(&key).map_err(CertificateError::Made)?;
        Ok(Self { certificate: certificate.pem(), key: key.serialize_pem() })
    }

    /// Vouches for a server of these names.
    ///
    /// # Errors
    ///
    /// When its own key or a name does not fit, or the cryptography refuses.
    pub fn issue(&self, names: &[String], now: Timestamp) -> Result<Issued, CertificateError> {
        let params =
            CertificateParams::new(names).map_err(|cause| CertificateError::Name { name: names.join(", "), cause })?;
        self.vouch(params, "headway", ExtendedKeyUsagePurpose::ServerAuth, now)
    }

    /// Vouches for a client, which servers know by this name.
    ///
    /// # Errors
    ///
    /// As [`Authority::issue`].
    pub fn issue_client(&self, name: &str, now: Timestamp) -> Result<Issued, CertificateError> {
        self.vouch(CertificateParams::default(), name, ExtendedKeyUsagePurpose::ClientAuth, now)
    }

    fn vouch(
        &self,
        mut params: CertificateParams,
        name: &str,
        purpose: ExtendedKeyUsagePurpose,
        now: Timestamp,
    ) -> Result<Issued, CertificateError> {
        let authority = KeyPair::from_pem(&self.key).map_err(CertificateError::AuthorityKey)?;
        let authority = Issuer::new(self::params(), authority);
        params.distinguished_name = named(name);
        params.extended_key_usages = vec![purpose];
        params.use_authority_key_identifier_extension = true;
        lasts(&mut params, now, Span::new().days(DAYS))?;
        let renew_at = later(now, Span::new().days(RENEWED_AFTER_DAYS))?;
        let key = KeyPair::generate().map_err(CertificateError::Made)?;
        let certificate = params.signed_by(&key, &authority).map_err(CertificateError::Made)?;
        let certificates = format!("{}{}", certificate.pem(), self.certificate).into_bytes();
        Ok(Issued { pem: Pem { certificates, key: key.serialize_pem().into_bytes() }, renew_at })
    }
}

/// The same for each authority: what it vouched for is recognized by its name and its key.
fn params() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = named("headway-authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn named(name: &str) -> DistinguishedName {
    let mut named = DistinguishedName::new();
    named.push(DnType::CommonName, name);
    named
}

/// From the day before, so that clocks may differ.
fn lasts(params: &mut CertificateParams, now: Timestamp, span: Span) -> Result<(), CertificateError> {
    let day = |at: Timestamp| at.to_zoned(TimeZone::UTC).date();
    let time = |date: Date| {
        let (month, day) = (date.month().unsigned_abs(), date.day().unsigned_abs());
        rcgen::date_time_ymd(date.year().into(), month, day)
    };
    params.not_before = time(day(now).yesterday().map_err(|_| CertificateError::Time(now))?);
    params.not_after = time(day(later(now, span)?));
    Ok(())
}

fn later(now: Timestamp, span: Span) -> Result<Timestamp, CertificateError> {
    let later = now.to_zoned(TimeZone::UTC).checked_add(span).map_err(|_| CertificateError::Time(now))?;
    Ok(later.timestamp())
}
