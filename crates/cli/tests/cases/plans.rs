//! Our examples of plans: every folder below `examples/plan`, found by looking.
//!
//! A folder holds its objects in `input`, a `README.md` with the command, the command's words in `args`, one a line,
//! and what is printed: `expected.txt`, `expected-wide.txt` (`-o wide`), `expected.json` (`-o json`), `expected.stderr`
//! (the remarks) and `exit-code`.

use std::fs;
use std::path::PathBuf;

use super::examples::compare;
use super::program::{headway, root};

struct Example {
    name: String,
    folder: PathBuf,
    args: String,
}

fn examples() -> Vec<Example> {
    let folder = root().join("examples/plan");
    let entries = fs::read_dir(&folder).expect("the repository has examples of plans");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    folders.sort();
    assert!(folders.len() >= 3, "the examples below {} were not found", folder.display());
    let example = |folder: PathBuf| Example {
        name: folder.file_name().expect("it was listed by name").to_string_lossy().into_owned(),
        args: fs::read_to_string(folder.join("args")).expect("every example of a plan has args"),
        folder,
    };
    folders.into_iter().map(example).collect()
}

/// What each file of an example is to hold.
fn printed(example: &Example) -> [(&'static str, String); 5] {
    let run = |more: &[&str]| headway(&[&["plan"], &example.args.lines().collect::<Vec<_>>()[..], more].concat());
    let (text, wide, json) = (run(&[]), run(&["-o", "wide"]), run(&["-o", "json"]));
    assert_eq!((text.code, wide.code), (json.code, json.code), "{}: the output does not change the code", example.name);
    [
        ("expected.txt", text.out),
        ("expected-wide.txt", wide.out),
        ("expected.json", json.out),
        ("expected.stderr", text.err),
        ("exit-code", format!("{}\n", text.code)),
    ]
}

#[test]
fn plans_print_what_is_expected() {
    let examples = examples();
    compare(examples.iter().map(|example| (format!("examples/plan/{}", example.name), printed(example))));
}

#[test]
fn plans_show_their_command() {
    for example in examples() {
        let readme = fs::read_to_string(example.folder.join("README.md")).expect("every example has a README.md");
        let command = format!("cargo run --release -- plan {}", example.args.lines().collect::<Vec<_>>().join(" "));
        assert!(readme.lines().any(|line| line == command), "{}: README.md does not show: {command}", example.name);
    }
}
