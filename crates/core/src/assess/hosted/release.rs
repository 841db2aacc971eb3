//! Releases by their images: whether two images are one, and which version an image is of.

use headway_api::hypershift::VersionStatus;

use crate::version::KubeVersion;

/// Whether two references are of one image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Same {
    Yes,
    No,
    /// One is a tag and the other a digest, or one is not given.
    CannotTell,
}

/// Compares two references. Where the image lies says nothing, since releases are mirrored.
pub(super) fn same(a: &str, b: &str) -> Same {
    let of = |is_same: bool| if is_same { Same::Yes } else { Same::No };
    if a.is_empty() || b.is_empty() {
        return Same::CannotTell;
    }
    match (a == b, digest(a), digest(b)) {
        (true, _, _) => Same::Yes,
        (false, Some(a), Some(b)) => of(a == b),
        (false, None, None) => of(tag(a).is_some() && tag(a) == tag(b)),
        (false, Some(_), None) | (false, None, Some(_)) => Same::CannotTell,
    }
}

fn digest(image: &str) -> Option<&str> {
    image.split_once('@').map(|(_, digest)| digest)
}

fn tag(image: &str) -> Option<&str> {
    let last = image.rsplit('/').next()?;
    last.split_once(':').map(|(_, tag)| tag)
}

/// What the tags of releases end with, to tell architectures apart.
const ARCHITECTURES: [&str; 7] = ["-multi-x86_64", "-multi", "-x86_64", "-amd64", "-aarch64", "-ppc64le", "-s390x"];

/// The version that the tag of a release names: `4.18.3` of `ocp-release:4.18.3-x86_64`.
pub(super) fn tagged(image: &str) -> Option<&str> {
    let tag = tag(image).filter(|_| digest(image).is_none())?;
    let version = ARCHITECTURES.iter().find_map(|end| tag.strip_suffix(end)).unwrap_or(tag);
    let has_patch = version.split('-').next()?.matches('.').count() == 2;
    (has_patch && KubeVersion::parse(version).is_ok()).then_some(version)
}

/// The version of an image: as one of the sides tells it, else as its tag does.
pub(super) fn version_of<'a>(image: &'a str, sides: impl Iterator<Item = &'a VersionStatus>) -> Option<&'a str> {
    let told = sides.flat_map(|side| {
        let desired = std::iter::once((side.desired.image.as_str(), side.desired.version.as_str()));
        desired.chain(side.history.iter().map(|entry| (entry.image.as_str(), entry.version.as_str())))
    });
    let mut told = told.filter(|(_, version)| !version.is_empty());
    told.find(|(known, _)| same(known, image) == Same::Yes).map(|(_, version)| version).or_else(|| tagged(image))
}

/// The architecture apart, what comes behind `Target version: ` in a message of a NodePool.
pub(super) fn target_in(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("Target version: ")?;
    let word = rest.split_whitespace().next()?.trim_end_matches(['.', ',', ';']);
    KubeVersion::parse(word).is_ok().then_some(word)
}

/// Whether a version is older than another, as far as that can be told.
pub(super) fn is_older(version: &str, than: &str) -> bool {
    match (KubeVersion::parse(version), KubeVersion::parse(than)) {
        (Ok(version), Ok(than)) => version.compare(&than) == crate::version::Comparison::Less,
        (Err(_), _) | (_, Err(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_compared_by_digest_or_tag() {
        let check = |a: &str, b: &str, expect: Same| assert_eq!(same(a, b), expect, "{a} {b}");
        check("q.io/r:4.18.3-x86_64", "q.io/r:4.18.3-x86_64", Same::Yes);
        check("q.io/r:4.18.3-x86_64", "mirror:5000/r:4.18.3-x86_64", Same::Yes);
        check("q.io/r:4.18.3-x86_64", "q.io/r:4.18.4-x86_64", Same::No);
        check("q.io/r@sha256:aa", "mirror/r@sha256:aa", Same::Yes);
        check("q.io/r@sha256:aa", "q.io/r@sha256:bb", Same::No);
        check("q.io/r@sha256:aa", "q.io/r:4.18.3", Same::CannotTell);
        check("", "q.io/r:4.18.3", Same::CannotTell);
        check("localhost:5000/r", "other:5000/r", Same::No);
    }

    #[test]
    fn tags_and_messages_name_versions() {
        let check = |image: &str, expect: Option<&str>| assert_eq!(tagged(image), expect, "{image}");
        check("quay.io/openshift-release-dev/ocp-release:4.18.3-x86_64", Some("4.18.3"));
        check("r:4.19.0-ec.2-multi", Some("4.19.0-ec.2"));
        check("r:4.18", None);
        check("r:latest", None);
        check("host:5000/r", None);
        check("r:4.18.3@sha256:aa", None);
        let check = |message: &str, expect: Option<&str>| assert_eq!(target_in(message), expect, "{message}");
        check("Updating version in progress. Target version: 4.18.3", Some("4.18.3"));
        check("Target version: 4.18.3. Total Nodes: 2", Some("4.18.3"));
        check("Target version: the next", None);
        check("", None);
    }
}
