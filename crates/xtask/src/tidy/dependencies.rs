//! Which crate of ours may use which, and what it may not see: the design's table as data.
//!
//! Dependencies point down only. Rows for crates that are still to come are
//! here already, so that they start under their rule.

use std::collections::BTreeSet;
use std::path::Path;

use super::Finding;
use super::metadata::{Kind, Metadata, Package};

/// A row of the table.
struct Rule {
    package: &'static str,
    ours: Ours,
    /// Further crates of ours that its tests may use.
    ours_in_tests: &'static [&'static str],
    /// May not be in its manifest.
    not_used: &'static [&'static str],
    /// May not be compiled into it, however it would come there.
    not_seen: &'static [&'static str],
    purity: Purity,
}

/// The crates of this repository that a crate may use.
enum Ours {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

/// Whether a crate may touch the world.
#[derive(PartialEq)]
enum Purity {
    /// No I/O, clock, environment, randomness (see `purity`).
    Pure,
    /// As it must.
    Worldly,
}

/// Time, chance and the network come with these, whatever calls them.
const WORLD: &[&str] = &["kube-client", "tokio", "hyper", "axum", "reqwest", "ureq", "rand", "getrandom", "fastrand"];

/// The crate `http` holds only types, and kube-core brings it along below
/// `api`: so a pure crate may see it and may not use it.
const WORLDLY_WORDS: &[&str] = &["kube", "http", "rand", "mio", "futures"];

const TABLE: &[Rule] = &[
    Rule {
        package: "headway-api",
        ours: Ours::Only(&[]),
        ours_in_tests: &[],
        not_used: &[],
        not_seen: &["kube-client", "tokio"],
        purity: Purity::Worldly,
    },
    Rule {
        package: "headway-core",
        ours: Ours::Only(&["headway-api"]),
        ours_in_tests: &[],
        not_used: WORLDLY_WORDS,
        not_seen: WORLD,
        purity: Purity::Pure,
    },
    Rule {
        package: "headway-sim",
        ours: Ours::Only(&["headway-api", "headway-core"]),
        ours_in_tests: &[],
        not_used: WORLDLY_WORDS,
        not_seen: WORLD,
        purity: Purity::Pure,
    },
    Rule {
        package: "headway-cluster",
        ours: Ours::Only(&["headway-api", "headway-core"]),
        ours_in_tests: &["headway-sim", "headway-testenv"],
        not_used: &[],
        not_seen: &["axum"],
        purity: Purity::Worldly,
    },
    Rule {
        package: "headway-serve",
        ours: Ours::Only(&["headway-api", "headway-core"]),
        ours_in_tests: &[],
        not_used: &[],
        // What it must ask of a cluster comes in as the traits `Reviewer` and `Objects`.
        not_seen: &["kube-client"],
        purity: Purity::Worldly,
    },
    Rule {
        package: "headway-updater",
        ours: Ours::Only(&["headway-api", "headway-core", "headway-cluster", "headway-serve"]),
        ours_in_tests: &[],
        not_used: &[],
        not_seen: &[],
        purity: Purity::Worldly,
    },
    Rule {
        package: "headway-operator",
        ours: Ours::AllBut(&["headway-sim", "headway-cli", "headway-updater", "headway-testenv", "xtask"]),
        ours_in_tests: &["headway-testenv"],
        not_used: &[],
        not_seen: &[],
        purity: Purity::Worldly,
    },
    Rule {
        package: "headway-cli",
        ours: Ours::AllBut(&["headway-operator", "headway-updater", "headway-testenv", "xtask"]),
        ours_in_tests: &["headway-testenv"],
        not_used: &[],
        not_seen: &[],
        purity: Purity::Worldly,
    },
    Rule {
        package: "headway-bench",
        ours: Ours::AllBut(&["xtask"]),
        ours_in_tests: &[],
        not_used: &[],
        not_seen: &[],
        purity: Purity::Worldly,
    },
    Rule {
        package: "headway-testenv",
        ours: Ours::Only(&[]),
        ours_in_tests: &[],
        not_used: &[],
        // It starts an API server and talks to none: what a test does there, it does with its own client.
        not_seen: &["kube", "kube-core", "kube-client", "tokio"],
        purity: Purity::Worldly,
    },
    Rule {
        package: "xtask",
        ours: Ours::Only(&["headway-testenv"]),
        ours_in_tests: &[],
        not_used: &[],
        not_seen: &["kube", "kube-core", "kube-client"],
        purity: Purity::Worldly,
    },
];

/// Holds one package against its row. `seen` is everything compiled into it.
pub(super) fn check(path: &Path, manifest: &str, package: &Package, seen: &BTreeSet<String>) -> Vec<Finding> {
    let name = &package.name;
    let Some(rule) = rule(name) else {
        return vec![Finding::new(
            path,
            1,
            format!("the crate {name} has no row in the table of crates"),
            "add one in crates/xtask/src/tidy/dependencies.rs and in ARCHITECTURE.md",
        )];
    };
    let mut findings = Vec::new();
    for dependency in &package.dependencies {
        let other = dependency.name.as_str();
        let line = line_of(manifest, other);
        if is_ours(other) && !rule.may_use(other, dependency.kind) {
            findings.push(Finding::new(
                path,
                line,
                format!("{name} may not use {other}"),
                "dependencies point down only (ARCHITECTURE.md, Crates): move what both need into a crate that both may use",
            ));
        }
        if rule.not_used.contains(&other) && dependency.kind != Some(Kind::Dev) {
            findings.push(Finding::new(
                path,
                line,
                format!("{name} may not use {other}"),
                "let the caller do it and hand the outcome in as data",
            ));
        }
    }
    for other in rule.not_seen.iter().filter(|it| seen.contains(**it)) {
        findings.push(Finding::new(
            path,
            line_of(manifest, other),
            format!("{name} may not see {other}, also not through others"),
            format!("find the way it comes in with `cargo tree -p {name} -e normal --all-features -i {other}` and switch that feature off"),
        ));
    }
    findings
}

/// Whether the file is source of a crate that may not touch the world. Its
/// `tests/` may: what they start is outside the crate.
pub(super) fn is_pure(path: &Path, metadata: &Metadata) -> bool {
    metadata.packages.iter().any(|package| {
        let folder = package.manifest_path.parent().and_then(Path::file_name);
        let Some(folder) = folder.map(|it| Path::new("crates").join(it)) else {
            return false;
        };
        let is_pure = rule(&package.name).is_some_and(|rule| rule.purity == Purity::Pure);
        is_pure && path.starts_with(&folder) && !path.starts_with(folder.join("tests"))
    })
}

impl Rule {
    fn may_use(&self, other: &str, kind: Option<Kind>) -> bool {
        let in_program = match self.ours {
            Ours::Only(names) => names.contains(&other),
            Ours::AllBut(names) => !names.contains(&other),
        };
        in_program || (kind == Some(Kind::Dev) && self.ours_in_tests.contains(&other))
    }
}

fn rule(package: &str) -> Option<&'static Rule> {
    TABLE.iter().find(|rule| rule.package == package)
}

