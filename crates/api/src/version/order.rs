//! The order of pre-releases and builds, as far as there is one (chained-upgrades.md, 2.2).

use std::cmp::Ordering;

use semver::{BuildMetadata, Prerelease};

use super::Comparison;

/// EKS and EKS Anywhere write the revision of their distribution where a pre-release stands: `v1.29.0-eks-1-29-3`, or
/// `v1.29.0-eks-5e0fdde` on nodes. Semantic versioning compares that as text, by which revision 10 comes before 3 and
/// hashes have an order.
const EKS: &str = "eks-";

/// How one pre-release stands to another: by semantic versioning, save for the revisions of EKS.
///
/// Those that begin with `eks-` stand together in the order of texts, so another order among them does not disturb the
/// rest.
pub(super) fn prereleases(a: &Prerelease, b: &Prerelease) -> Comparison {
    if let (Some(revision_a), Some(revision_b)) = (eks_revision(a), eks_revision(b))
        && revision_a != revision_b
    {
        return match (branch_and_number(revision_a), branch_and_number(revision_b)) {
            (Some(numbers_a), Some(numbers_b)) => numbers_a.cmp(&numbers_b).then_with(|| a.cmp(b)).into(),
            // A hash has no order.
            (None, _) | (_, None) => Comparison::Different,
        };
    }
    a.cmp(b).into()
}

fn eks_revision(pre: &Prerelease) -> Option<&str> {
    pre.as_str().split('.').next()?.strip_prefix(EKS)
}

/// `1-29-3`: release branch and number within it.
fn branch_and_number(revision: &str) -> Option<[u64; 3]> {
    let numbers: Vec<u64> = revision.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// How one build stands to another: by the first identifier in which they differ, and the longer one is newer when all
/// that they share are the same.
pub(super) fn builds(a: &BuildMetadata, b: &BuildMetadata) -> Comparison {
    // Splitting an empty text gives one empty identifier, and no build has none.
    let identifiers = |build: &BuildMetadata| build.as_str().split('.').filter(|it| !it.is_empty()).count();
    for (one, other) in a.as_str().split('.').zip(b.as_str().split('.')) {
        if one.is_empty() || other.is_empty() {
            break;
        }
        match identifier(one, other) {
            Comparison::Equal => {}
            told @ (Comparison::Less | Comparison::Greater | Comparison::Different) => return told,
        }
    }
    identifiers(a).cmp(&identifiers(b)).into()
}

fn identifier(a: &str, b: &str) -> Comparison {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match (is_number(a), is_number(b)) {
        // Numbers of any length: without zeros before them, the longer one is the larger one.
        (true, true) => {
            let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
            a.len().cmp(&b.len()).then_with(|| a.cmp(b)).into()
        }
        (true, false) => Comparison::Less,
        (false, true) => Comparison::Greater,
        (false, false) if a == b => Ordering::Equal.into(),
        (false, false) => Comparison::Different,
    }
}
