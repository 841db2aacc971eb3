//! The programs that a plane is made of: which versions, and where they are.
//!
//! They are compiled by `cargo xtask env build` from the Go module `testenv/`.
//! Its `go.mod` is the one place where their versions are written.

use std::fmt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Environment;

const GO_MOD: &str = include_str!("../../../testenv/go.mod");

/// All that the supervisor is compiled from; a test holds that none is left out.
const SUPERVISOR: &[(&str, &str)] = &[
    ("apiserver.go", include_str!("../../../testenv/supervisor/apiserver.go")),
    ("certificates.go", include_str!("../../../testenv/supervisor/certificates.go")),
    ("etcd.go", include_str!("../../../testenv/supervisor/etcd.go")),
    ("main.go", include_str!("../../../testenv/supervisor/main.go")),
    ("plane.go", include_str!("../../../testenv/supervisor/plane.go")),
    ("ports.go", include_str!("../../../testenv/supervisor/ports.go")),
    ("process.go", include_str!("../../../testenv/supervisor/process.go")),
    ("programs.go", include_str!("../../../testenv/supervisor/programs.go")),
    ("protocol.go", include_str!("../../../testenv/supervisor/protocol.go")),
];

/// One of the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// Runs the other two servers and ends them.
    Supervisor,
    /// The store.
    Etcd,
    /// The API server.
    KubeApiserver,
    /// The client of people.
    Kubectl,
    /// The installer of charts.
    Helm,
}

