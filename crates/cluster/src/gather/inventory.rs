//! Gathering for plans and fleets: the objects of a management cluster out of files, into an inventory with its gaps.
//!
//! The same sources as for a status (folders, files, archives, standard input), and the same reader. What is not of a
//! kind that an inventory is made of is passed over, so that a dump of everything does.

mod kind;
mod text;
mod whose;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use headway_api::gap::{Gap, GapKind};
use headway_core::preview::Inventory;
use tar::EntryType;

use self::kind::Side;
use self::text::Object;
pub(super) use self::text::{Found, parse};
pub(super) use self::whose::is_of_guest;
use self::whose::{Half, Halves, Whose};
use super::archive::{Reader, TRUSTED, is_hidden, leads_elsewhere, walk};
use super::collect::{BATCH, side_by_side};
use super::folder::{Folders, is_text};
use super::metered::Metered;
use super::source::{Cut, Form, form_of, read_bounded, read_file, shown, too_large};
use super::{GatherError, Limits, Nothing};

/// What a question is about, and must therefore be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// A Cluster.
    Cluster,
    /// A ClusterClass.
    ClusterClass,
    /// A cluster of any form, or what belongs to one.
    Member,
}

/// Gathers what was recorded in files and folders; `-` is standard input. The moment of the inventory is not set yet.
///
/// # Errors
/// A path that does not exist, a standard input that cannot be read, or nothing in all of it of what the question is
/// about.
pub fn files(paths: &[PathBuf], about: About, limits: &Limits) -> Result<Inventory, GatherError> {
    let forms: Result<Vec<Form>, GatherError> = paths.iter().map(|path| form_of(path, limits)).collect();
    of_forms(paths, forms?, about, limits)
}

/// Gathers what is at paths of which it is known what they hold.
pub(super) fn of_forms(
    paths: &[PathBuf],
    forms: Vec<Form>,
    about: About,
    limits: &Limits,
) -> Result<Inventory, GatherError> {
    let mut all = Collected::new(*limits);
    for (path, form) in paths.iter().zip(forms) {
        match form {
            Form::Flat => all.read_files(path, std::slice::from_ref(path)),
            Form::MustGather(..) => {
                let mut folders = Folders::below(path);
                let files = folders.texts(path);
                all.inventory.gaps.extend(folders.gaps);
                all.read_files(path, &files);
            }
            Form::Plain(files, gaps) => {
                all.inventory.gaps.extend(gaps);
                all.read_files(path, &files);
            }
            Form::Archive(stream) => {
                let mut reading = Reading { place: shown(path), limits: *limits, gaps: Vec::new(), found: Vec::new() };
                walk(&shown(path), stream, &mut reading);
                all.read_archive(reading);
            }
            Form::Text(place, Ok(text)) => all.add(parse(&place, &text, limits)),
            Form::Text(place, Err(Cut { before, gap })) => {
                all.inventory.gaps.push(*gap);
                if !before.is_empty() {
                    all.add(parse(&place, &before, limits));
                }
            }
        }
    }
    let (files, others) = (all.files, all.others);
    let inventory = all.whole();
    let is_there = match about {
        About::Cluster => !inventory.clusters.is_empty(),
        About::ClusterClass => !inventory.classes.is_empty(),
        About::Member => has_member(&inventory),
    };
    if is_there {
        return Ok(inventory);
    }
    let paths = paths.iter().map(|path| shown(path)).collect();
    let found = Nothing { paths, files, other_objects: others, gaps: inventory.gaps };
    Err(match about {
        About::Cluster => GatherError::NoCluster(found),
        About::ClusterClass => GatherError::NoClusterClass(found),
        About::Member => GatherError::NoMember(found),
    })
}

/// Whether there is anything that belongs to a cluster of any form.
fn has_member(inventory: &Inventory) -> bool {
    let Inventory { clusters, hosted_clusters, control_planes, machine_deployments, machine_pools, machines, .. } =
        inventory;
    !(clusters.is_empty()
        && hosted_clusters.is_empty()
        && control_planes.is_empty()
        && machine_deployments.is_empty()
        && machine_pools.is_empty()
        && machines.is_empty())
}

/// What was collected so far.
pub(super) struct Collected {
    limits: Limits,
    inventory: Inventory,
    halves: Halves,
    /// Where each object came from.
    origins: BTreeMap<(Whose, String), (String, Object)>,
    files: usize,
    others: usize,
}

impl Collected {
    /// Nothing yet.
    pub(super) fn new(limits: Limits) -> Self {
        let (inventory, halves) = (Inventory::default(), Halves::default());
        Self { limits, inventory, halves, origins: BTreeMap::new(), files: 0, others: 0 }
    }

    /// Takes in what could not be observed.
    pub(super) fn gap(&mut self, gap: Gap) {
        self.inventory.gaps.push(gap);
    }

    /// What was collected by now.
    pub(super) fn so_far(&self) -> &Inventory {
        &self.inventory
    }

    /// The nodes that are cordoned, of those that do not say whose they are.
    pub(super) fn cordoned(&mut self) -> BTreeSet<String> {
        let nodes = &self.halves.of(&Whose::Unsaid).workload.nodes;
        nodes.iter().filter(|node| node.spec.unschedulable).map(|node| node.metadata.name.clone()).collect()
    }

