//! `headway simulate` as a command: built-in scripts, scripts of plans, bad input, exit codes.

use std::fs;
use std::path::Path;

use super::command::{assert_failed, fed, run};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/simulate")
}

#[test]
fn scripts_that_are_built_in_are_those_of_the_examples() {
    for name in ["four-minors", "deferred-pool", "gates", "faults", "stopped-midway", "workers-first"] {
        let played = run(&["simulate", "--example", name]);
        let expected = fs::read_to_string(folder().join(name).join("expected.txt")).unwrap();
        assert_eq!((played.out.as_str(), played.code), (expected.as_str(), Some(0)), "{name}: {}", played.err);
        let printed = run(&["simulate", "--example", name, "--print-script"]);
        assert_eq!(printed.out, fs::read_to_string(folder().join(name).join("script.txt")).unwrap());
        assert_eq!(fed(&["simulate", "-"], printed.out.as_bytes()).out, expected);
    }
}

#[test]
fn a_plan_is_rehearsed() {
    let plan = run(&[
        "plan",
        "--from-version",
        "v1.30.0",
        "--to",
        "v1.32.0",
        "--versions",
        "v1.31.2,v1.32.0",
        "--workers-version",
        "md-a=v1.30.0,md-b=v1.29.0",
        "-o",
        "script",
    ]);
    assert_eq!(
        plan.out,
        "control-plane v1.30.0 1\npool md-a 1 v1.30.0\npool md-b 1 v1.29.0\nversions v1.30.0 v1.31.2 v1.32.0\nupgrade v1.32.0\nrun\n"
    );
    let played = fed(&["simulate", "-"], plan.out.as_bytes());
    assert_eq!(played.code, Some(0), "{}", played.err);
    assert!(played.out.contains("move   MachineDeployment/md-b from v1.29.0 to v1.32.0"), "{}", played.out);
    assert!(played.out.ends_with(" settled\n"), "{}", played.out);

    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plan/pool-deferred/input");
    let plan = run(&["plan", "--from", &recorded.to_string_lossy(), "-o", "script"]);
    assert!(plan.out.contains("# not rehearsed: ") && plan.out.contains("defer-upgrade"), "{}", plan.out);
    assert_eq!(fed(&["simulate", "-"], plan.out.as_bytes()).code, Some(0));

    let refused = run(&["plan", "--from-version", "v1.30.0", "--to", "v1.32.0", "-o", "script"]);
    assert_failed(&refused, &["there is no plan to rehearse", "rule S1"]);
    assert!(refused.out.is_empty(), "{}", refused.out);
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plan/hole-in-the-list/input");
    assert_failed(&run(&["plan", "--check", &check.to_string_lossy(), "-o", "script"]), &["--check makes none"]);
}

#[test]
fn what_cannot_be_played_is_told() {
    let check = |script: &str, says: &[&str]| assert_failed(&fed(&["simulate", "-"], script.as_bytes()), says);
    check("", &["line 1", "control-plane VERSION"]);
    check("control-plane v1.30.0\nfly", &["line 2", "there is no command \"fly\""]);
    assert_failed(&fed(&["simulate", "-"], b"control-plane v1.30.0 \xff"), &["standard input is not text"]);
    assert_failed(&run(&["simulate", "/no/such/script"]), &["cannot open /no/such/script"]);
    assert_failed(&run(&["simulate"]), &["<SCRIPT|--example <NAME>>"]);
    assert_failed(&run(&["simulate", "--example", "none"]), &["four-minors"]);
    let large = vec![b'\n'; (1 << 20) + 1];
    assert_failed(&fed(&["simulate", "-"], &large), &["larger than 1 MiB"]);
    // What happened before a command that does not fit is told all the same.
    let ran = fed(&["simulate", "-"], b"control-plane v1.30.0\nupgrade v1.31.0\nrun\ndefer md-a\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), "error: `defer md-a`: there is no group \"md-a\"\n"));
    assert!(ran.out.contains("control plane runs v1.31.0"), "{}", ran.out);
}

#[test]
fn what_is_not_done_is_exit_code_4() {
    let ran = fed(&["simulate", "-"], b"control-plane v1.30.0\nstop\nupgrade v1.31.0\nrun\n");
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.out.ends_with("wait   it stays at v1.30.0: spec.stop\n"), "{}", ran.out);
}
