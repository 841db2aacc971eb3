//! Which versions may stand beside each other in one cluster.
//!
//! The version itself, how it is read and how two compare, is a word that crosses borders and lives in the crate
//! `api`; it is found here too.

pub use headway_api::version::{Comparison, KubeVersion, Minor, VersionError};

/// How many minors a worker may be behind its control plane.
///
/// Kubernetes supports kubelets three minors older than the API server (two, before 1.28). A worker beyond that may
/// work for a while, and nobody tests it.
pub const MAX_MINORS_BEHIND: u64 = 3;

/// What keeps a worker from standing beside a control plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Skew {
    /// Their majors differ.
    #[error("its major differs from that of the control plane")]
    OtherMajor,
    /// The worker is at a later minor.
    #[error("it is {minors} {} ahead of the control plane", plural(*minors))]
    Ahead {
        /// By how many minors.
        minors: u64,
    },
    /// The worker is too far behind.
    #[error("it is {minors} minors behind the control plane, and {MAX_MINORS_BEHIND} are allowed")]
    TooFarBehind {
        /// By how many minors.
        minors: u64,
    },
}

/// Judges a worker of one minor beside a control plane of another.
///
/// Patches do not count: the rules of Kubernetes speak of minors only.
///
/// # Errors
///
/// With what is wrong between the two.
pub fn check_skew(control_plane: Minor, worker: Minor) -> Result<(), Skew> {
    if control_plane.major != worker.major {
        return Err(Skew::OtherMajor);
    }
    if worker.minor > control_plane.minor {
        return Err(Skew::Ahead { minors: worker.minor - control_plane.minor });
    }
    match control_plane.minor - worker.minor {
        0..=MAX_MINORS_BEHIND => Ok(()),
        minors => Err(Skew::TooFarBehind { minors }),
    }
}

/// The oldest of some versions; of those whose order nobody can tell, the first.
#[must_use]
pub fn oldest(versions: impl IntoIterator<Item = KubeVersion>) -> Option<KubeVersion> {
    versions.into_iter().reduce(|least, one| if one.compare(&least) == Comparison::Less { one } else { least })
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "minor" } else { "minors" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ch_2_5_workers_follow_within_three_minors() {
        let check = |control_plane: &str, worker: &str, expect: &str| {
            let minor = |text| KubeVersion::parse(text).unwrap().minor();
            let told = check_skew(minor(control_plane), minor(worker)).map_or_else(|it| it.to_string(), |()| "".into());
            assert_eq!(told, expect, "{control_plane} {worker}");
        };
        check("v1.33.0", "v1.33.9", "");
        check("v1.33.0", "v1.30.0", "");
        check("v1.33.0-rc.1", "v1.33.0", "");
        check("v1.33.0", "v1.29.9", "it is 4 minors behind the control plane, and 3 are allowed");
        check("v1.33.0", "v1.34.0-alpha.0", "it is 1 minor ahead of the control plane");
        check("v1.33.0", "v1.35.0", "it is 2 minors ahead of the control plane");
        check("v2.33.0", "v1.33.0", "its major differs from that of the control plane");
        check("v1.33.0", "v2.0.0", "its major differs from that of the control plane");
        check(
            "v1.18446744073709551615.0",
            "v1.0.0",
            "it is 18446744073709551615 minors behind the control plane, and 3 are allowed",
        );
    }
}
