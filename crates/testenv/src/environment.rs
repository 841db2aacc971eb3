//! The environment variables that say where programs are.
//!
//! The one place of this crate that reads them: its callers are tests, which
//! have no command line of their own to say it on.

use std::path::PathBuf;

/// Names a folder that holds all five programs under their own names.
const PROGRAMS: &str = "HEADWAY_TESTENV";
/// Names a folder with etcd, kube-apiserver and kubectl, as in other projects.
const ASSETS: &str = "KUBEBUILDER_ASSETS";
/// Names a folder where the folders of planes stay when they have ended, logs and all.
const KEEP: &str = "HEADWAY_TESTENV_KEEP";
/// Names the folder for what our tools compile for themselves.
const CACHE: &str = "HEADWAY_CACHE";

/// Where programs may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// All five programs; nothing else is looked at when it is set.
    pub programs: Option<PathBuf>,
    /// etcd, kube-apiserver and kubectl; they win over compiled ones.
    pub assets: Option<PathBuf>,
    /// What our tools compile for themselves.
    pub cache: PathBuf,
    /// Where the folders of planes stay when they have ended, to look into.
    pub keep: Option<PathBuf>,
}

/// The environment names no folder to keep anything in.
#[derive(Debug, thiserror::Error)]
#[error("no folder for a cache: neither {CACHE}, XDG_CACHE_HOME nor HOME is set; set {CACHE} to one")]
pub struct EnvironmentError;

impl Environment {
    /// Reads the environment of this process.
    pub fn read() -> Result<Self, EnvironmentError> {
        Self::from_variables(|name| std::env::var_os(name).map(PathBuf::from))
    }

    /// A variable that is set to nothing counts as not set.
    fn from_variables(variable: impl Fn(&str) -> Option<PathBuf>) -> Result<Self, EnvironmentError> {
        let set = |name| variable(name).filter(|value| !value.as_os_str().is_empty());
        let cache = set(CACHE)
            .or_else(|| Some(set("XDG_CACHE_HOME")?.join("headway")))
            .or_else(|| Some(set("HOME")?.join(".cache").join("headway")))
            .ok_or(EnvironmentError)?;
        Ok(Self { programs: set(PROGRAMS), assets: set(ASSETS), cache, keep: set(KEEP) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: &[(&str, &str)], expect: Option<Environment>) {
        let read = Environment::from_variables(|name| {
            variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| PathBuf::from(value))
        });
        assert_eq!(read.ok(), expect, "for {variables:?}");
    }

    fn cached(cache: &str) -> Environment {
        Environment { programs: None, assets: None, cache: cache.into(), keep: None }
    }

    #[test]
    fn the_nearest_folder_is_the_cache() {
        check(&[("HOME", "/h")], Some(cached("/h/.cache/headway")));
        check(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x")], Some(cached("/x/headway")));
        check(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x"), ("HEADWAY_CACHE", "/c")], Some(cached("/c")));
        check(&[("HOME", "/h"), ("HEADWAY_CACHE", "")], Some(cached("/h/.cache/headway")));
        check(&[("HOME", "")], None);
        check(&[], None);
    }

    #[test]
    fn other_folders_are_taken_as_they_are() {
        let home = ("HOME", "/h");
        let usual = || cached("/h/.cache/headway");
        check(&[home, ("HEADWAY_TESTENV", "/p")], Some(Environment { programs: Some("/p".into()), ..usual() }));
        check(&[home, ("KUBEBUILDER_ASSETS", "/a")], Some(Environment { assets: Some("/a".into()), ..usual() }));
        check(&[home, ("HEADWAY_TESTENV_KEEP", "/k")], Some(Environment { keep: Some("/k".into()), ..usual() }));
        check(&[home, ("KUBEBUILDER_ASSETS", ""), ("HEADWAY_TESTENV", "")], Some(usual()));
    }
}
