//! The operator's binary, started as a pod would start it, with a clock of the test's.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

use super::world::World;

/// A running operator; dropping it kills it.
pub(super) struct Operator {
    child: Child,
    address: String,
    folder: TempDir,
}

/// The clock that operators of one test share.
pub(super) struct TestClock {
    folder: TempDir,
    now: Timestamp,
}

impl TestClock {
    pub(super) fn at(now: Timestamp) -> Self {
        let clock = Self { folder: tempfile::tempdir().unwrap(), now };
        clock.tell();
        clock
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("now")
    }

    /// Sets it to so many seconds after [`NOW`](super::world::NOW).
    pub(super) fn is(&mut self, seconds: i64) {
        self.now = super::world::NOW;
        self.pass(seconds);
    }

    /// Moves on, or back.
    pub(super) fn pass(&mut self, seconds: i64) {
        self.now = self.now.checked_add(SignedDuration::from_secs(seconds)).unwrap();
        self.tell();
    }

    /// Readers never see half a time.
    fn tell(&self) {
        let fresh = self.folder.path().join("next");
        fs::write(&fresh, self.now.to_string()).unwrap();
        fs::rename(fresh, self.path()).unwrap();
    }
}

impl Operator {
    /// Starts one. Arguments beyond the usual ones may be given.
    pub(super) fn start(world: &World, clock: &TestClock, more: &[&str]) -> Self {
        Self::start_as(world.kubeconfig(), clock, more)
    }

    /// The same as somebody else.
    pub(super) fn start_as(kubeconfig: &Path, clock: &TestClock, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = free_address();
        let log = File::create(folder.path().join("log")).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_headway-operator"))
            .env_clear()
            .args(["--kubeconfig", kubeconfig.to_str().unwrap()])
            .args(["--listen", &address, "--namespace", "headway-system", "--log-format", "text"])
            .args(["--clock-file", clock.path().to_str().unwrap()])
            // No test waits for the end of a lease of one that was killed, but for those about leases.
            .args(if more.contains(&"--leader-elect=true") { &[][..] } else { &["--leader-elect=false"] })
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Self { child, address, folder }
    }

    /// What it logged.
    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Asks it to stop, and waits.
    pub(super) fn stop(mut self) -> ExitStatus {
        self.signal("-TERM");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(20) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it does not stop:\n{}", self.log());
    }

    /// Whether it has read all that it needs.
    pub(super) fn is_ready(&self) -> bool {
        self.get("/readyz").is_some_and(|(code, _)| code == 200)
    }

    /// Stops its threads where they are.
    pub(super) fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    pub(super) fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Kills it as the kernel does.
    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Answers of its probes: the status code and the body.
    pub(super) fn get(&self, path: &str) -> Option<(u16, String)> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
        write!(stream, "GET {path} HTTP/1.0\r\nHost: x\r\n\r\n").ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        let (head, body) = text.split_once("\r\n\r\n")?;
        let code = head.split(' ').nth(1)?.parse().ok()?;
        Some((code, body.to_owned()))
    }

    /// All metrics.
    pub(super) fn text(&self) -> String {
        self.get("/metrics").unwrap().1
    }

    /// The value of a metric, by its name with labels.
    pub(super) fn metric(&self, name: &str) -> Option<f64> {
        let (_, text) = self.get("/metrics")?;
        let line = text.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))?;
        line.rsplit(' ').next()?.parse().ok()
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("the operator's log:\n{}", self.log());
        }
    }
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}
