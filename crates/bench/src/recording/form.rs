//! Where each object goes: lists of one kind, a must-gather folder, or the same in an archive.
//!
//! Objects are made and written one by one, so that making a large recording needs little memory.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use super::cluster::Kind;
use super::moment;
use super::seed::Seed;
use super::syntax::Syntax;

/// The name of the archive.
pub(super) const ARCHIVE: &str = "must-gather.tar.gz";

/// The outer folder of a must-gather.
pub(super) const MUST_GATHER: &str = "must-gather.local.1";

/// Something that takes a recording's files.
pub(super) trait Sink {
    /// Takes the next object of a kind.
    fn put(&mut self, kind: Kind, object: &Value) -> anyhow::Result<()>;
    /// Takes what belongs to the recording as a whole, and makes sure that everything is written.
    fn finish(&mut self) -> anyhow::Result<()>;
}

/// One file for each kind, `big-KIND.yaml`, holding a `List`.
///
/// In JSON too the files are named `.yaml`: people save either under the name that the examples use.
pub(super) struct Flat {
    out: PathBuf,
    syntax: Syntax,
    open: Option<(Kind, BufWriter<File>, usize)>,
}

impl Flat {
    pub(super) fn new(out: &Path, syntax: Syntax) -> Self {
        Self { out: out.to_owned(), syntax, open: None }
    }

    fn close(&mut self) -> anyhow::Result<()> {
        if let Some((kind, mut file, _)) = self.open.take() {
            file.write_all(self.syntax.list_end().as_bytes())
                .and_then(|()| file.flush())
                .with_context(|| format!("cannot write the list of {}", kind.flat_name()))?;
        }
        Ok(())
    }
}

impl Sink for Flat {
    fn put(&mut self, kind: Kind, object: &Value) -> anyhow::Result<()> {
        if self.open.as_ref().is_none_or(|(open, _, _)| *open != kind) {
            self.close()?;
            let path = self.out.join(format!("big-{}.yaml", kind.flat_name()));
            let file = File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
            let mut file = BufWriter::new(file);
            file.write_all(self.syntax.list_start().as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
            self.open = Some((kind, file, 0));
        }
        if let Some((kind, file, items)) = &mut self.open {
            let text = self.syntax.list_item(object, *items)?;
            file.write_all(text.as_bytes())
                .with_context(|| format!("cannot write the list of {}", kind.flat_name()))?;
            *items += 1;
        }
        Ok(())
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        self.close()
    }
}

/// One file for each object, in the folders of a must-gather.
pub(super) struct MustGather {
    out: PathBuf,
    syntax: Syntax,
    made: Vec<Kind>,
}

impl MustGather {
    pub(super) fn new(out: &Path, syntax: Syntax) -> Self {
        Self { out: out.to_owned(), syntax, made: Vec::new() }
    }

    fn write(&self, name: &Path, text: &str) -> anyhow::Result<()> {
        let path = self.out.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

impl Sink for MustGather {
    fn put(&mut self, kind: Kind, object: &Value) -> anyhow::Result<()> {
        let name = object_file(kind, object, self.syntax);
        if !self.made.contains(&kind) {
            let folder = self.out.join(inner_folder()).join(kind.folder());
            fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            self.made.push(kind);
        }
        self.write(&name, &self.syntax.document(object)?)
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        self.write(&inner_folder().join("timestamp"), moment::timestamp_file())
    }
}

/// A must-gather in a gzipped archive; every header is fixed, so that the same recording gives the same bytes.
pub(super) struct TarGz {
    archive: tar::Builder<GzEncoder<BufWriter<File>>>,
    syntax: Syntax,
}

impl TarGz {
    pub(super) fn new(out: &Path, syntax: Syntax) -> anyhow::Result<Self> {
        let path = out.join(ARCHIVE);
        let file = File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self { archive: tar::Builder::new(GzEncoder::new(BufWriter::new(file), Compression::default())), syntax })
    }

    fn append(&mut self, name: &Path, text: &str) -> anyhow::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(u64::try_from(text.len())?);
        header.set_mode(0o644);
        header.set_mtime(0);
        self.archive
            .append_data(&mut header, name, text.as_bytes())
            .with_context(|| format!("cannot write {} into {ARCHIVE}", name.display()))
    }
}

impl Sink for TarGz {
    fn put(&mut self, kind: Kind, object: &Value) -> anyhow::Result<()> {
        let name = object_file(kind, object, self.syntax);
        let text = self.syntax.document(object)?;
        self.append(&name, &text)
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        self.append(&inner_folder().join("timestamp"), moment::timestamp_file())?;
        self.archive
            .finish()
            .and_then(|()| self.archive.get_mut().try_finish())
            .and_then(|()| self.archive.get_mut().get_mut().flush())
            .context("cannot finish the archive")
    }
}

/// The folder inside a must-gather that is named after the image that gathered it.
fn inner_folder() -> PathBuf {
    Path::new(MUST_GATHER)
        .join(format!("registry-seaport-example-5000-openshift-must-gather-sha256-{}", Seed::of("must-gather").hex(64)))
}

fn object_file(kind: Kind, object: &Value, syntax: Syntax) -> PathBuf {
    // Every object that we make has a name.
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    inner_folder().join(kind.folder()).join(format!("{name}.{}", syntax.extension()))
}
