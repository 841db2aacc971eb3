//! What a role shows to those who connect: a certificate out of a folder that somebody else fills, or out of a Secret
//! that we keep.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use headway_serve::tls::{Pem, Tls};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::clock::Clock;
use crate::secret::{AUTHORITY, Secret};

/// How often files are looked at. The kubelet takes a minute to bring them.
pub(crate) const FILES: Duration = Duration::from_secs(10);

/// Where the certificate comes from.
#[derive(Clone)]
pub(crate) enum Identity {
    /// From the files of a folder.
    Folder(PathBuf),
    /// From a Secret, which is made and renewed.
    Secret(Arc<Secret>),
}

impl Identity {
    /// From the folder, if one is named.
    pub(crate) fn new(folder: Option<&Path>, secret: Secret) -> Self {
        folder.map_or_else(|| Self::Secret(Arc::new(secret)), |folder| Self::Folder(folder.to_owned()))
    }

    /// Shows the certificate, and goes on to show what takes its place as long as `working` works.
    ///
    /// # Errors
    ///
    /// The folder holds none that can be shown, or it is told to stop before the Secret does.
    pub(crate) async fn show(
        &self,
        clients: Option<&[u8]>,
        clock: Clock,
        stop: watch::Receiver<bool>,
        working: &mut JoinSet<()>,
    ) -> anyhow::Result<Tls> {
        match self {
            Self::Folder(folder) => {
                let pem = Pem::of_folder(folder)?;
                let tls = Tls::new(&pem, clients).with_context(|| folder.display().to_string())?;
                working.spawn(tls.clone().follow(folder.clone(), pem, FILES));
                Ok(tls)
            }
            Self::Secret(secret) => {
                let pem = secret.read_patiently(&clock, stop).await?;
                let tls = Tls::new(&pem, clients)?;
                working.spawn(secret.clone().follow(tls.clone(), pem, clock));
                Ok(tls)
            }
        }
    }

    /// What others trust the certificate by; in a folder, the file that is named as the key of the Secret is.
    ///
    /// # Errors
    ///
    /// It cannot be read, or there is none.
    pub(crate) async fn authority(&self) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::Folder(folder) => {
                let file = folder.join(AUTHORITY);
                std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))
            }
            Self::Secret(secret) => secret.authority().await,
        }
    }
}
