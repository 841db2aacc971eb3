//! Whatever ends a plane, no process and no folder of it is left.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use headway_testenv::{Pids, Plane};

/// A process that ended and that nobody has waited for is no longer running.
pub(super) fn is_running(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    // After the name, which is in parentheses and may hold anything.
    let state = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    !state.starts_with(['Z', 'X'])
}

fn all(pids: Pids) -> [u32; 3] {
    let Pids { supervisor, etcd, apiserver } = pids;
    [supervisor, etcd, apiserver]
}

/// Ending takes a moment when nobody waits for it.
pub(super) fn soon(condition: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        if condition() {
            return true;
        }
        sleep(Duration::from_millis(20));
    }
    false
}

pub(super) fn kill(pid: u32) {
    assert!(Command::new("/bin/sh").args(["-c", "kill -KILL $0", &pid.to_string()]).status().unwrap().success());
}

fn folder_of(kubeconfig: &Path) -> PathBuf {
    kubeconfig.parent().unwrap().to_path_buf()
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn a_plane_that_is_dropped_leaves_nothing() {
    let plane = Plane::start().unwrap();
    let pids = all(plane.pids());
    let folder = folder_of(plane.kubeconfig());
    assert!(pids.iter().all(|pid| is_running(*pid)));
    assert!(folder.is_dir());
    plane.stop();
    assert!(!pids.iter().any(|pid| is_running(*pid)));
    assert!(!folder.exists());
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn a_paused_plane_that_is_dropped_leaves_nothing() {
    let plane = Plane::start().unwrap();
    let pids = all(plane.pids());
    plane.pause_apiserver().unwrap();
    plane.pause_etcd().unwrap();
    plane.stop();
    assert!(!pids.iter().any(|pid| is_running(*pid)));
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn a_parent_that_is_killed_leaves_nothing() {
    let mut holder =
        Command::new(env!("CARGO_BIN_EXE_hold")).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(holder.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let [supervisor, etcd, apiserver, kubeconfig] = words[..] else { panic!("it did not start: {line}") };
    let pids = [supervisor, etcd, apiserver].map(|pid| pid.parse::<u32>().unwrap());
    let folder = folder_of(Path::new(kubeconfig));
    assert!(pids.iter().all(|pid| is_running(*pid)));

    holder.kill().unwrap();
    holder.wait().unwrap();
    assert!(soon(|| !pids.iter().any(|pid| is_running(*pid))));
    assert!(soon(|| !folder.exists()));
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn a_supervisor_that_is_killed_leaves_no_process_and_is_missed() {
    let plane = Plane::start().unwrap();
    let pids = all(plane.pids());
    kill(plane.pids().supervisor);
    assert!(soon(|| !pids.iter().any(|pid| is_running(*pid))));
    let missed = plane.restart_apiserver().unwrap_err().to_string();
    assert!(missed.starts_with("the supervisor of the test plane is gone"), "{missed}");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn planes_run_side_by_side() {
    let planes = [Plane::start().unwrap(), Plane::start().unwrap()];
    assert_ne!(planes[0].server(), planes[1].server());
    let create = ["create", "namespace", "of-the-first"];
    planes[0].kubectl_text(&create).unwrap();
    assert!(planes[1].kubectl_text(&["get", "namespace", "of-the-first"]).is_err());
}
