//! A Secret with a certificate that we make and renew, for a Service of ours.
//!
//! All replicas read it, and whichever finds it missing or due writes it; the server lets one of them win. Its `ca.crt`
//! is what others trust us by: Cluster API takes it from there (`runtime.cluster.x-k8s.io/inject-ca-from-secret`), and it
//! stays the same when the certificate is renewed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use headway_serve::certificate::Authority;
use headway_serve::tls::{CERTIFICATE_FILE, KEY_FILE, Pem, Tls};
use jiff::Timestamp;
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1;
use kube::Client;
use kube::api::{Api, ObjectMeta, PostParams};
use tokio::sync::watch;
use tracing::{info, warn};

use crate::clock::Clock;
use crate::stop;

/// When it is to be renewed. A Secret without this is somebody else's and is never written.
const RENEW_AT: &str = "headway.dev/renew-at";

/// For which names it holds.
const NAMES: &str = "headway.dev/names";

/// What others trust the certificate by.
pub(crate) const AUTHORITY: &str = "ca.crt";
const AUTHORITY_KEY: &str = "ca.key";

/// How often it is looked at. A certificate holds for a month after it is due, so there is no hurry.
const EVERY: Duration = Duration::from_secs(300);

/// How soon it is tried again while there is none to show yet.
const AGAIN: Duration = Duration::from_secs(2);

/// The Secret.
pub(crate) struct Secret {
    api: Api<v1::Secret>,
    name: String,
    names: Vec<String>,
}

/// What to do about what was found.
#[derive(Debug, PartialEq, Eq)]
enum Finding {
    /// It is good for now.
    Good,
    /// It is to be made anew, for this reason.
    Due(&'static str),
}

impl Secret {
    /// The Secret `name` for the Service `service`, in one namespace.
    pub(crate) fn new(client: Client, namespace: &str, name: &str, service: &str) -> Self {
        let host = format!("{service}.{namespace}.svc");
        let names = vec![host.clone(), format!("{host}.cluster.local"), format!("{service}.{namespace}")];
        Self { api: Api::namespaced(client, namespace), name: name.to_owned(), names }
    }

    /// The certificate, as soon as there is one. What stands in the way is told in the log.
    pub(crate) async fn read_patiently(&self, clock: &Clock, mut stop: watch::Receiver<bool>) -> anyhow::Result<Pem> {
        loop {
            match self.read(clock.now()).await {
                Ok(pem) => return Ok(pem),
                Err(error) => warn!(error = format!("{error:#}"), "there is no certificate to show yet"),
            }
            tokio::select! {
                () = tokio::time::sleep(AGAIN) => {}
                () = stop::told(&mut stop) => bail!("stopped before there was a certificate"),
            }
        }
    }

    /// What others trust the certificate by.
    pub(crate) async fn authority(&self) -> anyhow::Result<Vec<u8>> {
        let found = self.api.get(&self.name).await.with_context(|| format!("cannot read Secret {}", self.name))?;
        let bytes = found.data.and_then(|mut data| data.remove(AUTHORITY)).map(|bytes| bytes.0);
        bytes.with_context(|| format!("Secret {} has no {AUTHORITY}", self.name))
    }

    /// Shows what the Secret holds, and renews it when it is due, until it is dropped.
    pub(crate) async fn follow(self: Arc<Self>, tls: Tls, mut shown: Pem, clock: Clock) {
        loop {
            tokio::time::sleep(EVERY).await;
            let replaced = match self.read(clock.now()).await {
                Ok(pem) if pem == shown => continue,
                Ok(pem) => tls.replace(&pem).map(|()| pem).map_err(anyhow::Error::from),
                Err(error) => Err(error),
            };
            match replaced {
                Ok(pem) => {
                    info!(secret = self.name, "the certificate was replaced");
                    shown = pem;
                }
                Err(error) => warn!(error = format!("{error:#}"), "the certificate before stays"),
            }
        }
    }