    /// All that was collected.
    pub(super) fn whole(self) -> Inventory {
        let Self { mut inventory, halves, .. } = self;
        halves.give_to(&mut inventory);
        inventory
    }

    /// Reads files at or below a path.
    fn read_files(&mut self, asked: &Path, files: &[PathBuf]) {
        let limits = self.limits;
        // Parsed side by side, put together in their order.
        let found = side_by_side(files, BATCH, |path| match read_file(path, &limits) {
            Ok(text) => Ok(parse(&shown(path), &text, &limits)),
            Err(gap) => Err(gap),
        });
        for (path, found) in files.iter().zip(found) {
            // What is above the path that was asked for says nothing of what is in it.
            let within = asked.parent().and_then(|parent| path.strip_prefix(parent).ok()).unwrap_or(path);
            match found {
                Ok(found) => self.add_of(&Whose::of(within), found),
                Err(gap) => self.inventory.gaps.push(gap),
            }
        }
    }

    fn read_archive(&mut self, reading: Reading) {
        let Reading { gaps, mut found, .. } = reading;
        self.inventory.gaps.extend(gaps);
        // In the order of the names, as in a folder.
        found.sort_by(|(a, _), (b, _)| Path::new(a).cmp(Path::new(b)));
        for (name, found) in found {
            self.add_of(&Whose::of(Path::new(&name)), found);
        }
    }

    /// Takes in what came of a text that does not say whose it is.
    pub(super) fn add(&mut self, found: Found) {
        self.add_of(&Whose::Unsaid, found);
    }

    fn add_of(&mut self, whose: &Whose, found: Found) {
        let Found { place, objects, gaps, gaps_of_workload, seen, others } = found;
        self.files += 1;
        self.others += others;
        self.inventory.gaps.extend(gaps);
        let Half { workload, .. } = self.halves.of(whose);
        workload.gaps.extend(gaps_of_workload);
        for kind in seen {
            kind.note_of_workload(&mut workload.seen);
            if !matches!(whose, Whose::Guest(_)) {
                kind.note(&mut self.inventory.seen);
            }
        }
        for (side, object) in objects {
            self.others += 1;
            self.add_object(&place, whose, side, object);
        }
    }

    /// The first of two objects of a name counts; the other is a gap, if it differs.
    fn add_object(&mut self, place: &str, whose: &Whose, side: Side, object: Object) {
        // Objects of one management cluster are often spread over files and folders; those of a workload cluster are
        // together.
        let is_apart = side == Side::Workload || matches!(whose, Whose::Guest(_));
        let key = (if is_apart { whose.clone() } else { Whose::Unsaid }, object.told());
        if let Some((origin, known)) = self.origins.get(&key) {
            if *known != object {
                let message = format!("is in {origin} too, with other content; that one counts");
                let gap = Gap { object: key.1, ..Gap::of_place(GapKind::Duplicate, place, message) };
                match side {
                    Side::Workload => self.halves.of(whose).workload.gaps.push(gap),
                    Side::Management | Side::Both => self.inventory.gaps.push(gap),
                }
            }
            return;
        }
        self.origins.insert(key, (place.to_owned(), object.clone()));
        let is_of_guest = matches!(whose, Whose::Guest(_));
        let half = self.halves.of(whose);
        half.keeps_clusters |= matches!(object, Object::Cluster(_) | Object::HostedCluster(_) | Object::NodePool(_));
        match side {
            // A guest may keep clusters itself; they are none of this management cluster.
            Side::Management if is_of_guest => {}
            Side::Management => object.put_into(&mut self.inventory),
            Side::Workload => object.put_into_workload(&mut half.workload),
            Side::Both => {
                object.clone().put_into_workload(&mut half.workload);
                if !is_of_guest {
                    object.put_into(&mut self.inventory);
                }
            }
        }
    }
}

/// An archive on the way of being read.
struct Reading {
    place: String,
    limits: Limits,
    gaps: Vec<Gap>,
    /// What was found, by name.
    found: Vec<(String, Found)>,
}

impl Reader for Reading {
    fn gap(&mut self, gap: Gap) {
        self.gaps.push(gap);
    }

    fn entry(&mut self, mut entry: tar::Entry<'_, Metered<Box<dyn Read>>>) {
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let shown = format!("{}: {name}", self.place);
        let kind = entry.header().entry_type();
        if is_hidden(&name) || matches!(kind, EntryType::XGlobalHeader | EntryType::Directory) {
            return;
        }
        if let Some(why) = leads_elsewhere(&name) {
            return self.gap(Gap::of_place(GapKind::Refused, shown, why));
        }
        if !is_text(Path::new(&name)) {
            return;
        }
        if !matches!(kind, EntryType::Regular | EntryType::Continuous) {
            return self.gap(Gap::of_place(GapKind::Refused, shown, "refused: not a file"));
        }
        let size = entry.size();
        if size > self.limits.max_file_size {
            return self.gap(too_large(&shown, &self.limits));
        }
        let expected = usize::try_from(size.min(TRUSTED)).unwrap_or(0);
        let text = match read_bounded(&mut entry, expected, &shown, &self.limits) {
            Ok(text) => text,
            Err(Cut { before, gap }) => {
                self.gap(*gap);
                before
            }
        };
        if !text.is_empty() || size == 0 {
            self.found.push((name, parse(&shown, &text, &self.limits)));
        }
    }
}
