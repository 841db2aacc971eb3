//! The operator's own program, run as a pod would run it, and what the kernel says that it costs.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tempfile::TempDir;

/// The namespace of its lease.
pub(crate) const NAMESPACE: &str = "headway-system";

/// A running operator; dropping it kills it.
pub(crate) struct Operator {
    child: Child,
    folder: TempDir,
    pub(crate) started: Instant,
}

/// What it used.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Used {
    /// Resident memory now.
    pub(crate) resident: u64,
    /// The most that it ever was.
    pub(crate) peak: u64,
    /// Time of the processor since the start.
    pub(crate) processor: Duration,
}

/// The program to measure: the one named, or the one built beside this one.
pub(crate) fn program(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => {
            std::env::current_exe().context("cannot tell where this program is")?.with_file_name("headway-operator")
        }
    };
    if !path.is_file() {
        bail!("there is no {}: build it with `cargo build --release --package headway-operator`", path.display());
    }
    Ok(path)
}

impl Operator {
    /// Starts it with its own defaults, the lease included.
    pub(crate) fn start(program: &Path, kubeconfig: &Path, alerts: &str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let log = File::create(folder.path().join("log")).context("cannot write the operator's log")?;
        let listen = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let listen = listen.context("there is no free port")?.to_string();
        let started = Instant::now();
        let child = Command::new(program)
            .env_clear()
            .arg("--kubeconfig")
            .arg(kubeconfig)
            .args(["--listen", &listen, "--namespace", NAMESPACE, "--prometheus", alerts])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        Ok(Self { child, folder, started })
    }

    /// What it used so far.
    pub(crate) fn used(&self) -> anyhow::Result<Used> {
        let read = |name: &str| {
            let path = format!("/proc/{}/{name}", self.child.id());
            fs::read_to_string(&path)
                .with_context(|| format!("cannot read {path}: did the operator end? {}", self.log()))
        };
        let status = read("status")?;
        let kilobytes = |name: &str| line(&status, name).map(|kilobytes| kilobytes * 1_024);
        let (resident, peak) = (kilobytes("VmRSS:")?, kilobytes("VmHWM:")?);
        Ok(Used { resident, peak, processor: processor(&read("stat")?)? })
    }

    /// What it logged last.
    pub(crate) fn log(&self) -> String {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(5)..].join("\n")
    }

    /// Asks it to stop, and gives how long that took.
    pub(crate) fn stop(mut self) -> anyhow::Result<Duration> {
        let begun = Instant::now();
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        anyhow::ensure!(told.context("cannot run kill")?.success(), "the operator cannot be told to stop");
        while begun.elapsed() < Duration::from_secs(20) {
            if let Some(status) = self.child.try_wait().context("cannot wait for the operator")? {
                anyhow::ensure!(status.success(), "the operator ended with {status}: {}", self.log());
                return Ok(begun.elapsed());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        bail!("the operator does not stop: {}", self.log())
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn line(status: &str, name: &str) -> anyhow::Result<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.with_context(|| format!("the kernel does not tell {name} of the operator"))
}

/// Ticks of a hundredth of a second: every Linux says so to programs, whatever its own timer is.
fn processor(stat: &str) -> anyhow::Result<Duration> {
    // The program's name stands in parentheses and may hold anything; user and system time are the 12th and 13th word
    // after it.
    let words = stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace());
    let ticks: Vec<u64> = words.into_iter().flatten().skip(11).take(2).filter_map(|word| word.parse().ok()).collect();
    anyhow::ensure!(ticks.len() == 2, "the kernel does not tell the operator's times");
    Ok(Duration::from_millis(10 * ticks.iter().sum::<u64>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_tells_is_read() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 300 0 0 0 125 75 0 0 20 0 3 0 100 1 2";
        assert_eq!(processor(stat).unwrap(), Duration::from_secs(2));
        assert!(processor("7 (a").is_err());
        assert_eq!(line("VmHWM:\t  120 kB\nVmRSS:\t 100 kB\n", "VmRSS:").unwrap(), 100);
        assert!(line("", "VmRSS:").is_err());
    }
}
