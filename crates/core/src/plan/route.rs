//! The way of a control plane: where it is, and the versions that it takes.

use crate::version::{Comparison, KubeVersion, Minor};

/// The way of a control plane, checked.
pub(super) struct Route<'a> {
    from: &'a KubeVersion,
    chain: &'a [KubeVersion],
    target: &'a KubeVersion,
}

/// Why one version does not follow another on a way of workers.
pub(super) enum Misstep {
    /// It is not newer.
    NotNewer,
    /// The control plane takes it earlier.
    Backwards,
    /// Nothing tells which of the two is newer.
    Unordered,
}

impl<'a> Route<'a> {
    pub(super) fn new(from: &'a KubeVersion, chain: &'a [KubeVersion], target: &'a KubeVersion) -> Self {
        Self { from, chain, target }
    }

    /// Where the control plane is.
    pub(super) fn from(&self) -> &'a KubeVersion {
        self.from
    }

    /// Where everything is to end.
    pub(super) fn target(&self) -> &'a KubeVersion {
        self.target
    }

    /// Whether the control plane stays where it is.
    pub(super) fn is_short(&self) -> bool {
        self.chain.is_empty()
    }

    /// All versions at which the control plane is at some time, in order.
    pub(super) fn versions(&self) -> impl DoubleEndedIterator<Item = &'a KubeVersion> {
        std::iter::once(self.from).chain(self.chain)
    }

    /// When the control plane is at a version: 0 is now.
    pub(super) fn position(&self, version: &KubeVersion) -> Option<usize> {
        self.versions().position(|one| one == version)
    }

    /// The last version of a minor.
    pub(super) fn last_of(&self, minor: Minor) -> Option<&'a KubeVersion> {
        self.versions().rev().find(|one| one.minor() == minor)
    }

    /// Judges a move of workers from one version to another.
    ///
    /// Of builds without an order, the control plane's way says which is newer. It does not know where workers are
    /// that it has passed; but workers are at its version or behind it, so that where it is now is newer for them.
    pub(super) fn follows(&self, previous: &KubeVersion, next: &KubeVersion) -> Result<(), Misstep> {
        match next.compare(previous) {
            Comparison::Greater => Ok(()),
            Comparison::Less | Comparison::Equal => Err(Misstep::NotNewer),
            Comparison::Different => match (self.position(previous), self.position(next)) {
                (Some(before), Some(after)) if before < after => Ok(()),
                (Some(_), Some(_)) => Err(Misstep::Backwards),
                (None, Some(0)) => Ok(()),
                (None, Some(_)) | (_, None) => Err(Misstep::Unordered),
            },
        }
    }
}
