//! The Go that compiles the test environment: found, or said how to get.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use crate::program;

/// Where the official archive puts it, for a PATH that does not know.
const USUAL: &str = "/usr/local/go/bin/go";

/// The first Go that fetches by itself the version that a module asks for.
const FETCHES_ITSELF: (u32, u32) = (1, 21);

/// A Go that can compile the module.
pub(super) struct Go {
    program: PathBuf,
}

/// What a Go says of itself.
struct Told {
    version: String,
    /// `local` when it may not fetch a newer one.
    toolchain: String,
}

impl Go {
    /// Looks for one that is new enough.
    pub(super) fn find(module: &Path) -> anyhow::Result<Self> {
        Self::find_among(&[Path::new("go"), Path::new(USUAL)], module)
    }

    fn find_among(places: &[&Path], module: &Path) -> anyhow::Result<Self> {
        let wanted = wanted(module)?;
        let Some((program, told)) = places.iter().find_map(|place| Some((place, ask(place)?))) else {
            bail!("Go is not here; {}", how_to_get(&wanted));
        };
        match refusal(&told, &wanted) {
            None => Ok(Self { program: program.to_path_buf() }),
            Some(wrong) => bail!("{} {wrong}; {}", program.display(), how_to_get(&wanted)),
        }
    }

    /// A command of it that depends on nothing of the machine but the caches
    /// and the proxy that are set.
    pub(super) fn command(&self, module: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(module).env("CGO_ENABLED", "0").env_remove("GOFLAGS").env("GOWORK", "off");
        command
    }

    /// The formatter that came with it.
    pub(super) fn formatter(&self, module: &Path) -> anyhow::Result<Command> {
        let root = program::output(self.command(module).args(["env", "GOROOT"]))?;
        let root = PathBuf::from(String::from_utf8_lossy(&root).trim());
        let mut command = Command::new(root.join("bin").join("gofmt"));
        command.current_dir(module);
        Ok(command)
    }
}

/// None when there is no such program.
fn ask(program: &Path) -> Option<Told> {
    // Outside of the module, where an old Go would first fetch a newer one.
    let mut command = Command::new(program);
    command.current_dir("/").args(["env", "GOVERSION", "GOTOOLCHAIN"]).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines().map(|line| line.trim().to_owned());
    Some(Told { version: lines.next()?, toolchain: lines.next().unwrap_or_default() })
}

/// Why this Go will not do, if it will not.
fn refusal(told: &Told, wanted: &str) -> Option<String> {
    let Told { version, toolchain } = told;
    let Some(here) = minor(version.trim_start_matches("go")) else {
        return Some(format!("tells no version that we understand, but `{version}`"));
    };
    let fetches = here >= FETCHES_ITSELF && toolchain != "local";
    (Some(here) < minor(wanted) && !fetches).then(|| format!("is {version}, too old to compile Kubernetes"))
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

    #[test]
    fn a_go_that_is_new_enough_or_gets_a_new_one_is_taken() {
        let check = |version: &str, toolchain: &str, expect: Option<&str>| {
            let told = Told { version: version.into(), toolchain: toolchain.into() };
            assert_eq!(refusal(&told, "1.26.0").as_deref(), expect);
        };
        check("go1.26.8", "local", None);
        check("go1.27rc1", "local", None);
        check("go1.24.4", "auto", None);
        check("go1.24.4", "local", Some("is go1.24.4, too old to compile Kubernetes"));
        check("go1.19.8", "", Some("is go1.19.8, too old to compile Kubernetes"));
        check("devel", "", Some("tells no version that we understand, but `devel`"));
    }

    #[test]
    fn without_go_the_way_to_get_it_is_told() {
        let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testenv");
        let told = Go::find_among(&[Path::new("/nowhere/go")], &module).err().unwrap().to_string();
        assert!(told.starts_with("Go is not here; the test environment is compiled with Go 1."), "{told}");
        assert!(told.contains("https://go.dev/dl"), "{told}");
    }
}
