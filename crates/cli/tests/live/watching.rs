//! `--watch` and `--wait`: what is told as a cluster changes, through outages of its server.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use headway_testenv::Plane;
use serde_json::{Value, json};

use super::command::{of_cluster, root, status};
use super::world::{World, client, recorded, send};

/// Long enough for a busy machine; what is waited for comes in a second or two.
const PATIENCE: Duration = Duration::from_secs(60);

/// A watch that runs, with the lines that it writes.
struct Watch {
    child: Child,
    lines: Receiver<String>,
    heard: Vec<String>,
}

impl Watch {
    fn start(world: &World, more: &[&str]) -> Self {
        let kubeconfig = world.plane.kubeconfig().to_str().unwrap().to_owned();
        let mut child = status(&[&["--kubeconfig", &kubeconfig, "--watch"], more].concat()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, lines, heard: Vec::new() }
    }

    /// Waits for a line that holds a text, and gives it.
    fn hears(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        while let Ok(line) = self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            self.heard.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
        panic!("{text:?} never came:\n{}", self.heard.join("\n"));
    }

    /// Asserts that nothing comes for a while.
    fn hears_nothing(&mut self, of: Duration) {
        // What belongs to the picture that was heard last.
        while self.lines.recv_timeout(Duration::from_secs(1)).is_ok() {}
        if let Ok(line) = self.lines.recv_timeout(of) {
            panic!("{line:?} came, and nothing had changed");
        }
    }

    fn interrupt(mut self) -> Option<i32> {
        let kill = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.child.kill().and_then(|()| self.child.wait()));
    }
}

/// A plane of one's own with an example in it.
fn world(example: &str) -> World {
    let plane = Plane::start().unwrap();
    plane.apply_foreign_crds().unwrap();
    let mut world = World::alone(plane);
    world.hold(&[root().join("examples").join(example).join("input")]);
    world
}

/// Changes an object or its status.
fn patch(world: &World, path: &str, change: Value) {
    let kubeconfig = world.plane.kubeconfig().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        send(&client(&kubeconfig).await, "PATCH", path, "application/merge-patch+json", &change).await;
    });
}

fn pause(world: &World, paused: bool) {
    let path = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools/edge";
    patch(world, path, json!({"spec": {"paused": paused}}));
}

