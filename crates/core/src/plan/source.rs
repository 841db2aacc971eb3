//! Who names the versions that a control plane visits, and what they answer (chained-upgrades.md, 2.4).

use headway_api::plan::PlanSource;

use super::refusal::{Lane, PlanError};
use super::situation::Question;
use super::{Entries, list};
use crate::version::{KubeVersion, VersionError};

/// How many entries an extension may answer for the control plane, and as many for the workers.
///
/// A cluster's status holds 32 of them. This is well beyond that, so that a plan of many patches is refused by whoever
/// stores it and not by us, and so small that no answer makes planning slow.
pub const MAX_ANSWER: usize = 256;

/// Who names the versions, with what they named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Nobody: at most one minor at a time.
    OneMinor,
    /// A list of versions that the cluster may have.
    VersionList(VersionList),
    /// An extension, which was asked.
    Extension(Extension),
}

/// Versions that a cluster may have, old to new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionList {
    /// Whose list it is.
    pub origin: ListOrigin,
    /// Its entries, as they are written.
    pub versions: Vec<String>,
}

/// Whose list it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListOrigin {
    /// Of whoever asks for the upgrade.
    Given,
    /// Of the ClusterClass of this name.
    ClusterClass(String),
    /// Of the status of the Cluster: what Cluster API planned last.
    ClusterStatus,
}

/// An extension and what it answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// Its full name, `HANDLER.EXTENSIONCONFIG`.
    pub name: String,
    /// What it answered, or why it did not.
    pub answer: Result<Answer, ExtensionError>,
}

/// What an extension answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// `controlPlaneUpgrades`.
    pub control_plane: Vec<String>,
    /// `workersUpgrades`; empty leaves them to us.
    pub workers: Vec<String>,
}

/// Why an extension did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExtensionError {
    /// The gate for extensions is off.
    GateOff,
    /// The call failed, with the reason that is told.
    Failed(String),
}

/// Which source a ClusterClass asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice<'a> {
    /// Neither a list nor an extension.
    OneMinor,
    /// Its list.
    VersionList(&'a [String]),
    /// The extension of this name. For planning it wins over a list; admission goes on to hold the list.
    Extension(&'a str),
}

/// Chooses the source by what a ClusterClass says.
#[must_use]
pub fn choose<'a>(versions: &'a [String], extension: Option<&'a str>) -> Choice<'a> {
    match extension.filter(|name| !name.is_empty()) {
        Some(name) => Choice::Extension(name),
        None if versions.is_empty() => Choice::OneMinor,
        None => Choice::VersionList(versions),
    }
}

/// What a source proposes, still to be checked.
pub(super) struct Proposal<'a> {
    pub(super) control_plane: Entries<'a>,
    pub(super) workers: &'a [String],
}

impl Source {
    /// What a report calls it.
    #[must_use]
    pub fn name(&self) -> PlanSource {
        match self {
            Self::OneMinor => PlanSource::OneMinor,
            Self::VersionList(list) => list.name(),
            Self::Extension(extension) => PlanSource::Extension { name: extension.name.clone() },
        }
    }

    pub(super) fn answer(&self, question: &Question<'_>) -> Result<Proposal<'_>, PlanError> {
        let control_plane: Entries<'_> = match self {
            Self::OneMinor => Box::new(one_minor(question)?.map(Ok).into_iter()),
            Self::VersionList(list) => {
                let chosen = list::sift(list, question)?.into_iter().filter(|entry| entry.fate == list::Fate::Chosen);
                Box::new(chosen.map(|entry| Ok(entry.version)))
            }
            Self::Extension(extension) => return extension.proposal(),
        };
        Ok(Proposal { control_plane, workers: &[] })
    }
}

impl VersionList {
    /// What a report calls it.
    #[must_use]
    pub fn name(&self) -> PlanSource {
        match &self.origin {
            ListOrigin::Given => PlanSource::VersionList,
            ListOrigin::ClusterClass(name) => PlanSource::ClusterClass { name: name.clone() },
            ListOrigin::ClusterStatus => PlanSource::ClusterStatus,
        }
    }
}

/// The target, when it is within reach. One that is lower or of another major passes here: the rules for every plan
/// refuse it with a better reason.
fn one_minor(question: &Question<'_>) -> Result<Option<KubeVersion>, PlanError> {
    let (from, to) = (question.from_control_plane.minor(), question.to.minor());
    if question.from_control_plane == question.to {
        return Ok(None);
    }
    if from.major == to.major && to.minor > from.minor.saturating_add(1) {
        return Err(PlanError::OneMinor { from, to: question.to.clone() });
    }
    Ok(Some(question.to.clone()))
}

impl Extension {
    fn proposal(&self) -> Result<Proposal<'_>, PlanError> {
        let name = || self.name.clone();
        let Answer { control_plane, workers } = match &self.answer {
            Ok(answer) => answer,
            Err(ExtensionError::GateOff) => return Err(PlanError::GateOff { name: name() }),
            Err(ExtensionError::Failed(reason)) => {
                return Err(PlanError::ExtensionFailed { name: name(), reason: reason.clone() });
            }
        };
        for (lane, length) in [(Lane::ControlPlane, control_plane.len()), (Lane::Workers, workers.len())] {
            if length > MAX_ANSWER {
                return Err(PlanError::TooManyEntries { lane, length, limit: MAX_ANSWER });
            }
        }
        let entries = control_plane.iter().enumerate().map(|(index, text)| {
            canonical(Lane::ControlPlane, index, text).map_err(|error| match error {
                NotCanonical::ButAVersion(error) => error,
                NotCanonical::NoVersion(cause) => PlanError::ControlPlaneEntry { index, value: text.clone(), cause },
            })
        });
        Ok(Proposal { control_plane: Box::new(entries), workers })
    }
}

/// Why an entry of an extension's answer cannot be taken.
pub(super) enum NotCanonical {
    /// It is a version that is written otherwise: everybody else would go on to compare the text.
    ButAVersion(PlanError),
    /// It is no version at all.
    NoVersion(VersionError),
}

/// Reads an entry of an extension's answer.
pub(super) fn canonical(lane: Lane, index: usize, text: &str) -> Result<KubeVersion, NotCanonical> {
    KubeVersion::parse_strict(text).map_err(|cause| match KubeVersion::parse(text) {
        Ok(_) => NotCanonical::ButAVersion(PlanError::NotCanonical { lane, index, value: text.to_owned(), cause }),
        Err(cause) => NotCanonical::NoVersion(cause),
    })
}
