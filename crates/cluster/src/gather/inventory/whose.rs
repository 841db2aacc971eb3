//! Whose objects a file holds, told by where it lies: of the management cluster, or of a cluster that it keeps.
//!
//! A dump of a hosted cluster has two halves: the tree of the management cluster, and in it a folder
//! `hostedcluster-NAME` with the tree of the guest (case A36). Files on their own say nothing of whose they are.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use headway_api::gap::{Gap, GapKind};
use headway_core::preview::{Inventory, Workload};

/// Whose objects a file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Whose {
    /// It does not say: a file on its own.
    #[default]
    Unsaid,
    /// Of whose recording this is: the folder that holds the folders of a must-gather.
    Tree(String),
    /// Of the guest side of the hosted cluster of a name.
    Guest(String),
}

/// Folders by which a must-gather is recognized.
const FOLDERS: [&str; 2] = ["cluster-scoped-resources", "namespaces"];

/// What the folder of a guest's half begins with.
const GUEST: &str = "hostedcluster-";

impl Whose {
    /// What a path says, seen from the folder that was asked for, whose own name counts.
    pub(super) fn of(path: &Path) -> Self {
        let mut before = Vec::new();
        let mut tree = None;
        for part in path.components() {
            let Component::Normal(part) = part else { continue };
            let part = part.to_string_lossy();
            match part.strip_prefix(GUEST) {
                // The file's own name is no folder.
                Some(name) if !name.is_empty() && !path.ends_with(&*part) => return Self::Guest(name.to_owned()),
                Some(_) | None if FOLDERS.contains(&&*part) && tree.is_none() => {
                    tree = Some(Self::Tree(before.join("/")));
                }
                Some(_) | None => {}
            }
            before.push(part.into_owned());
        }
        tree.unwrap_or_default()
    }
}

/// Whether a place in a recording is in the half of a guest.
pub(in crate::gather) fn is_of_guest(place: &str) -> bool {
    let folders = place.rsplit_once('/').map_or("", |(folders, _)| folders);
    // Before the path in an archive stands that of the archive.
    folders.split('/').any(|part| part.rsplit(": ").next().is_some_and(|part| part.starts_with(GUEST)))
}

/// What was found of the clusters that are kept, by whose it is.
#[derive(Debug, Default)]
pub(super) struct Halves {
    found: BTreeMap<Whose, Half>,
}

/// One of them.
#[derive(Debug, Default)]
pub(super) struct Half {
    pub(super) workload: Workload,
    /// Whether it is the management cluster's own: Clusters are beside it.
    pub(super) keeps_clusters: bool,
}

impl Halves {
    /// The half of a cluster.
    pub(super) fn of(&mut self, whose: &Whose) -> &mut Half {
        self.found.entry(whose.clone()).or_default()
    }

    /// Gives each half to its cluster, as far as that can be told.
    pub(super) fn give_to(self, inventory: &mut Inventory) {
        let mut unsaid = Vec::new();
        for (whose, Half { workload, keeps_clusters }) in self.found {
            match whose {
                _ if workload == Workload::default() => {}
                Whose::Guest(name) => {
                    inventory.workloads.insert((String::new(), name), workload);
                }
                // The nodes of the management cluster itself.
                Whose::Tree(_) if keeps_clusters => {}
                Whose::Tree(tree) => unsaid.push((tree, workload)),
                Whose::Unsaid => unsaid.push((String::new(), workload)),
            }
        }
        let several = unsaid.len() > 1;
        for (tree, workload) in unsaid {
            if several {
                let message = "there are nodes and operators of several clusters, and whose these are is not said; \
                    they are left out";
                let place = if tree.is_empty() { "files on their own".to_owned() } else { tree };
                inventory.gaps.push(Gap::of_place(GapKind::Optional, place, message));
            } else {
                inventory.workloads.insert((String::new(), String::new()), workload);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_in_the_half_of_a_guest_or_not() {
        let check = |place: &str, expect: bool| assert_eq!(is_of_guest(place), expect, "{place}");
        check("dump/hostedcluster-a/cluster-scoped-resources/version.yaml", true);
        check("dump.tgz: hostedcluster-a/version.yaml", true);
        check("dump.tgz: dump/hostedcluster-a/version.yaml", true);
        check("dump/hostedcluster-a.yaml", false);
        check("version.yaml", false);
        check("dump/cluster-scoped-resources/version.yaml", false);
    }

    #[test]
    fn a_path_says_whose_objects_it_holds() {
        let check = |path: &str, expect: Whose| assert_eq!(Whose::of(Path::new(path)), expect, "{path}");
        let tree = |path: &str| Whose::Tree(path.into());
        check("nodes.yaml", Whose::Unsaid);
        check("dump/nodes.yaml", Whose::Unsaid);
        check("hostedcluster-a.yaml", Whose::Unsaid);
        check("dump/cluster-scoped-resources/core/nodes/a.yaml", tree("dump"));
        check("dump/img/namespaces/clusters/pods.yaml", tree("dump/img"));
        check("./dump/namespaces/clusters/pods.yaml", tree("dump"));
        check("dump/hostedcluster-a/cluster-scoped-resources/core/nodes/b.yaml", Whose::Guest("a".into()));
        check("dump/namespaces/x/hostedcluster-a/nodes.yaml", Whose::Guest("a".into()));
        check("dump/hostedcluster-/nodes.yaml", Whose::Unsaid);
    }
}
