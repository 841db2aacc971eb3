//! The operator's binary in its roles `hooks` and `drive`, started as a pod would start it.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use headway_testenv::Plane;
use tempfile::TempDir;

/// A running operator; dropping it kills it.
pub(super) struct Operator {
    child: Child,
    address: SocketAddr,
    folder: TempDir,
}

impl Operator {
    /// Starts one that shows the plane's certificate, and waits until it listens.
    pub(super) fn start(plane: &Plane) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let serving = plane.serving();
        fs::copy(&serving.certificate, folder.path().join("tls.crt")).unwrap();
        fs::copy(&serving.key, folder.path().join("tls.key")).unwrap();
        let address = free_address();
        let child = Command::new(env!("CARGO_BIN_EXE_headway-operator"))
            .env_clear()
            .args(["--roles=hooks", "--log-format=text", "--namespace=headway-system"])
            .arg(format!("--listen={}", free_address()))
            .arg(format!("--hooks-listen={address}"))
            .arg("--hooks-tls-dir")
            .arg(folder.path())
            .arg("--kubeconfig")
            .arg(plane.kubeconfig())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let mut operator = Self { child, address, folder };
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            let ended = operator.child.try_wait().unwrap();
            assert!(ended.is_none() && begun.elapsed() < Duration::from_secs(30), "it does not listen: {ended:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
        operator
    }

    /// Starts one that drives, and waits until it has read all that it needs.
    pub(super) fn drive(plane: &Plane) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = free_address();
        let child = Command::new(env!("CARGO_BIN_EXE_headway-operator"))
            .env_clear()
            // Nobody waits for the lease of one that was killed.
            .args(["--roles=drive", "--log-format=text", "--namespace=headway-system", "--leader-elect=false"])
            .arg(format!("--listen={address}"))
            .arg("--kubeconfig")
            .arg(plane.kubeconfig())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        Self { child, address, folder }
    }

    /// Kills it as the kernel does.
    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Where it serves hooks.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            eprintln!("the operator's log:\n{log}");
        }
    }
}

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}