#[test]
#[ignore = "ring 2: a real API server"]
fn us_s41_a_watch_on_a_pipe_tells_what_changes_and_nothing_else() {
    let world = world("pool-left-behind");
    let mut watch = Watch::start(&world, &[]);
    let headline = watch.hears("--- As of ");
    assert!(headline.ends_with("Z, watching ---"), "{headline}");
    watch.hears("= Update Health =");
    watch.hears_nothing(Duration::from_secs(8));
    // A heartbeat is no change.
    let node = recorded(&root().join("examples/pool-left-behind/input"))
        .into_iter()
        .find(|object| object["kind"] == "Node")
        .unwrap();
    let path = format!("/api/v1/nodes/{}/status", node["metadata"]["name"].as_str().unwrap());
    patch(&world, &path, json!({"status": {"nodeInfo": {"bootID": "another"}}}));
    watch.hears_nothing(Duration::from_secs(4));
    pause(&world, true);
    watch.hears("--- As of ");
    watch.hears("Excluded");
    pause(&world, false);
    watch.hears("--- As of ");
    watch.hears("Pending");
    assert_eq!(watch.interrupt(), Some(130));
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_watch_survives_the_server_s_absence_and_says_how_old_it_is() {
    let world = world("pool-left-behind");
    let mut watch = Watch::start(&world, &[]);
    watch.hears("= Update Health =");
    world.plane.stop_apiserver().unwrap();
    let headline = watch.hears("--- As of ");
    assert!(
        headline.contains(", from what was known ") && headline.contains("the connection was refused"),
        "{headline}"
    );
    world.plane.start_apiserver().unwrap();
    let headline = watch.hears("--- As of ");
    assert!(headline.ends_with("watching ---"), "{headline}");
    pause(&world, true);
    watch.hears("Excluded");
    // The same when all history is forgotten meanwhile: the watches begin anew.
    world.plane.kill_apiserver().unwrap();
    world.plane.compact().unwrap();
    world.plane.start_apiserver().unwrap();
    pause(&world, false);
    watch.hears("Pending");
    assert_eq!(watch.interrupt(), Some(130));
}

#[test]
#[ignore = "ring 2: a real API server"]
fn on_a_terminal_a_picture_is_drawn_over_the_one_before() {
    let script = std::path::Path::new("/usr/bin/script");
    if !script.exists() {
        println!("SKIPPED: there is no `script` here to make a pseudo terminal with");
        return;
    }
    let world = world("pool-left-behind");
    let headway = env!("CARGO_BIN_EXE_headway");
    let kubeconfig = world.plane.kubeconfig().display();
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let run = format!("exec '{headway}' status --kubeconfig '{kubeconfig}' --watch");
    let line = format!("stty cols 80 rows 12; echo $$ > '{}'; {run}", pid.display());
    let mut command = Command::new(script);
    command.args(["-qefc", &line, "/dev/null"]).env_clear().env("PATH", "/usr/bin:/bin").env("TERM", "xterm");
    command.env("SHELL", "/bin/sh").env("HOME", "/nonexistent").stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let reading = std::thread::spawn(move || {
        let mut text = Vec::new();
        drop(out.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    // The first picture, and one in which only time has moved on.
    std::thread::sleep(Duration::from_secs(14));
    let own = std::fs::read_to_string(&pid).unwrap();
    assert!(Command::new("kill").args(["-INT", own.trim()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let text = reading.join().unwrap();
    let pictures: Vec<&str> = text.split("\u{1b}[H").skip(1).collect();
    assert!(pictures.len() >= 2, "{} pictures: {text:?}", pictures.len());
    for picture in pictures {
        assert!(picture.starts_with("As of ") && picture.contains("= Control Plane ="), "{picture:?}");
        assert!(picture.lines().count() <= 12 && picture.contains(" more lines)"), "{picture:?}");
        assert!(picture.contains("\u{1b}[J"), "what was below goes: {picture:?}");
    }
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_watch_of_a_server_that_is_not_there_is_an_error() {
    let world = world("pool-left-behind");
    world.plane.stop_apiserver().unwrap();
    let ran = of_cluster(world.plane.kubeconfig(), &["--watch"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("was refused - did you specify the right host or port?"), "{}", ran.err);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn waiting_ends_when_it_is_so_or_when_the_time_is_over() {
    let mut world = world("goes-well");
    let kubeconfig = world.plane.kubeconfig().to_owned();
    let wait = |state: &str, timeout: &str| of_cluster(&kubeconfig, &["--wait", state, "--timeout", timeout]);
    let ran = wait("updated", "4s");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("error: after 4s the cluster is not updated: "), "{}", ran.err);
    assert!(ran.out.contains("= Control Plane ="), "{}", ran.out);
    world.hold(&[root().join("examples/idle/input")]);
    let ran = wait("updated", "60s");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.contains("= Control Plane =") || ran.out.contains("not updating"), "{}", ran.out);
    let ran = wait("healthy", "60s");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    // Watched and waited for: the pictures, and the end.
    let mut watch = Watch::start(&world, &["--wait=updated"]);
    watch.hears("--- As of ");
    assert_eq!(watch.child.wait().unwrap().code(), Some(0));
    // Nothing is never taken for well.
    world.hold_objects(&[]);
    let ran = wait("healthy", "3s");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("what is observed is not enough to tell"), "{}", ran.err);
    let ran = of_cluster(&kubeconfig, &["--wait=updated", "--timeout=1ms"]);
    assert!(ran.err.contains("error: after 0.001s nothing of the cluster was seen"), "{}", ran.err);
}
