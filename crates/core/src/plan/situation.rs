//! Where a cluster is and where it is to go: what a plan is made from, read once.

use headway_api::plan::WorkerGroup;

use super::PlanError;
use crate::version::{Comparison, KubeVersion};

/// The same as a [`Situation`], in the texts of the objects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Where everything is to end.
    pub target: String,
    /// `spec.version` of the control plane; absent when there is none yet.
    pub control_plane: Option<String>,
    /// The groups of workers, MachineDeployments before MachinePools, each in the order of the topology.
    pub groups: Vec<GroupFacts>,
}

/// One group of workers, in the texts of its object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupFacts {
    /// Which it is.
    pub id: WorkerGroup,
    /// `spec.template.spec.version`; a group without one is left out.
    pub version: Option<String>,
    /// What becomes of it.
    pub course: Course<String>,
}

/// Where a cluster is and where it is to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation {
    /// Where everything is to end.
    pub target: KubeVersion,
    /// Where the control plane is; absent when there is none yet.
    pub control_plane: Option<KubeVersion>,
    /// The groups of workers that have a version.
    pub groups: Vec<Group>,
}

/// One group of workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Which it is.
    pub id: WorkerGroup,
    /// At which version it is.
    pub version: KubeVersion,
    /// What becomes of it.
    pub course: Course<KubeVersion>,
}

/// What becomes of a group of workers while the cluster is upgraded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course<V> {
    /// It follows the control plane.
    Follows,
    /// It stays at a version to which somebody pinned it, and nothing here moves it.
    Pinned(V),
    /// It is being deleted or is in the topology no more. It is not moved; until it is gone, skew counts.
    Leaving,
}

/// What is asked of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question<'a> {
    /// Where the control plane is.
    pub from_control_plane: &'a KubeVersion,
    /// Where the workers are that are furthest behind; absent when none follow.
    pub from_workers: Option<&'a KubeVersion>,
    /// The target.
    pub to: &'a KubeVersion,
}

impl Situation {
    /// Reads the texts, loosely.
    ///
    /// # Errors
    ///
    /// When one of them is not a version: rules V1 to V3.
    pub fn read(facts: &Facts) -> Result<Self, PlanError> {
        let Facts { target, control_plane, groups } = facts;
        Ok(Self {
            target: KubeVersion::parse(target).map_err(|cause| PlanError::Target { value: target.clone(), cause })?,
            control_plane: control_plane
                .as_deref()
                .map(|value| {
                    KubeVersion::parse(value)
                        .map_err(|cause| PlanError::ControlPlaneVersion { value: value.to_owned(), cause })
                })
                .transpose()?,
            groups: groups.iter().filter_map(|group| Group::read(group).transpose()).collect::<Result<_, _>>()?,
        })
    }

    /// What to ask of a source; `None` when there is nothing to ask: no control plane yet, or all are at the target.
    #[must_use]
    pub fn question(&self) -> Option<Question<'_>> {
        let from_control_plane = self.control_plane.as_ref()?;
        let is_done = *from_control_plane == self.target && self.following().all(|group| group.version == self.target);
        (!is_done).then(|| Question { from_control_plane, from_workers: self.min_workers(), to: &self.target })
    }

    /// The version of the workers that are furthest behind, of those that follow.
    ///
    /// Of builds without an order, one at which the control plane is not counts as behind it; of several such, the
    /// first by its text, so that the answer does not depend on the order of the groups.
    #[must_use]
    pub fn min_workers(&self) -> Option<&KubeVersion> {
        self.furthest(self.following())
    }

    /// The version of those groups that are furthest behind.
    pub(super) fn furthest<'a>(&self, groups: impl Iterator<Item = &'a Group>) -> Option<&'a KubeVersion> {
        groups.map(|group| &group.version).reduce(|least, one| match one.compare(least) {
            Comparison::Less => one,
            Comparison::Equal | Comparison::Greater => least,
            Comparison::Different => match (self.is_at_control_plane(least), self.is_at_control_plane(one)) {
                (true, false) => one,
                (false, true) => least,
                (true, true) | (false, false) if one.to_string() < least.to_string() => one,
                (true, true) | (false, false) => least,
            },
        })
    }

    /// The groups that follow the control plane.
    pub(super) fn following(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|group| group.course == Course::Follows)
    }

    fn is_at_control_plane(&self, version: &KubeVersion) -> bool {
        self.control_plane.as_ref() == Some(version)
    }
}

impl Group {
    fn read(facts: &GroupFacts) -> Result<Option<Self>, PlanError> {
        let GroupFacts { id, version, course } = facts;
        let read = |value: &str| {
            KubeVersion::parse(value).map_err(|cause| PlanError::GroupVersion {
                group: id.clone(),
                value: value.to_owned(),
                cause,
            })
        };
        let Some(version) = version.as_deref().filter(|version| !version.is_empty()) else { return Ok(None) };
        let course = match course {
            Course::Follows => Course::Follows,
            Course::Pinned(value) => Course::Pinned(read(value)?),
            Course::Leaving => Course::Leaving,
        };
        Ok(Some(Self { id: id.clone(), version: read(version)?, course }))
    }
}
