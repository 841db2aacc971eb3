//! Our examples of management clusters: every folder below `examples/management`, found by looking.
//!
//! A folder holds its objects in `input`, a `README.md` with the command, the command's words in `args`, one a line,
//! and what is printed: `expected.txt`, `expected-wide.txt` (`-o wide`), `expected.json` (`-o json`), `expected.stderr`
//! (the remarks) and `exit-code` (with `--exit-code`).

use std::fs;
use std::path::PathBuf;

use super::examples::compare;
use super::program::{root, status};

struct Example {
    name: String,
    folder: PathBuf,
    args: String,
}

impl Example {
    fn words(&self) -> Vec<&str> {
        self.args.lines().collect()
    }
}

fn examples() -> Vec<Example> {
    let folder = root().join("examples/management");
    let entries = fs::read_dir(&folder).expect("the repository has examples of management clusters");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    folders.sort();
    assert!(folders.len() >= 4, "the examples below {} were not found", folder.display());
    let example = |folder: PathBuf| Example {
        name: folder.file_name().expect("it was listed by name").to_string_lossy().into_owned(),
        args: fs::read_to_string(folder.join("args")).expect("every example of a management cluster has args"),
        folder,
    };
    folders.into_iter().map(example).collect()
}

/// What each file of an example is to hold.
fn printed(example: &Example) -> [(&'static str, String); 5] {
    let run = |more: &[&str]| status(&[&example.words()[..], more].concat());
    let (text, wide, json) = (run(&[]), run(&["-o", "wide"]), run(&["-o", "json"]));
    assert_eq!((text.code, wide.code), (json.code, json.code), "{}: the output does not change the code", example.name);
    let coded = if example.words().contains(&"--exit-code") { text.code } else { run(&["--exit-code"]).code };
    [
        ("expected.txt", text.out),
        ("expected-wide.txt", wide.out),
        ("expected.json", json.out),
        ("expected.stderr", text.err),
        ("exit-code", format!("{coded}\n")),
    ]
}

#[test]
fn management_clusters_print_what_is_expected() {
    let examples = examples();
    compare(examples.iter().map(|example| (format!("examples/management/{}", example.name), printed(example))));
}

#[test]
fn management_clusters_show_their_command() {
    for example in examples() {
        let readme = fs::read_to_string(example.folder.join("README.md")).expect("every example has a README.md");
        let command = format!("cargo run --release -- status {}", example.words().join(" "));
        assert!(readme.lines().any(|line| line == command), "{}: README.md does not show: {command}", example.name);
    }
}

/// The README shows the forms side by side as they are printed.
#[test]
fn the_readme_shows_what_is_printed() {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is one");
    // Blanks at the end of a line are nothing to show.
    let bare = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let readme = bare(&readme);
    for name in ["cluster-api", "hosted", "fleet"] {
        let path = root().join("examples/management").join(name).join("expected.txt");
        let printed = bare(&fs::read_to_string(path).expect("it is there"));
        assert!(readme.contains(&printed), "README.md does not show examples/management/{name}/expected.txt");
    }
}
