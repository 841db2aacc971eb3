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
    Path,
    /// From memory: it is no file.
    Text(String, Result<Vec<u8>, Cut>),
    /// Not at all.
    Never,
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
                let can_be_read_again = !matches!(form, Form::Archive(_)) || is_file(path);
                read(path, form, &mut all);
                if can_be_read_again { Again::Path } else { Again::Never }
            }
        });
    }
    if !all.is_of_others_alone() {
        return Ok(Recording::Cluster(Box::new(finish(paths, all)?)));
    }
    drop(all);
    let forms: Result<Vec<Form>, GatherError> =
        paths.iter().zip(again).map(|(path, again)| again.form(path, limits)).collect();
    Ok(Recording::Management(Box::new(of_forms(paths, forms?, About::Member, limits)?)))
}

impl Again {
    fn form(self, path: &Path, limits: &Limits) -> Result<Form, GatherError> {
        match self {
            Self::Path => form_of(path, limits),
            Self::Text(place, text) => Ok(Form::Text(place, text)),
            Self::Never => Err(GatherError::Once { path: shown(path) }),
        }
    }
}

fn is_file(path: &Path) -> bool {
    path.is_file()
}
