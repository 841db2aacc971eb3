//! The Go that compiles the test environment: found, or said how to get.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// Where the official archive puts it, for a PATH that does not know.
const USUAL: &str = "/usr/local/go/bin/go";

/// The first Go that fetches by itself the version that a module asks for.
const FETCHES_ITSELF: (u32, u32) = (1, 21);

/// A Go that can compile the module.
pub(super) struct Go {
    program: PathBuf,
}

impl Go {
    /// Looks for one that is new enough.
    pub(super) fn find(module: &Path) -> anyhow::Result<Self> {
        let wanted = wanted(module)?;
        let Some((program, told)) = [Path::new("go"), Path::new(USUAL)].into_iter().find_map(ask) else {
            bail!("Go is not here; {}", how_to_get(&wanted));
        };
        let Some(version) = minor(told.trim_start_matches("go")) else {
            bail!("cannot understand the version of {}: it says `{told}`", program.display());
        };
        if Some(version) < minor(&wanted) && (version < FETCHES_ITSELF || stays_local(&program)) {
            bail!("{} is {told}, too old to compile Kubernetes; {}", program.display(), how_to_get(&wanted));
        }
        Ok(Self { program })
    }

    /// A command of it that depends on nothing of the machine but the caches
    /// and the proxy that are set.
    pub(super) fn command(&self, module: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(module).env("CGO_ENABLED", "0").env_remove("GOFLAGS").env("GOWORK", "off");
        command
    }
}

/// Its path and the version that it tells.
fn ask(program: &Path) -> Option<(PathBuf, String)> {
    // Outside of the module, where an old Go would first fetch a newer one.
    let mut command = Command::new(program);
    command.current_dir("/").args(["env", "GOVERSION"]).stderr(Stdio::null());
    let output = command.output().ok()?;
    let told = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then(|| (program.to_path_buf(), told))
}

/// Whether it is told not to fetch a newer one.
fn stays_local(program: &Path) -> bool {
    let output = Command::new(program).current_dir("/").args(["env", "GOTOOLCHAIN"]).stderr(Stdio::null()).output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == "local")
}

fn how_to_get(wanted: &str) -> String {
    format!(
        "the test environment is compiled with Go {wanted} or newer: install it from https://go.dev/dl, or with your \
         package manager any Go from {}.{} on (it fetches the newer one by itself), and put `go` in PATH. With \
         KUBEBUILDER_ASSETS set to a folder with etcd, kube-apiserver and kubectl, Go still compiles helm and the \
         supervisor, in a minute",
        FETCHES_ITSELF.0, FETCHES_ITSELF.1
    )
}

/// The `go` line of the module.
fn wanted(module: &Path) -> anyhow::Result<String> {
    let path = module.join("go.mod");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let version = text.lines().find_map(|line| line.strip_prefix("go "));
    version.map(|it| it.trim().to_owned()).with_context(|| format!("{} has no `go` line", path.display()))
}

/// The first two numbers of a version.
fn minor(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.');
    let first = numbers.next()?.parse().ok()?;
    let second = numbers.next()?;
    // `1.26rc1` counts as 1.26: it fetches what it lacks.
    let end = second.find(|c: char| !c.is_ascii_digit()).unwrap_or(second.len());
    Some((first, second[..end].parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(minor("1.26.8"), Some((1, 26)));
        assert_eq!(minor("1.9"), Some((1, 9)));
        assert_eq!(minor("1.26rc1"), Some((1, 26)));
        assert_eq!(minor("1"), None);
        assert_eq!(minor("devel"), None);
        assert!(minor("1.9") < minor("1.26"));
    }

    #[test]
    fn the_module_names_its_version() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testenv");
        assert!(minor(&wanted(&folder).unwrap()) >= Some(FETCHES_ITSELF));
        let error = wanted(Path::new("/nowhere")).unwrap_err();
        assert_eq!(error.to_string(), "cannot read /nowhere/go.mod");
    }
}
