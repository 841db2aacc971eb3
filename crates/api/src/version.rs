//! Versions of Kubernetes: read once, compared as versions and never as text.
//!
//! The crate `semver` knows pre-releases and builds. Reading loosely, and the order of builds and of distributions'
//! revisions, are here (chained-upgrades.md, 2.1 and 2.2): the crate refuses `v1.30`, and puts builds into an order
//! that nothing vouches for. Which versions may stand beside each other is left to `core::version`.

mod order;
mod read;

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A version of Kubernetes, such as `v1.33.1` or `v1.31.4+rke2r1`.
///
/// Two are equal when their order is [`Comparison::Equal`]: `+007` and `+7` name the same build.
/// There is no total order, so `Ord` is left out on purpose: see [`KubeVersion::compare`].
#[derive(Debug, Clone)]
pub struct KubeVersion(semver::Version);

/// Major and minor: what the rules about skew speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Minor {
    /// The first number.
    pub major: u64,
    /// The second number.
    pub minor: u64,
}

/// How one version stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// It is older.
    Less,
    /// It is the same.
    Equal,
    /// It is newer.
    Greater,
    /// It is another one, and nothing tells which of the two is newer: `+rke2r1` and `+rke2r2`.
    Different,
}

/// A text is not a version. The texts have no subject: whoever tells them names the object, the field and the value.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// It is longer than any field of the Kubernetes API that holds a version.
    #[error("it is {bytes} bytes long, and a version has at most {}", KubeVersion::MAX_BYTES)]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// Read strictly, it lacks the `v`.
    #[error("it does not begin with `v`")]
    NoV,
    /// Read strictly, it lacks a number.
    #[error("it is not three numbers such as v1.33.0")]
    Short,
    /// It has a fourth number.
    #[error("it has more than three numbers")]
    TooManyNumbers,
    /// Something else stands for a number.
    #[error("`{part}` is not a number")]
    NotANumber {
        /// What stands there, with what is not printable escaped.
        part: String,
    },
    /// Read strictly, a number has zeros before it.
    #[error("the number {part} begins with a zero")]
    LeadingZero {
        /// The number.
        part: String,
    },
    /// A number is beyond all bounds.
    #[error("the number {part} is too large")]
    TooLarge {
        /// The number.
        part: String,
    },
    /// A number is missing, and yet there is a pre-release or build.
    #[error("only a version of three numbers may have a pre-release or a build")]
    ShortWithSuffix,
    /// A sign announces a pre-release or a build that does not come.
    #[error("nothing follows the `{sign}`")]
    NothingAfter {
        /// `-` or `+`.
        sign: char,
    },
    /// What follows the `-` is malformed.
    #[error("what follows the `-` is not a pre-release")]
    Prerelease {
        /// What is wrong with it.
        #[source]
        cause: semver::Error,
    },
    /// What follows the `+` is malformed.
    #[error("what follows the `+` is not a build")]
    Build {
        /// What is wrong with it.
        #[source]
        cause: semver::Error,
    },
}

impl KubeVersion {
    /// As long as the fields of Cluster API allow.
    pub const MAX_BYTES: usize = 256;

    /// Reads as people write: spaces around it, no `v`, zeros before numbers, and numbers left out, which are then 0.
    ///
    /// # Errors
    ///
    /// When the text is not a version even so.
    pub fn parse(text: &str) -> Result<Self, VersionError> {
        read::loosely(text).map(Self)
    }

    /// Reads the canonical form only: `v`, three numbers, perhaps a pre-release and a build.
    ///
    /// # Errors
    ///
    /// When the text has any other form.
    pub fn parse_strict(text: &str) -> Result<Self, VersionError> {
        read::strictly(text).map(Self)
    }

    /// How this one stands to the other, builds included. Where it can be told, the order is a partial one: if a is
    /// older than b and b older than c, then a is older than c.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Comparison {
        match self.compare_plain(other) {
            Comparison::Equal => order::builds(&self.0.build, &other.0.build),
            told @ (Comparison::Less | Comparison::Greater | Comparison::Different) => told,
        }
    }

    /// As [`Self::compare`] without builds.
    #[must_use]
    pub fn compare_plain(&self, other: &Self) -> Comparison {
        match self.compare_numbers(other) {
            Ordering::Equal => order::prereleases(&self.0.pre, &other.0.pre),
            told @ (Ordering::Less | Ordering::Greater) => told.into(),
        }
    }

    /// As [`Self::compare`] without pre-releases and builds: the three numbers.
    #[must_use]
    pub fn compare_numbers(&self, other: &Self) -> Ordering {
        let numbers = |version: &semver::Version| (version.major, version.minor, version.patch);
        numbers(&self.0).cmp(&numbers(&other.0))
    }

    /// Major and minor.
    #[must_use]
    pub fn minor(&self) -> Minor {
        Minor { major: self.0.major, minor: self.0.minor }
    }

    /// The build, which is what follows the `+`; empty when there is none.
    #[must_use]
    pub fn build(&self) -> &str {
        self.0.build.as_str()
    }

    /// The pre-release, which is what follows the `-`; empty when there is none.
    #[must_use]
    pub fn prerelease(&self) -> &str {
        self.0.pre.as_str()
    }
}

impl PartialEq for KubeVersion {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Comparison::Equal
    }
}

impl Eq for KubeVersion {}

/// The canonical text, with `v`.
impl fmt::Display for KubeVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl FromStr for KubeVersion {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        Self::parse(text)
    }
}

impl Serialize for KubeVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Minor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}.{}", self.major, self.minor)
    }
}

impl From<Ordering> for Comparison {
    fn from(ordering: Ordering) -> Self {
        match ordering {
            Ordering::Less => Self::Less,
            Ordering::Equal => Self::Equal,
            Ordering::Greater => Self::Greater,
        }
    }
}

#[cfg(test)]
mod tests;
