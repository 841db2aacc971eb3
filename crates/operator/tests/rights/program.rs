//! The operator as the chart's Deployment starts it, with the chart's account, and with a clock that a test moves.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use headway_testenv::Plane;
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

use super::chart::{self, NAME, NAMESPACE};

/// Machines that build at the same time are slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running operator; dropping it kills it.
pub(super) struct Operator {
    child: Child,
    address: String,
    folder: TempDir,
    now: Timestamp,
}

impl Operator {
    /// Starts one of the role `status`.
    pub(super) fn start(plane: &Plane, now: Timestamp) -> Self {
        Self::start_as(plane, NAME, now)
    }

    /// Starts one of a role.
    pub(super) fn start_as(plane: &Plane, name: &str, now: Timestamp) -> Self {
        let kubeconfig = plane.account_kubeconfig(NAMESPACE, name).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let log = File::create(folder.path().join("log")).unwrap();
        let clock = folder.path().join("now");
        fs::write(&clock, now.to_string()).unwrap();
        // A pod has its address for itself.
        let arguments = chart::arguments(plane, name);
        let arguments = arguments.iter().filter(|argument| !argument.starts_with("--listen="));
        let child = Command::new(env!("CARGO_BIN_EXE_headway-operator"))
            .env_clear()
            .env("POD_NAMESPACE", NAMESPACE)
            .env("POD_NAME", "one")
            .args(arguments)
            .args(["--kubeconfig", kubeconfig.to_str().unwrap(), "--listen", &address])
            .args(["--clock-file", clock.to_str().unwrap()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Self { child, address, folder, now }
    }

    /// Waits until something is so, while its clock goes some times faster than the wall's.
    pub(super) fn wait(&mut self, what: &str, mut is: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if is(self) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
            self.now = self.now.checked_add(SignedDuration::from_secs(1)).unwrap();
            self.tell();
        }
        panic!("{what}: not within {} s", PATIENCE.as_secs());
    }

    /// Asks it to stop, and waits. Answers what its clock says then.
    pub(super) fn stop(mut self) -> Timestamp {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "it ended with {status}");
                return self.now;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it does not stop");
    }

    /// The value of a metric.
    pub(super) fn metric(&self, name: &str) -> Option<f64> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        write!(stream, "GET /metrics HTTP/1.0\r\nHost: x\r\n\r\n").ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        let line = text.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))?;
        line.rsplit(' ').next()?.parse().ok()
    }

    /// Readers never see half a time.
    fn tell(&self) {
        let fresh = self.folder.path().join("next");
        fs::write(&fresh, self.now.to_string()).unwrap();
        fs::rename(fresh, self.clock()).unwrap();
    }

    fn clock(&self) -> PathBuf {
        self.folder.path().join("now")
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let log = fs::read_to_string(self.folder.path().join("log"));
            eprintln!("the operator's log:\n{}", log.unwrap_or_default());
        }
    }
}