fn is_ours(package: &str) -> bool {
    rule(package).is_some() || package.starts_with("headway-")
}

fn line_of(manifest: &str, dependency: &str) -> usize {
    let is_it = |line: &str| line.strip_prefix(dependency).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    manifest.lines().position(is_it).map_or(1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::metadata::Dependency;

    /// `used` holds names with `dev:` or `build:` before those of that kind.
    fn check(name: &str, used: &[&str], seen: &[&str], expect: &[&str]) {
        let dependencies: Vec<Dependency> = used.iter().map(|it| dependency(it)).collect();
        let manifest: String = std::iter::once("[dependencies]\n".to_owned())
            .chain(dependencies.iter().map(|it| format!("{}.workspace = true\n", it.name)))
            .collect();
        let package = Package {
            name: name.to_owned(),
            manifest_path: "/x/crates/a/Cargo.toml".into(),
            dependencies,
            targets: Vec::new(),
        };
        let seen = seen.iter().map(|it| (*it).to_owned()).collect();
        let told: Vec<String> = super::check(Path::new("Cargo.toml"), &manifest, &package, &seen)
            .iter()
            .map(|finding| format!("{}: {}", finding.line, finding.wrong))
            .collect();
        assert_eq!(told, expect);
    }

    fn dependency(text: &str) -> Dependency {
        let (kind, name) = match text.split_once(':') {
            Some(("dev", name)) => (Some(Kind::Dev), name),
            Some(("build", name)) => (Some(Kind::Build), name),
            _ => (None, text),
        };
        let name = name.to_owned();
        Dependency { name, kind }
    }

    #[test]
    fn crates_of_ours_are_used_downwards_only() {
        check("headway-core", &["headway-api", "jiff"], &[], &[]);
        check("headway-cluster", &["headway-core", "dev:headway-sim"], &[], &[]);
        check("headway-cli", &["headway-cluster", "headway-sim"], &[], &[]);
        check("headway-api", &["serde", "headway-core"], &[], &["3: headway-api may not use headway-core"]);
        check("headway-core", &["dev:headway-cluster"], &[], &["2: headway-core may not use headway-cluster"]);
        check("headway-cluster", &["headway-sim"], &[], &["2: headway-cluster may not use headway-sim"]);
        check("headway-cli", &["build:headway-operator"], &[], &["2: headway-cli may not use headway-operator"]);
        check("xtask", &["headway-api"], &[], &["2: xtask may not use headway-api"]);
        check("headway-api", &["headway-new"], &[], &["2: headway-api may not use headway-new"]);
    }

    #[test]
    fn what_is_forbidden_is_found_through_others() {
        check("headway-api", &["kube"], &["kube", "kube-core", "http"], &[]);
        check(
            "headway-api",
            &["kube"],
            &["kube", "kube-client"],
            &["1: headway-api may not see kube-client, also not through others"],
        );
        check(
            "headway-core",
            &["x"],
            &["x", "getrandom"],
            &["1: headway-core may not see getrandom, also not through others"],
        );
        check("headway-core", &["http"], &["http"], &["2: headway-core may not use http"]);
        check("headway-core", &["dev:rand"], &[], &[]);
        check(
            "headway-serve",
            &[],
            &["kube-client"],
            &["1: headway-serve may not see kube-client, also not through others"],
        );
    }

    #[test]
    fn a_crate_without_a_row_is_refused() {
        check("headway-new", &[], &[], &["1: the crate headway-new has no row in the table of crates"]);
    }

    #[test]
    fn only_sources_of_pure_crates_are_pure() {
        let package = |name: &str, folder: &str| Package {
            name: name.to_owned(),
            manifest_path: format!("/x/crates/{folder}/Cargo.toml").into(),
            dependencies: Vec::new(),
            targets: Vec::new(),
        };
        let metadata = Metadata {
            packages: vec![package("headway-core", "core"), package("headway-api", "api")],
            target_directory: "/x/target".into(),
        };
        let is_pure = |path: &str| is_pure(Path::new(path), &metadata);
        assert!(is_pure("crates/core/src/assess.rs"));
        assert!(is_pure("crates/core/build.rs"));
        assert!(!is_pure("crates/core/tests/tables.rs"));
        assert!(!is_pure("crates/api/src/lib.rs"));
        assert!(!is_pure("crates/corex/src/lib.rs"));
    }

    #[test]
    fn the_table_names_only_crates_it_has_rows_for() {
        for rule in TABLE {
            let (Ours::Only(names) | Ours::AllBut(names)) = rule.ours;
            for name in names.iter().chain(rule.ours_in_tests) {
                assert!(super::rule(name).is_some(), "{name} has no row");
            }
        }
    }
}
