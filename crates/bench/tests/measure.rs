//! Measures programs whose cost is known, through the program's own hidden command.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it means by failing")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn bench(args: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_headway-bench")).args(args).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn measure(args: &[&str]) -> Value {
    let (out, remarks) = bench(&[&["measure"], args].concat());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{remarks}"))
}

/// A stand-in for `headway`: it is called as `headway status --from PATH`.
fn program(folder: &Path, script: &str) -> String {
    let path = folder.join("stand-in");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[test]
fn the_peak_of_reading_is_the_largest_file_and_not_the_sum() {
    let folder = tempfile::tempdir().unwrap();
    for index in 0..5 {
        fs::write(folder.path().join(format!("{index}.json")), vec![b'x'; 20_000_000]).unwrap();
    }
    let sample = measure(&["read", folder.path().to_str().unwrap()]);
    let peak = sample["peak"].as_u64().unwrap();
    assert!((20_000_000..50_000_000).contains(&peak), "{sample}");
    assert!(sample["wall_us"].as_u64().unwrap() > 0, "{sample}");
}

#[test]
fn a_program_is_charged_for_its_own_time_and_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    // `tail` must hold all that it may have to print.
    let large = program(folder.path(), "head -c 60000000 /dev/zero | tail -c 50000000 >/dev/null; /bin/sleep 0.2");
    let sample = measure(&["headway", "--headway", &large, path]);
    let peak = sample["peak"].as_u64().unwrap();
    assert!((50_000_000..90_000_000).contains(&peak), "{sample}");
    let (wall, cpu) = (sample["wall_us"].as_u64().unwrap(), sample["cpu_us"].as_u64().unwrap());
    assert!(wall >= 200_000, "sleeping counts as wall time: {sample}");
    assert!(cpu > 0, "{sample}");

    let small = program(folder.path(), "[ \"$1 $2\" = 'status --from' ]");
    let sample = measure(&["headway", "--headway", &small, path]);
    assert!(sample["peak"].as_u64().unwrap() < 20_000_000, "{sample}");
}

#[test]
fn a_program_that_fails_gives_no_figure() {
    let folder = tempfile::tempdir().unwrap();
    let failing = program(folder.path(), "exit 3");
    let (out, remarks) = bench(&["measure", "headway", "--headway", &failing, folder.path().to_str().unwrap()]);
    assert_eq!(out, "");
    assert!(remarks.contains("exit status: 3"), "{remarks}");
}

#[test]
fn a_whole_run_prints_its_table_and_a_wrong_answer_stops_it() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = |program: &str| {
        ["status", "--nodes", "20", "--scale", "10,40", "--runs", "1", "--headway", program].map(str::to_owned)
    };
    let run = |program: &str| {
        let arguments = arguments(program);
        bench(&arguments.each_ref().map(String::as_str))
    };

    let (out, remarks) = run(&program(folder.path(), "echo Update to 4.20.11"));
    assert!(out.starts_with("| figure | value | aim | met |\n"), "{out}{remarks}");
    for line in [
        "| share handed over to the general YAML parser | ",
        "| wall time of a node, flat YAML, 20 to 40 nodes | ",
        "| must-gather JSON | 20 | ",
    ] {
        assert!(out.contains(line), "{line} is not in:\n{out}");
    }

    let (out, remarks) = run(&program(folder.path(), "echo The cluster is not updating."));
    assert_eq!(out, "");
    assert!(remarks.contains("does not name 4.20.11"), "{remarks}");
}
