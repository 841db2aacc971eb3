//! A version list, sifted: which of its entries the control plane visits, and what becomes of the others
//! (chained-upgrades.md, 2.4).

use std::cell::LazyCell;

use super::refusal::PlanError;
use super::situation::Question;
use super::source::VersionList;
use crate::version::{Comparison, KubeVersion};

/// An entry of the list and what becomes of it.
pub(super) struct Entry {
    pub(super) version: KubeVersion,
    pub(super) fate: Fate,
}

/// What becomes of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is no newer than the control plane.
    NotNewer,
    /// It is of the minor at which the control plane is, and the target is in a later one: no detour.
    OwnMinor,
    /// It is of an earlier minor than one before it.
    OutOfOrder,
    /// A later entry of the same minor is taken.
    Superseded,
    /// The control plane visits it.
    Chosen,
    /// It is newer than the target.
    BeyondTarget,
}

/// Sifts the entries up to the target, or up to the first that is newer; those after it are not read.
pub(super) fn sift(list: &VersionList, question: &Question<'_>) -> Result<Vec<Entry>, PlanError> {
    let mut entries: Vec<Entry> = Vec::with_capacity(list.versions.len());
    let mut current = question.from_control_plane.minor();
    let target_is_in_own_minor = current == question.to.minor();
    let mut taken: Option<usize> = None;
    let control_plane = question.from_control_plane;
    // Looked up once and only when it matters: for a control plane at a build without an order.
    let listed_at = LazyCell::new(|| {
        let same = |text: &String| KubeVersion::parse(text).is_ok_and(|listed| listed == *control_plane);
        list.versions.iter().position(same)
    });
    for (index, text) in list.versions.iter().enumerate() {
        let version = KubeVersion::parse(text).map_err(|cause| PlanError::ListEntry {
            origin: list.name(),
            index,
            value: text.clone(),
            cause,
        })?;
        let is_newer = match version.compare(control_plane) {
            Comparison::Greater => true,
            Comparison::Less | Comparison::Equal => false,
            // The list itself gives an order, from old to new. A control plane that is not in it may take any.
            Comparison::Different => listed_at.is_none_or(|at| at < index),
        };
        if !is_newer {
            entries.push(Entry { version, fate: Fate::NotNewer });
            continue;
        }
        if version.compare(question.to) == Comparison::Greater {
            entries.push(Entry { version, fate: Fate::BeyondTarget });
            break;
        }
        let minor = version.minor();
        let fate = match taken {
            _ if minor > current => Fate::Chosen,
            _ if minor < current => Fate::OutOfOrder,
            Some(before) => {
                entries[before].fate = Fate::Superseded;
                Fate::Chosen
            }
            None if target_is_in_own_minor => Fate::Chosen,
            None => Fate::OwnMinor,
        };
        if fate == Fate::Chosen {
            taken = Some(index);
            current = minor;
        }
        let is_target = version == *question.to;
        entries.push(Entry { version, fate });
        if is_target {
            break;
        }
    }
    Ok(entries)
}
