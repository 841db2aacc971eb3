//! What a ClusterClass says about a target: rules A4 and B4.

use headway_api::cluster_api::ClusterClass;

use crate::version::KubeVersion;

/// Why a version is none of a class, if so, when texts are compared: as Cluster API does.
pub(crate) fn not_listed(class: &ClusterClass, name: &str, version: &str) -> Option<String> {
    let list = &class.spec.kubernetes_versions;
    if list.is_empty() || list.iter().any(|listed| listed == version) {
        return None;
    }
    let read = KubeVersion::parse(version).ok()?;
    Some(match list.iter().find(|listed| is_same(listed, &read)) {
        Some(same) => format!("ClusterClass/{name} lists {version} as {same}, and the texts are compared"),
        None => format!("ClusterClass/{name} does not list {version}"),
    })
}

/// Whether a list has a version, in whatever spelling; an empty list has them all.
pub(super) fn lists(list: &[String], version: &KubeVersion) -> bool {
    list.is_empty() || list.iter().any(|listed| is_same(listed, version))
}

/// Without a list and an extension only the next minor is let in. The first three numbers count: a pre-release of a
/// minor is of that minor.
pub(crate) fn beyond_one_minor(class: &ClusterClass, old: &KubeVersion, new: &KubeVersion) -> Option<String> {
    if !class.spec.kubernetes_versions.is_empty() || class.extension().is_some() {
        return None;
    }
    let (from, to) = (old.minor(), new.minor());
    let is_beyond = to.major != from.major || to.minor > from.minor.saturating_add(1);
    is_beyond.then(|| {
        format!("{new} is more than one minor after {old}, and the ClusterClass has neither a list nor an extension")
    })
}

pub(super) fn is_same(text: &str, version: &KubeVersion) -> bool {
    KubeVersion::parse(text).is_ok_and(|read| read == *version)
}