impl Program {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Supervisor, Self::Etcd, Self::KubeApiserver, Self::Kubectl, Self::Helm];

    /// The name of its file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Supervisor => "headway-testenv",
            Self::Etcd => "etcd",
            Self::KubeApiserver => "kube-apiserver",
            Self::Kubectl => "kubectl",
            Self::Helm => "helm",
        }
    }

    /// Where the environment has it. With `KUBEBUILDER_ASSETS` three of them
    /// come from there; we never fall back on compiled ones then, because a
    /// developer who names a folder wants what is in it tested.
    #[must_use]
    pub fn path(self, environment: &Environment) -> PathBuf {
        if let Some(folder) = &environment.programs {
            return folder.join(self.name());
        }
        match (self, &environment.assets) {
            (Self::Etcd | Self::KubeApiserver | Self::Kubectl, Some(assets)) => assets.join(self.name()),
            (Self::Etcd | Self::KubeApiserver | Self::Kubectl | Self::Helm | Self::Supervisor, _) => {
                self.compiled(&environment.cache)
            }
        }
    }

    /// Where it lies when `cargo xtask env build` has compiled it.
    #[must_use]
    pub fn compiled(self, cache: &Path) -> PathBuf {
        let folder = match self {
            Self::Supervisor => format!("supervisor-{}", short_hash(SUPERVISOR.iter().map(|(_, text)| *text))),
            Self::Etcd | Self::KubeApiserver | Self::Kubectl | Self::Helm => Versions::current().folder_name(),
        };
        cache.join("testenv").join(folder).join(self.name())
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The versions that `testenv/go.mod` asks for, such as `v1.36.3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// Of etcd.
    pub etcd: String,
    /// Of the API server and kubectl.
    pub kubernetes: String,
    /// Of helm.
    pub helm: String,
}

impl Versions {
    /// Those of this checkout.
    #[must_use]
    pub fn current() -> Self {
        let version = |module| required(GO_MOD, module).unwrap_or_default().to_owned();
        Self {
            etcd: version("go.etcd.io/etcd/server/v3"),
            kubernetes: version("k8s.io/kubernetes"),
            helm: version("helm.sh/helm/v4"),
        }
    }

    /// Names what was compiled, for people first; a change of any dependency
    /// of theirs is a new folder too.
    fn folder_name(&self) -> String {
        let Self { etcd, kubernetes, helm } = self;
        format!("kubernetes-{kubernetes}-etcd-{etcd}-helm-{helm}-{}", short_hash([GO_MOD]))
    }
}

/// All five programs, each of them there.
#[derive(Clone, Debug)]
pub struct Programs {
    environment: Environment,
}

impl Programs {
    /// Looks where the environment says.
    pub fn find(environment: Environment) -> Result<Self, ProgramsError> {
        let missing = Missing::of(&environment);
        if missing.programs.is_empty() { Ok(Self { environment }) } else { Err(ProgramsError(missing)) }
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Where one of them is.
    #[must_use]
    pub fn path(&self, program: Program) -> PathBuf {
        program.path(&self.environment)
    }
}

/// The programs that are not where the environment says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Each with the place where it should be.
    pub programs: Vec<(Program, PathBuf)>,
}

impl Missing {
    /// Looks for each of them.
    #[must_use]
    pub fn of(environment: &Environment) -> Self {
        let programs = Program::ALL
            .into_iter()
            .map(|program| (program, program.path(environment)))
            .filter(|(_, path)| !path.is_file())
            .collect();
        Self { programs }
    }
}

/// A program of the test plane is not there.
#[derive(Debug, thiserror::Error)]
pub struct ProgramsError(pub Missing);

impl fmt::Display for ProgramsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this test needs ")?;
        for (at, (program, path)) in self.0.programs.iter().enumerate() {
            let separator = if at == 0 { "" } else { ", " };
            write!(f, "{separator}{program} at {}", path.display())?;
        }
        f.write_str(", not there: `cargo xtask test` compiles what is missing and runs the tests, `cargo xtask env build` only compiles")
    }
}

/// The version of a module that a `go.mod` requires directly.
pub(crate) fn required<'a>(go_mod: &'a str, module: &str) -> Option<&'a str> {
    go_mod.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let first = words.next().filter(|word| *word != "require").or_else(|| words.next());
        (first == Some(module)).then(|| words.next()).flatten().filter(|version| version.starts_with('v'))
    })
}

/// Twelve digits: enough to tell the states of one repository apart.
pub(crate) fn short_hash<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text);
    }
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(programs: Option<&str>, assets: Option<&str>) -> Environment {
        let (programs, assets) = (programs.map(PathBuf::from), assets.map(PathBuf::from));
        Environment { programs, assets, cache: "/c".into(), keep: None }
    }

    fn check_required(go_mod: &str, expect: Option<&str>) {
        assert_eq!(required(go_mod, "a.b/c"), expect, "for {go_mod}");
    }

    #[test]
    fn a_required_version_is_read() {
        check_required("require a.b/c v1.2.3", Some("v1.2.3"));
        check_required("require (\n\ta.b/c/d v9\n\ta.b/c v1.2.3 // indirect\n)", Some("v1.2.3"));
        check_required("replace a.b/c => a.b/c v2", None);
        check_required("tool (\n\ta.b/c\n)\nrequire (\n\ta.b/c v1\n)", Some("v1"));
        check_required("replace (\n\ta.b/c => d v2\n)", None);
        check_required("module a.b/c", None);
    }

    #[test]
    fn the_versions_of_this_checkout_are_known() {
        let Versions { etcd, kubernetes, helm } = Versions::current();
        for version in [etcd, kubernetes, helm] {
            assert_eq!(version.split('.').count(), 3, "{version}");
        }
    }

    #[test]
    fn the_supervisor_is_named_by_all_its_sources() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testenv/supervisor");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".go") && !name.ends_with("_test.go"))
            .collect();
        there.sort();
        let named: Vec<&str> = SUPERVISOR.iter().map(|(name, _)| *name).collect();
        assert_eq!(there, named);
    }

    fn check_folder(program: Program, environment: &Environment, expect: &str) {
        let path = program.path(environment);
        let folder = path.parent().unwrap().to_string_lossy();
        assert!(folder.starts_with(expect), "{program}: {folder}");
        assert!(path.ends_with(program.name()));
    }

    #[test]
    fn a_named_folder_wins() {
        for program in Program::ALL {
            check_folder(program, &environment(Some("/p"), Some("/a")), "/p");
        }
        for program in [Program::Etcd, Program::KubeApiserver, Program::Kubectl] {
            check_folder(program, &environment(None, Some("/a")), "/a");
            check_folder(program, &environment(None, None), "/c/testenv/kubernetes-v");
        }
        check_folder(Program::Helm, &environment(None, Some("/a")), "/c/testenv/kubernetes-v");
        check_folder(Program::Supervisor, &environment(None, Some("/a")), "/c/testenv/supervisor-");
    }

    #[test]
    fn what_is_missing_is_named_with_its_place_and_the_way_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        for program in [Program::Supervisor, Program::Etcd, Program::Kubectl] {
            std::fs::write(folder.path().join(program.name()), "").unwrap();
        }
        let error = Programs::find(environment(folder.path().to_str(), None)).unwrap_err();
        let at = folder.path().display();
        assert_eq!(
            error.to_string(),
            format!(
                "this test needs kube-apiserver at {at}/kube-apiserver, helm at {at}/helm, not there: `cargo xtask test` \
                 compiles what is missing and runs the tests, `cargo xtask env build` only compiles"
            )
        );
        for program in [Program::KubeApiserver, Program::Helm] {
            std::fs::write(folder.path().join(program.name()), "").unwrap();
        }
        assert!(Programs::find(environment(folder.path().to_str(), None)).is_ok());
    }
}
