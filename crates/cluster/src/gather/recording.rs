//! Which of the two a recording is: of a cluster itself, or of a management cluster and what it keeps.
//!
//! Both are read by readers of their own, each of which keeps only what its rules ask for. So the cluster's own objects
//! are read first, and only where there are none and others are kept, all is read again for those.

use std::path::{Path, PathBuf};

use headway_core::preview::Inventory;

use super::collect::Collection;
use super::inventory::{About, of_forms};
use super::source::{Cut, Form, form_of, shown};
use super::{GatherError, Gathered, Limits, finish, plain, read};

/// What was recorded.
#[derive(Debug)]
pub enum Recording {
    /// A cluster itself. It may keep others: [`Gathered::keeps_others`].
    Cluster(Box<Gathered>),
    /// The clusters that a management cluster keeps. The moment of the inventory is not set yet.
    Management(Box<Inventory>),
}

/// How what a path holds is read a second time.
enum Again {
    /// From the path.
    Path(Places),
    /// From memory: it is no file.
    Text(String, Result<Vec<u8>, Cut>),
    /// Not at all.
    Never,
}

/// Whether the files at a path lie in folders that say what they are of.
enum Places {
    /// As in a must-gather.
    Said,
    /// Wherever somebody put them.
    Unsaid,
}

/// Gathers what was recorded in files and folders; `-` is standard input.
///
/// # Errors
/// Those of [`files`](super::files()), and an archive of a management cluster that is not a file: too much to be
/// remembered, and read only once.
pub fn recording(paths: &[PathBuf], limits: &Limits) -> Result<Recording, GatherError> {
    let mut all = Collection::new(*limits);
    let mut again = Vec::with_capacity(paths.len());
    for path in paths {
        again.push(match form_of(path, limits)? {
            Form::Text(place, Ok(text)) => {
                all.read_text(&place, &text, None);
                Again::Text(place, Ok(text))
            }
            Form::Text(place, Err(Cut { before, gap })) => {
                let cut = Cut { before: before.clone(), gap: gap.clone() };
                plain::read_text(&place, Err(Cut { before, gap }), &mut all);
                Again::Text(place, Err(cut))
            }
            form => {
                let again = match form {
                    Form::Archive(_) if !path.is_file() => Again::Never,
                    Form::Archive(_) | Form::MustGather(..) => Again::Path(Places::Said),
                    Form::Flat | Form::Plain(..) | Form::Text(..) => Again::Path(Places::Unsaid),
                };
                read(path, form, &mut all);
                again
            }
        });
    }
    if all.is_of_others_alone() {
        drop(all);
        return Ok(Recording::Management(Box::new(read_again(paths, again, limits)?)));
    }
    let gathered = finish(paths, all)?;
    if let Some(inventory) = of_its_guest(&gathered, paths, again, limits) {
        return Ok(Recording::Management(Box::new(inventory)));
    }
    Ok(Recording::Cluster(Box::new(gathered)))
}

fn read_again(paths: &[PathBuf], again: Vec<Again>, limits: &Limits) -> Result<Inventory, GatherError> {
    let forms: Result<Vec<Form>, GatherError> =
        paths.iter().zip(again).map(|(path, again)| again.form(path, limits)).collect();
    of_forms(paths, forms?, About::Member, limits)
}

/// What is kept, where the ClusterVersion is that of a hosted cluster beside it. Only its identity tells, in files that
/// say nothing of whose they are; those of a must-gather lie where they belong.
fn of_its_guest(gathered: &Gathered, paths: &[PathBuf], again: Vec<Again>, limits: &Limits) -> Option<Inventory> {
    let id = gathered.snapshot.cluster_version.as_ref().map_or("", |version| version.spec.cluster_id.as_str());
    let has_places = again.iter().any(|again| !matches!(again, Again::Path(Places::Unsaid) | Again::Text(..)));
    if !gathered.keeps_others || id.is_empty() || has_places {
        return None;
    }
    let inventory = read_again(paths, again, limits).ok()?;
    inventory.hosted_clusters.iter().any(|hosted| hosted.spec.cluster_id == id).then_some(inventory)
}

impl Again {
    fn form(self, path: &Path, limits: &Limits) -> Result<Form, GatherError> {
        match self {
            Self::Path(_) => form_of(path, limits),
            Self::Text(place, text) => Ok(Form::Text(place, text)),
            Self::Never => Err(GatherError::Once { path: shown(path) }),
        }
    }
}
