//! A recording of an invented OpenShift cluster in the middle of an update, as large as asked.
//!
//! The same request always gives the same bytes. Nothing is copied from a real cluster; shapes and weights are
//! like those of one. Where files lie is the business of [`form`], what is in them of [`cluster`].

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;

mod cluster;
mod cluster_version;
mod fleet;
mod form;
mod machine_configs;
mod moment;
mod nodes;
mod operators;
mod pools;
mod seed;
mod syntax;
mod yaml;

pub(crate) use yaml::document as yaml_document;

pub(crate) use cluster::{Kind, objects};
pub(crate) use fleet::{Fleet, Member, Role, State};
pub(crate) use moment::RECORDED_AT;
pub(crate) use nodes::node;
pub(crate) use seed::Seed;
pub(crate) use syntax::Syntax;

/// Counts the changes of what is written, so that recordings kept from before are not taken for today's.
/// A test holds the digest of a small recording; when it changes, so must this.
pub(crate) const VERSION: u32 = 1;

/// The version that the invented cluster is updated to, which every status of it must name.
pub(crate) const TARGET_VERSION: &str = "4.20.11";

/// How the objects are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Form {
    /// A list for each kind, in five files.
    Flat,
    /// A must-gather folder, an object a file.
    MustGather,
    /// The same as one gzipped archive.
    TarGz,
}

impl Form {
    /// What people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::MustGather => "must-gather",
            Self::TarGz => "tar.gz",
        }
    }
}

/// Which recording to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Recording {
    /// Number of nodes, the control plane's included.
    pub(crate) nodes: u32,
    /// How the objects are laid out.
    pub(crate) form: Form,
    /// What the objects are written in.
    pub(crate) syntax: Syntax,
}

impl Recording {
    /// Writes the recording into a folder, which is made when missing.
    pub(crate) fn write(&self, out: &Path) -> anyhow::Result<()> {
        fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
        let mut sink: Box<dyn form::Sink> = match self.form {
            Form::Flat => Box::new(form::Flat::new(out, self.syntax)),
            Form::MustGather => Box::new(form::MustGather::new(out, self.syntax)),
            Form::TarGz => Box::new(form::TarGz::new(out, self.syntax)?),
        };
        for (kind, object) in objects(Fleet::of(self.nodes)) {
            sink.put(kind, &object)?;
        }
        sink.finish()
    }

    /// What to hand to `headway status --from` when the recording was written into `out`.
    pub(crate) fn entry(&self, out: &Path) -> PathBuf {
        out.join(match self.form {
            Form::Flat => "big-cv.yaml",
            Form::MustGather => form::MUST_GATHER,
            Form::TarGz => form::ARCHIVE,
        })
    }

    /// A name that tells recordings apart.
    pub(crate) fn name(&self) -> String {
        format!("{}-{}-{}", self.form.title(), self.syntax.extension(), self.nodes)
    }
}

#[cfg(test)]
mod tests;
