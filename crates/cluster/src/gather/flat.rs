//! The flat form of the recorded examples: `NAME-cv.yaml` and its siblings (status-openshift.md, 2.1).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use headway_api::gap::{Gap, GapKind};

use super::collect::{Collection, Input};
use super::folder::is_file;
use super::recognize::Kind;
use super::source::shown;

/// What stands in the name of the file that is given.
const SUFFIX: &str = "-cv.yaml";

/// Whether a path is that of a file with siblings.
pub(super) fn is_flat(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains(SUFFIX))
}

/// The siblings, in the order in which they are read; those without which a status is not whole are marked.
const SIBLINGS: [(&str, Option<Kind>, Need); 9] = [
    ("-cv.yaml", Some(Kind::ClusterVersion), Need::Always),
    ("-co.yaml", Some(Kind::ClusterOperator), Need::Always),
    ("-node.yaml", Some(Kind::Node), Need::Always),
    ("-mcp.yaml", Some(Kind::MachineConfigPool), Need::Always),
    ("-mc.yaml", Some(Kind::MachineConfig), Need::Always),
    ("-mco-deployment.yaml", Some(Kind::Deployment), Need::Sometimes),
    ("-pod.yaml", Some(Kind::Pod), Need::Sometimes),
    ("-pdb.yaml", Some(Kind::PodDisruptionBudget), Need::Sometimes),
    ("-alerts.json", None, Need::Sometimes),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Always,
    Sometimes,
}

/// Reads the file and its siblings.
pub(super) fn read(path: &Path, all: &mut Collection) {
    let mut inputs = Vec::new();
    for (suffix, kind, need) in SIBLINGS {
        let sibling = sibling(path, suffix);
        if is_file(&sibling) {
            inputs.push(Input { path: sibling, kind });
        } else if need == Need::Always {
            all.gap(Gap::of_place(GapKind::Unreadable, shown(&sibling), "cannot be read: no such file or directory"));
        } else if kind.is_none() {
            all.no_alerts(format!("open {}: no such file or directory", shown(&sibling)));
        }
    }
    all.read_files(&inputs);
}

/// The path with another suffix. Only the file's name is changed, unlike by the peer, who rewrites folders too
/// (status-openshift.md, 15.2).
fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    path.with_file_name(renamed(name, suffix))
}

/// A name may be any bytes, not only UTF-8.
#[cfg(unix)]
fn renamed(name: &OsStr, suffix: &str) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    let bytes = name.as_bytes();
    let Some(at) = memchr::memmem::find(bytes, SUFFIX.as_bytes()) else {
        return name.to_owned();
    };
    let (before, rest) = bytes.split_at(at);
    let after = rest.get(SUFFIX.len()..).unwrap_or_default();
    OsString::from_vec([before, suffix.as_bytes(), after].concat())
}

#[cfg(not(unix))]
fn renamed(name: &OsStr, suffix: &str) -> OsString {
    name.to_string_lossy().replacen(SUFFIX, suffix, 1).into()
}
