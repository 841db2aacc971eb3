//! Flags: what is wrong is said on standard error with what to type next, what is asked for comes on standard output.

use super::command::{HEADWAY, assert_failed, ended, run, sealed, status};
use super::recording::{State, record};

#[test]
fn wrong_usage_is_exit_code_1_with_a_hint() {
    let check = |arguments: &[&str], says: &[&str]| assert_failed(&run(arguments), says);
    let hint = "try '--help'";
    check(&["status", "--form", "x"], &["unexpected argument '--form'", "'--from'", "Usage: headway status", hint]);
    check(&["stats", "--from", "x"], &["unrecognized subcommand 'stats'", "'status'", hint]);
    check(&["status", "--from"], &["a value is required for '--from <PATH>...'", hint]);
    let with = |more: &[&str], says: &[&str]| check(&[&["status", "--from", "x"], more].concat(), says);
    with(&["--at", "yesterday"], &["'yesterday'", "--at <TIME>", "not an RFC 3339 time", "2026-05-04T08:30:00Z"]);
    with(&["--at", "2026-05-04"], &["not an RFC 3339 time"]);
    with(&["--details", "everything"], &["'everything'", "none, nodes, health, operators, all"]);
    with(&["-o", "table"], &["'table'", "text, wide, json, yaml"]);
    with(&["--output=go-template"], &["'go-template'", "text, wide, json, yaml"]);
    with(&["--max-file-size", "big"], &["'big'", "--max-file-size <SIZE>"]);
    with(&["--max-file-size=-1"], &["'-1'", "--max-file-size <SIZE>"]);
    with(&["--compat", "kubectl"], &["'kubectl'", "oc"]);
    with(&["--exit-code=yes"], &["--exit-code"]);
    check(&["completion", "dos"], &["'dos'", "bash", "zsh", "fish"]);
}

#[test]
fn no_command_is_told_what_there_is() {
    let ran = run(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("Usage: headway") && ran.err.contains("status"), "{}", ran.err);
}

#[test]
fn help_and_version_are_data() {
    let check = |arguments: &[&str], says: &[&str], never: &[&str]| {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{arguments:?}");
        for part in says {
            assert!(ran.out.contains(part), "{arguments:?}: {part:?} is not in\n{}", ran.out);
        }
        for part in never {
            assert!(!ran.out.contains(part), "{arguments:?}: {part:?} is in\n{}", ran.out);
        }
        assert!(!ran.out.contains('\u{1b}'), "{arguments:?}: no colours in a pipe");
    };
    check(&["--help"], &["Usage: headway", "status", "completion"], &["internal-docs"]);
    check(&["-h"], &["Usage: headway"], &[]);
    check(&["status", "--help"], &["Usage: headway status", "Examples:", "Exit codes:", "must-gather.tar.gz"], &[]);
    check(&["status", "-h"], &["Usage: headway status", "Use --help for examples"], &["Examples:"]);
    check(&["--version"], &["headway 0."], &[]);
    check(&["-V"], &["headway 0."], &[]);
    check(&["completion", "--help"], &["Usage: headway completion"], &[]);
}

#[test]
fn completion_scripts_know_the_flags() {
    let check = |shell: &str, says: &[&str]| {
        let ran = run(&["completion", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shell}");
        for part in says.iter().chain(&["status", "details", "max-file-size"]) {
            assert!(ran.out.contains(part), "{shell}: {part}");
        }
        assert!(!ran.out.contains("internal-docs ("), "{shell}");
    };
    check("bash", &["complete -F _headway", "headway"]);
    check("zsh", &["#compdef headway"]);
    check("fish", &["complete -c headway"]);
}

#[test]
fn a_completion_script_is_one_that_bash_takes() {
    if !std::path::Path::new("/bin/bash").exists() {
        eprintln!("SKIPPED: there is no /bin/bash here to read the script with");
        return;
    }
    let script = run(&["completion", "bash"]).out;
    let ran = ended(sealed("/bin/bash").args(["-n", "-c", &script]), b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn as_a_plugin_it_speaks_of_kubectl_headway() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = folder.path().join("kubectl-headway");
    std::os::unix::fs::symlink(HEADWAY, &plugin).unwrap();
    let run = |arguments: &[&str]| ended(sealed(&plugin).args(arguments), b"");
    let help = run(&["status", "--help"]);
    assert_eq!(help.code, Some(0));
    assert!(help.out.contains("Usage: kubectl headway status"), "{}", help.out);
    assert!(help.out.contains("kubectl headway status --from must-gather.tar.gz"), "{}", help.out);
    assert!(!help.out.contains("  headway status"), "{}", help.out);
    assert!(run(&["--help"]).out.contains("Usage: kubectl headway <COMMAND>"), "{}", run(&["--help"]).out);
    assert_failed(&run(&["status", "--form"]), &["Usage: kubectl headway status"]);
    let recording = record(State::Updating);
    let path = recording.path.to_str().unwrap();
    assert_eq!(run(&["status", "--from", path]), status(&recording.path, &[]));
}

#[test]
fn the_moment_can_be_given() {
    let recording = record(State::Updating);
    let check = |at: &str, says: &str| {
        let ran = status(&recording.path, &["--at", at]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.contains(says), "{}", ran.err);
    };
    check("2026-05-04T08:30:00Z", "Judged as of 2026-05-04T08:30:00Z");
    check("2026-05-04T10:30:00+02:00", "Judged as of 2026-05-04T08:30:00Z");
    let early = status(&recording.path, &["--at", "2020-01-01T00:00:00Z"]);
    assert_eq!(early.code, Some(0));
    assert!(!early.out.contains('-') || !early.out.contains(" -1"), "ages are never negative: {}", early.out);
}