    /// Reads the certificate, and makes it first where it is missing or due.
    async fn read(&self, now: Timestamp) -> anyhow::Result<Pem> {
        let found = self.api.get_opt(&self.name).await.with_context(|| format!("cannot read Secret {}", self.name))?;
        let reason = match found.as_ref().map_or(Finding::Due("missing"), |found| judge(found, &self.names, now)) {
            Finding::Good => return pem(found.as_ref().and_then(|found| found.data.as_ref())),
            Finding::Due(reason) => reason,
        };
        let new = make(found, &self.name, &self.names, now)?;
        let done = match &new.metadata.resource_version {
            Some(_) => self.api.replace(&self.name, &PostParams::default(), &new).await,
            None => self.api.create(&PostParams::default(), &new).await,
        };
        // A conflict means that another replica was faster: the next look finds what it made.
        let written = done.with_context(|| format!("cannot write Secret {}", self.name))?;
        info!(secret = self.name, reason, "the certificate was made");
        pem(written.data.as_ref())
    }
}

/// Whether what was found can be shown.
fn judge(found: &v1::Secret, names: &[String], now: Timestamp) -> Finding {
    let has = |key: &str| found.data.as_ref().is_some_and(|data| data.get(key).is_some_and(|text| !text.0.is_empty()));
    let annotation = |key: &str| found.metadata.annotations.as_ref().and_then(|all| all.get(key));
    let is_whole = has(CERTIFICATE_FILE) && has(KEY_FILE);
    match annotation(RENEW_AT).map(|at| at.parse::<Timestamp>()) {
        None if is_whole => Finding::Good,
        None => Finding::Due("empty"),
        Some(_) if !is_whole => Finding::Due("incomplete"),
        Some(_) if annotation(NAMES) != Some(&names.join(",")) => Finding::Due("made for other names"),
        Some(Ok(at)) if now < at => Finding::Good,
        Some(Ok(_) | Err(_)) => Finding::Due("due"),
    }
}

/// A Secret with a new certificate, of the authority that is there, if there is one.
fn make(found: Option<v1::Secret>, name: &str, names: &[String], now: Timestamp) -> anyhow::Result<v1::Secret> {
    let before = found.as_ref().and_then(|found| found.data.as_ref());
    let text = |key: &str| before.and_then(|data| String::from_utf8(data.get(key)?.0.clone()).ok());
    let authority = text(AUTHORITY).zip(text(AUTHORITY_KEY)).map(|(certificate, key)| Authority { certificate, key });
    let (authority, issued) = match authority.map(|authority| (authority.issue(names, now), authority)) {
        Some((Ok(issued), authority)) => (authority, issued),
        // One whose key cannot be read does not vouch for anything any more.
        Some((Err(_), _)) | None => {
            let authority = Authority::new(now)?;
            let issued = authority.issue(names, now)?;
            (authority, issued)
        }
    };
    let data = [
        (AUTHORITY, authority.certificate.into_bytes()),
        (AUTHORITY_KEY, authority.key.into_bytes()),
        (CERTIFICATE_FILE, issued.pem.certificates),
        (KEY_FILE, issued.pem.key),
    ];
    let annotations = [(RENEW_AT, issued.renew_at.to_string()), (NAMES, names.join(","))];
    let mut metadata = found
        .map(|found| found.metadata)
        .unwrap_or_else(|| ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() });
    metadata.managed_fields = None;
    let owned = |(key, value): (&str, String)| (key.to_owned(), value);
    metadata.annotations.get_or_insert_default().extend(annotations.map(owned));
    let labels = [
        ("app.kubernetes.io/part-of", "headway".to_owned()),
        ("app.kubernetes.io/managed-by", "headway-operator".to_owned()),
    ];
    metadata.labels.get_or_insert_default().extend(labels.map(owned));
    Ok(v1::Secret {
        metadata,
        type_: Some("kubernetes.io/tls".to_owned()),
        data: Some(data.map(|(key, bytes)| (key.to_owned(), ByteString(bytes))).into()),
        ..v1::Secret::default()
    })
}

fn pem(data: Option<&BTreeMap<String, ByteString>>) -> anyhow::Result<Pem> {
    let part = |key: &str| {
        let bytes = data.and_then(|data| data.get(key)).map(|bytes| bytes.0.clone());
        bytes.with_context(|| format!("the Secret has no {key}"))
    };
    Ok(Pem { certificates: part(CERTIFICATE_FILE)?, key: part(KEY_FILE)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        vec!["headway-hooks.headway-system.svc".to_owned()]
    }

    fn at(time: &str) -> Timestamp {
        time.parse().unwrap()
    }

    #[test]
    fn a_certificate_is_renewed_in_time_and_by_the_same_authority() {
        let now = at("2026-11-29T12:00:00Z");
        let first = make(None, "headway-hooks-tls", &names(), now).unwrap();
        let check = |secret: &v1::Secret, time: &str, expect: Finding| {
            assert_eq!(judge(secret, &names(), at(time)), expect, "at {time}");
        };
        check(&first, "2026-11-29T12:00:00Z", Finding::Good);
        check(&first, "2027-01-28T11:59:59Z", Finding::Good);
        check(&first, "2027-01-28T12:00:00Z", Finding::Due("due"));
        assert_eq!(judge(&first, &["other.svc".to_owned()], now), Finding::Due("made for other names"));

        let stored = v1::Secret {
            metadata: ObjectMeta { resource_version: Some("7".into()), ..first.metadata.clone() },
            ..first.clone()
        };
        let second = make(Some(stored), "headway-hooks-tls", &names(), at("2027-01-28T12:00:00Z")).unwrap();
        check(&second, "2027-03-01T00:00:00Z", Finding::Good);
        let part = |secret: &v1::Secret, key: &str| secret.data.as_ref().unwrap()[key].0.clone();
        assert_eq!(part(&second, "ca.crt"), part(&first, "ca.crt"), "whoever trusts us goes on to");
        assert_ne!(part(&second, "tls.crt"), part(&first, "tls.crt"));
        assert_eq!(second.metadata.resource_version.as_deref(), Some("7"), "only what was read is replaced");
        assert!(Tls::new(&pem(second.data.as_ref()).unwrap(), None).is_ok());
    }

    #[test]
    fn a_certificate_of_somebody_else_is_shown_and_left_alone() {
        let now = at("2026-11-29T12:00:00Z");
        let mut theirs = make(None, "headway-hooks-tls", &names(), now).unwrap();
        theirs.metadata.annotations = None;
        assert_eq!(judge(&theirs, &[], at("2036-01-01T00:00:00Z")), Finding::Good);
        theirs.data = None;
        assert_eq!(judge(&theirs, &names(), now), Finding::Due("empty"));
        assert!(pem(theirs.data.as_ref()).is_err());
    }

    #[test]
    fn what_was_damaged_is_made_anew() {
        let now = at("2026-11-29T12:00:00Z");
        let mut secret = make(None, "headway-hooks-tls", &names(), now).unwrap();
        let data = secret.data.as_mut().unwrap();
        data.insert("ca.key".into(), ByteString(b"scribble".to_vec()));
        data.remove("tls.key");
        assert_eq!(judge(&secret, &names(), now), Finding::Due("incomplete"));
        let before = secret.data.as_ref().unwrap()["ca.crt"].clone();
        let made = make(Some(secret), "headway-hooks-tls", &names(), now).unwrap();
        assert_ne!(made.data.as_ref().unwrap()["ca.crt"], before, "without its key the authority is of no use");
        assert_eq!(judge(&made, &names(), now), Finding::Good);
    }
}
