//! Standard input, standard output, standard error, and who reads them.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use super::command::{HEADWAY, assert_failed, ended, fed, run, sealed, status, with};
use super::recording::{State, node, record, text};

#[test]
fn standard_input_is_read() {
    let yaml = text(State::Updating);
    let expect = status(&record(State::Updating).path, &[]);
    assert_eq!(expect.code, Some(0), "{}", expect.err);
    let objects: Vec<Value> =
        yaml.split("---\n").map(|document| serde_saphyr::from_str::<Value>(document).unwrap()).collect();
    let json = serde_json::json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string();
    for (form, input) in [
        ("YAML", yaml.clone().into_bytes()),
        ("JSON", json.into_bytes()),
        ("tar", tar(&yaml)),
        ("tar.gz", gzip(&tar(&yaml))),
        ("gz", gzip(yaml.as_bytes())),
    ] {
        let ran = fed(&["status", "--from", "-"], &input);
        assert_eq!((ran.code, &ran.out), (Some(0), &expect.out), "{form}: {}", ran.err);
        assert_eq!(ran.err, expect.err, "{form}");
    }
}

#[test]
fn standard_input_without_a_recording_is_an_error() {
    let check = |input: &[u8], says: &[&str]| assert_failed(&fed(&["status", "--from", "-"], input), says);
    check(b"", &["standard input", "empty"]);
    check(b"\n\n", &["standard input", "empty"]);
    check(b"error: You must be logged in to the server\n", &["standard input"]);
    check(b"{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 401}", &["standard input", "1 object(s)"]);
    check(&gzip(&tar("x: y\n")), &["standard input", "no Kubernetes object"]);
    check(&gzip(&tar(&text(State::Updating)))[..40], &["standard input"]);
}

#[test]
fn what_is_lost_of_standard_input_is_told() {
    let input = format!("{}kind: [\n", text(State::Idle) + "---\n");
    let told = "standard input:195: what is here cannot be read: ";
    let ran = fed(&["status", "--from", "-"], input.as_bytes());
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains(told) && !ran.err.contains(told), "told once: {}{}", ran.out, ran.err);
    // Who reads JSON may not look at its gaps, so a person is told beside it.
    let ran = fed(&["status", "--from", "-", "-o", "json"], input.as_bytes());
    assert!(ran.err.contains(&format!("warning: {told}")), "{}", ran.err);
}

fn tar(text: &str) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len().try_into().unwrap());
    builder.append_data(&mut header, "recording/all.yaml", text.as_bytes()).unwrap();
    builder.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[cfg(unix)]
#[test]
fn a_pipe_of_the_shell_is_a_file_too() {
    if !std::path::Path::new("/bin/bash").exists() {
        eprintln!("SKIPPED: there is no /bin/bash here");
        return;
    }
    let recording = record(State::Updating);
    let folder = recording.folder.path().display();
    let script = format!("'{HEADWAY}' status --from <(while read -r; do echo \"$REPLY\"; done <'{folder}/all.yaml')");
    let ran = ended(sealed("/bin/bash").args(["-c", &script.replace("echo", "printf '%s\\n'")]), b"");
    assert_eq!((ran.code, ran.out), (Some(0), status(&recording.path, &[]).out), "{}", ran.err);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    // More than a pipe holds, so that writing fails.
    let nodes: String = (0..3_000).map(|at| node(&format!("w-{at:05}"), "worker", "old")).collect();
    let recording = super::recording::of_text("all.yaml", (text(State::Updating) + &nodes).as_bytes());
    let path = recording.path.to_str().unwrap();
    for more in [&["--details", "all"][..], &["-o", "json"], &["-o", "yaml"]] {
        let mut child = with(&[&["status", "--from", path], more].concat()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut lines = String::new();
        for _ in 0..3 {
            out.read_line(&mut lines).unwrap();
        }
        assert_eq!(lines.lines().count(), 3);
        drop(out);
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{more:?}: {err}");
        assert!(err.lines().all(|line| line.starts_with("Judged as of") || line.starts_with("note: ")), "{err}");
    }
}

#[test]
fn nobody_has_to_listen_to_remarks() {
    let recording = record(State::Updating);
    let path = recording.path.to_str().unwrap();
    let mut child = with(&["status", "--from", path]).spawn().unwrap();
    drop(child.stderr.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!output.stdout.is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let recording = record(State::Updating);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let path = recording.path.to_str().unwrap();
    let ran = ended(with(&["status", "--from", path]).stdout(Stdio::from(full)), b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error: cannot write to standard output: No space left"), "{}", ran.err);
}

#[test]
fn data_and_remarks_do_not_mix() {
    let recording = record(State::Updating);
    for output in ["text", "wide", "json", "yaml"] {
        let ran = status(&recording.path, &["-o", output]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.starts_with("Judged as of 2026-05-04T08:20:00Z, "), "{}", ran.err);
        assert!(!ran.out.contains("Judged as of"), "{}", ran.out);
        assert!(ran.out.ends_with('\n'), "{output}");
    }
}

#[test]
fn json_and_yaml_are_the_same_report() {
    for state in [State::Idle, State::Updating, State::NeedsAttention, State::Failing, State::CannotTell] {
        let recording = record(state);
        let json: Value = serde_json::from_str(&status(&recording.path, &["-o", "json"]).out).unwrap();
        let yaml: Value = serde_saphyr::from_str(&status(&recording.path, &["-o", "yaml"]).out).unwrap();
        assert_eq!(json, yaml, "{state:?}");
        assert_eq!(json["apiVersion"], "headway.dev/v1alpha1");
        assert_eq!(json["kind"], "Report");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let recording = record(State::NeedsAttention);
    for output in ["text", "wide", "json", "yaml"] {
        let first = status(&recording.path, &["-o", output, "--details", "all"]);
        assert_eq!(status(&recording.path, &["-o", output, "--details", "all"]), first, "{output}");
        // Nor does it depend on where and when.
        let path = recording.path.to_str().unwrap();
        let arguments = ["status", "--from", path, "-o", output, "--details", "all"];
        let elsewhere = ended(with(&arguments).env("TZ", "Asia/Tokyo").env("LANG", "de_DE").current_dir("/"), b"");
        assert_eq!(elsewhere, first, "{output}");
    }
}

#[test]
fn the_order_does_not_depend_on_the_number_of_cores() {
    let taskset = ["/usr/bin/taskset", "/bin/taskset"].into_iter().find(|path| std::path::Path::new(path).exists());
    let Some(taskset) = taskset else {
        eprintln!("SKIPPED: there is no taskset here to take cores away with");
        return;
    };
    let recording = record(State::Updating);
    for at in 0..200 {
        let name = format!("w-{at:05}");
        super::recording::write(
            &recording.folder.path().join(format!("{name}.yaml")),
            node(&name, "worker", "old").as_bytes(),
        );
    }
    let path = recording.folder.path().to_str().unwrap();
    let arguments = ["status", "--from", path, "-o", "json"];
    let one = ended(sealed(taskset).args(["-c", "0", HEADWAY]).args(arguments), b"");
    assert_eq!(one, run(&arguments));
    assert!(one.out.contains("w-00199"), "{}", one.err);
}
