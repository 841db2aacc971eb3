//! Taking a target back before anything has been done for it: the one way down that there is.

use std::collections::BTreeMap;

use super::settled::{control_plane_unsettled, group_unsettled};
use crate::preview::Scene;
use crate::version::KubeVersion;

/// Why a target cannot be taken back to a version, if so: only to where the whole cluster is settled, and only before
/// the upgrade has begun.
pub(super) fn cannot_revert(
    scene: &Scene<'_>,
    to: &KubeVersion,
    nodes: &BTreeMap<String, String>,
) -> Result<(), String> {
    if scene.has_begun() {
        return Err("the upgrade has begun".into());
    }
    let Some(control_plane) = scene.control_plane else {
        return Err(format!("{} was not found", scene.control_plane_name()));
    };
    let staying = scene.groups.iter().filter(|group| group.object.metadata.deletion_timestamp.is_none());
    let unsettled = control_plane_unsettled(scene, control_plane, to)
        .or_else(|| staying.filter_map(|group| group_unsettled(group, to, nodes)).next());
    unsettled.map_or(Ok(()), |violation| Err(violation.message))
}
