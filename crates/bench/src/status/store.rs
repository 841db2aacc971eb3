//! Where recordings lie while they are measured: in the cache when there is one, else in a folder that goes away.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tempfile::TempDir;

use crate::recording::{Recording, VERSION};

/// A place for recordings.
#[derive(Debug)]
pub(super) enum Store {
    /// Kept for the next run.
    Kept(PathBuf),
    /// Removed at the end.
    Temporary(TempDir),
}

impl Store {
    /// The place below the cache that belongs to this version of the generator, or a temporary one.
    pub(super) fn open(cache: Option<&Path>) -> anyhow::Result<Self> {
        match cache {
            Some(cache) => Ok(Self::Kept(cache.join("bench").join(format!("recordings-{VERSION}")))),
            None => Ok(Self::Temporary(tempfile::tempdir().context("cannot make a temporary folder")?)),
        }
    }

    /// Makes the recording when it is not there yet; gives the path to hand to `--from`.
    ///
    /// A recording is moved to its place when it is whole, so that one that was interrupted is never measured.
    pub(super) fn recording(&self, recording: &Recording) -> anyhow::Result<PathBuf> {
        let root = match self {
            Self::Kept(path) => path,
            Self::Temporary(folder) => folder.path(),
        };
        let place = root.join(recording.name());
        if !place.exists() {
            fs::create_dir_all(root).with_context(|| format!("cannot make {}", root.display()))?;
            let unfinished =
                tempfile::tempdir_in(root).with_context(|| format!("cannot make a folder in {}", root.display()))?;
            recording.write(unfinished.path())?;
            fs::rename(unfinished.keep(), &place).with_context(|| format!("cannot make {}", place.display()))?;
        }
        Ok(recording.entry(&place))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Store;
    use crate::recording::{Form, Recording, Syntax};

    #[test]
    fn a_kept_recording_is_made_once() {
        let cache = tempfile::tempdir().unwrap();
        let recording = Recording { nodes: 10, form: Form::Flat, syntax: Syntax::Yaml };
        let entry = Store::open(Some(cache.path())).unwrap().recording(&recording).unwrap();
        fs::write(&entry, "kept").unwrap();
        let again = Store::open(Some(cache.path())).unwrap().recording(&recording).unwrap();
        assert_eq!(fs::read_to_string(again).unwrap(), "kept");
        let parent = entry.parent().and_then(std::path::Path::parent).unwrap();
        assert_eq!(fs::read_dir(parent).unwrap().count(), 1, "nothing unfinished is left behind");
    }

    #[test]
    fn a_temporary_recording_goes_away() {
        let recording = Recording { nodes: 10, form: Form::MustGather, syntax: Syntax::Json };
        let store = Store::open(None).unwrap();
        let entry = store.recording(&recording).unwrap();
        assert!(entry.is_dir());
        drop(store);
        assert!(!entry.exists());
    }
}
