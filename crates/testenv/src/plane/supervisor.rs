//! The supervisor and the lines that go to and from it.
//!
//! It is the Go program `testenv/supervisor`, because ending a child when its
//! parent is killed takes a call to the kernel that safe Rust cannot make.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Error;
use crate::options::Options;
use crate::programs::{Program, Programs};

/// The processes of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Pids {
    /// The parent of the other two.
    pub supervisor: u32,
    /// The store.
    pub etcd: u32,
    /// The API server; 0 while it is stopped.
    pub apiserver: u32,
}

/// What it takes to serve TLS on 127.0.0.1; all files are PEM.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Serving {
    /// The certificate that vouches for the other.
    pub authority: PathBuf,
    /// The server's certificate.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
    /// The authority as objects of the API hold it in `caBundle`: PEM in base64.
    pub bundle: String,
}

/// The first line that the supervisor writes.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Ready {
    pub(super) kubeconfig: PathBuf,
    pub(super) server: String,
    pub(super) authority: PathBuf,
    pub(super) audit_log: PathBuf,
    pub(super) pids: Pids,
    pub(super) other: Serving,
    pub(super) started_in_milliseconds: u64,
}

/// What the supervisor can be told to do.
#[derive(Clone, Copy)]
pub(super) enum Order {
    StopApiserver,
    KillApiserver,
    StartApiserver,
    RestartApiserver,
    PauseApiserver,
    ResumeApiserver,
    PauseEtcd,
    ResumeEtcd,
    Compact,
}

impl Order {
    fn word(self) -> &'static str {
        match self {
            Self::StopApiserver => "stop-apiserver",
            Self::KillApiserver => "kill-apiserver",
            Self::StartApiserver => "start-apiserver",
            Self::RestartApiserver => "restart-apiserver",
            Self::PauseApiserver => "pause-apiserver",
            Self::ResumeApiserver => "resume-apiserver",
            Self::PauseEtcd => "pause-etcd",
            Self::ResumeEtcd => "resume-etcd",
            Self::Compact => "compact",
        }
    }
}

#[derive(Deserialize)]
struct Answer {
    ok: bool,
    #[serde(default)]
    error: String,
    #[serde(default)]
    apiserver: u32,
    #[serde(default)]
    ports: Vec<u16>,
}

/// A program that is to run beside the API server, for as long as it does.
#[derive(Debug, Serialize)]
pub(super) struct Run {
    /// Its log is named after it.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) args: Vec<String>,
    /// Each as `NAME=VALUE`.
    pub(super) env: Vec<String>,
    /// A URL that answers 200 when it is ready.
    pub(super) ready: String,
}

/// A running supervisor. Dropping it closes the pipe that it watches and waits
/// until it has ended what it started.
#[derive(Debug)]
pub(super) struct Supervisor {
    child: Child,
    /// Taken when it is dropped: closing it tells the supervisor to end.
    orders: Option<ChildStdin>,
    pids: Pids,
    answers: BufReader<ChildStdout>,
    /// A few words when it fails, far less than a pipe holds.
    complaints: ChildStderr,
}

impl Supervisor {
    /// Everything is written to the folder, which is empty; the supervisor
    /// removes it at the end, also when we cannot any more.
    pub(super) fn start(programs: &Programs, options: &Options, folder: &Path) -> Result<(Self, Ready), Error> {
        let path = programs.path(Program::Supervisor);
        let run = |cause| Error::Run { path: path.clone(), cause };
        let mut command = Command::new(&path);
        command
            .arg("run")
            .arg("--dir")
            .arg(folder)
            .arg("--etcd")
            .arg(programs.path(Program::Etcd))
            .arg("--kube-apiserver")
            .arg(programs.path(Program::KubeApiserver))
            .args(programs.environment().keep.as_ref().map(|_| "--keep"))
            .args(options.apiserver_flags.iter().flat_map(|flag| ["--apiserver-flag", flag]))
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(run)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(orders), Some(answers), Some(complaints)) = pipes else {
            return Err(run(std::io::Error::other("its pipes are not there")));
        };
        let pids = Pids { supervisor: child.id(), etcd: 0, apiserver: 0 };
        let answers = BufReader::new(answers);
        let mut supervisor = Self { child, orders: Some(orders), pids, answers, complaints };
        match supervisor.read_line::<Ready>() {
            Some(ready) => {
                supervisor.pids = ready.pids;
                Ok((supervisor, ready))
            }
            None => Err(Error::Start { told: supervisor.told() }),
        }
    }

    pub(super) fn pids(&self) -> Pids {
        self.pids
    }

    /// Gives one order and waits until it is carried out.
    pub(super) fn obey(&mut self, order: Order) -> Result<(), Error> {
        let order = order.word();
        self.ask(order, &json!({"command": order})).map(drop)
    }

    /// Ports on loopback that nobody else takes while it runs.
    pub(super) fn claim_ports(&mut self, count: usize) -> Result<Vec<u16>, Error> {
        Ok(self.ask("claim ports", &json!({"command": "claim-ports", "ports": count}))?.ports)
    }

    /// Starts programs and waits until all of them are ready; they end with it.
    pub(super) fn run(&mut self, programs: &[Run]) -> Result<(), Error> {
        self.ask("run programs", &json!({"command": "run", "programs": programs})).map(drop)
    }

    fn ask(&mut self, order: &'static str, request: &Value) -> Result<Answer, Error> {
        let line = format!("{request}\n");
        let sent = self.orders.as_mut().is_some_and(|pipe| pipe.write_all(line.as_bytes()).is_ok());
        let answer: Option<Answer> = if sent { self.read_line() } else { None };
        match answer {
            Some(answer) if answer.ok => {
                self.pids.apiserver = answer.apiserver;
                Ok(answer)
            }
            Some(answer) => Err(Error::Order { order, told: answer.error }),
            None => Err(Error::Gone { told: self.told() }),
        }
    }

    /// The next line, if there is one and it is what we expect: the two
    /// programs are of one checkout, so anything else is a supervisor that died.
    fn read_line<T: for<'a> Deserialize<'a>>(&mut self) -> Option<T> {
        let mut line = String::new();
        self.answers.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }

    /// Ends it, if it has not ended, and gives what it complained of.
    fn told(&mut self) -> String {
        drop(self.orders.take());
        let mut told = String::new();
        // What cannot be read is as good as not said: the error is told anyway.
        let _ = self.complaints.read_to_string(&mut told);
        told.trim_end().to_owned()
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        drop(self.orders.take());
        // It may have been killed already, which is as good.
        let _ = self.child.wait();
    }
}
