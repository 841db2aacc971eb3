//! One etcd with one API server, for as long as a test wants it.

mod cluster_api;
mod supervisor;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use crate::cluster_api::ClusterApiError;
use crate::crds;
use crate::environment::{Environment, EnvironmentError};
use crate::options::Options;
use crate::programs::{Program, Programs, ProgramsError};
use supervisor::{Order, Ready, Supervisor};
pub use supervisor::{Pids, Serving};

/// A plane could not be started, or did not do what it was told.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The environment does not say where to look.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// A program is not there.
    #[error(transparent)]
    Programs(#[from] ProgramsError),
    /// What we know of Cluster API is not there.
    #[error(transparent)]
    ClusterApi(#[from] ClusterApiError),
    /// No folder for the plane's files.
    #[error("cannot make a folder for the test plane")]
    Folder(#[source] io::Error),
    /// A program is there and does not start.
    #[error("cannot run {}", path.display())]
    Run {
        /// The program.
        path: PathBuf,
        /// Why not.
        #[source]
        cause: io::Error,
    },
    /// The plane did not come up.
    #[error("the test plane did not start:\n{told}")]
    Start {
        /// What the supervisor wrote to standard error.
        told: String,
    },
    /// The supervisor is gone.
    #[error("the supervisor of the test plane is gone; it said:\n{told}")]
    Gone {
        /// What it wrote to standard error.
        told: String,
    },
    /// The supervisor could not do it.
    #[error("the test plane failed to {order}: {told}")]
    Order {
        /// What was asked of it.
        order: &'static str,
        /// Why it could not.
        told: String,
    },
    /// kubectl or helm ended with a failure.
    #[error("`{line}` ended with {status}:\n{told}")]
    Failed {
        /// The command as it would be typed.
        line: String,
        /// How it ended.
        status: ExitStatus,
        /// What it wrote to standard error.
        told: String,
    },
    /// A file of the plane cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        cause: io::Error,
    },
}

/// How often kubectl is asked to wait, and how long we wait in between.
const TRIES: usize = 20;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(100);

/// A running etcd and kube-apiserver on loopback, empty when it starts.
///
/// Guarantees: RBAC is on; the audit log has every request; nothing of it is
/// left when the value is dropped or the process ends, even by SIGKILL.
///
/// Caveats: no controller runs. A line of the audit log may come a moment
/// after the answer that it is about.
#[derive(Debug)]
pub struct Plane {
    programs: Programs,
    // Before the folder: it is dropped first and stops what writes there.
    supervisor: Mutex<Supervisor>,
    ready: Ready,
    folder: TempDir,
}

impl Plane {
    /// Starts one and waits until it is ready: four seconds.
    ///
    /// Where the programs are, the environment says: `HEADWAY_TESTENV`,
    /// `KUBEBUILDER_ASSETS`, else the cache of `cargo xtask env build`.
    pub fn start() -> Result<Self, Error> {
        Self::start_with(&Options::default())
    }

    /// Starts one that differs from the usual.
    pub fn start_with(options: &Options) -> Result<Self, Error> {
        Self::start_from(Programs::find(Environment::read()?)?, options)
    }

    /// Starts one of these programs.
    pub fn start_from(programs: Programs, options: &Options) -> Result<Self, Error> {
        let folder = new_folder(programs.environment()).map_err(Error::Folder)?;
        let (supervisor, ready) = Supervisor::start(&programs, options, folder.path())?;
        Ok(Self { programs, supervisor: Mutex::new(supervisor), ready, folder })
    }

    /// A kubeconfig that may do everything.
    #[must_use]
    pub fn kubeconfig(&self) -> &Path {
        &self.ready.kubeconfig
    }

    /// The URL of the API server; it stays the same over restarts.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.ready.server
    }

    /// The certificate that the API server's certificate is signed with, as PEM.
    #[must_use]
    pub fn authority(&self) -> &Path {
        &self.ready.authority
    }

    /// The log of all requests: one `audit.k8s.io/v1` Event in JSON a line.
    #[must_use]
    pub fn audit_log(&self) -> &Path {
        &self.ready.audit_log
    }

    /// Its processes; a restart changes the API server's.
    #[must_use]
    pub fn pids(&self) -> Pids {
        self.supervisor().pids()
    }

    /// A certificate for a server on 127.0.0.1 or localhost, signed by an
    /// authority that is not the API server's: for a server of the test's own.
    #[must_use]
    pub fn serving(&self) -> &Serving {
        &self.ready.other
    }

    /// How long it took from the start to ready.
    #[must_use]
    pub fn started_in(&self) -> std::time::Duration {
        std::time::Duration::from_millis(self.ready.started_in_milliseconds)
    }

    /// Ends the API server in good order: watches are closed, connections refused.
    pub fn stop_apiserver(&self) -> Result<(), Error> {
        self.order(Order::StopApiserver)
    }

    /// Ends the API server as a crash does.
    pub fn kill_apiserver(&self) -> Result<(), Error> {
        self.order(Order::KillApiserver)
    }

    /// Starts it again at the same URL and waits until it is ready.
    pub fn start_apiserver(&self) -> Result<(), Error> {
        self.order(Order::StartApiserver)
    }

    /// Stops and starts it.
    pub fn restart_apiserver(&self) -> Result<(), Error> {
        self.order(Order::RestartApiserver)
    }

    /// The API server takes connections and answers nothing.
    pub fn pause_apiserver(&self) -> Result<(), Error> {
        self.order(Order::PauseApiserver)
    }

    /// It goes on where it was paused.
    pub fn resume_apiserver(&self) -> Result<(), Error> {
        self.order(Order::ResumeApiserver)
    }

    /// The API server runs and waits for its store.
    pub fn pause_etcd(&self) -> Result<(), Error> {
        self.order(Order::PauseEtcd)
    }

    /// The store goes on where it was paused.
    pub fn resume_etcd(&self) -> Result<(), Error> {
        self.order(Order::ResumeEtcd)
    }

    /// Forgets the history of all objects.
    ///
    /// Caveats: the API server keeps recent events of its own. A watch from an
    /// old `resourceVersion` is told 410 Gone only when the server was
    /// restarted too, or was started with `--watch-cache=false`.
    pub fn compact(&self) -> Result<(), Error> {
        self.order(Order::Compact)
    }

    /// Stops it now and waits until nothing of it runs; dropping does the same.
    pub fn stop(self) {
        drop(self);
    }

    /// Runs our kubectl as the user who may do everything.
    pub fn kubectl<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<Output, Error> {
        output(self.kubectl_command().args(arguments), b"")
    }

    /// Runs kubectl, takes no failure, and gives what it wrote.
    pub fn kubectl_text<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<String, Error> {
        text(self.kubectl_command().args(arguments), b"")
    }

    /// Applies objects, YAML or JSON, from the server's side.
    pub fn apply(&self, objects: &str) -> Result<(), Error> {
        let arguments = ["apply", "--server-side", "--force-conflicts", "--filename", "-"];
        text(self.kubectl_command().args(arguments), objects.as_bytes()).map(drop)
    }

    /// Lets the API server serve the kinds of OpenShift and HyperShift that
    /// Headway reads and those of monitoring that its chart makes, and waits
    /// until it does.
    ///
    /// Caveats: any fields are taken. Status is a resource of its own, as it
    /// is there: an object that is applied leaves its status behind, which
    /// `kubectl apply --subresource=status` then brings.
    pub fn apply_foreign_crds(&self) -> Result<(), Error> {
        self.apply_crds(&crds::foreign())
    }

    /// Applies definitions of kinds, and waits until they are served.
    pub fn apply_crds(&self, definitions: &str) -> Result<(), Error> {
        self.apply(definitions)?;
        let arguments = ["wait", "--for=condition=Established", "--timeout=60s", "--filename", "-"];
        // kubectl gives up at once on a definition that has no conditions yet, which it may be for a moment.
        let mut tries = 0;
        loop {
            let waited = text(self.kubectl_command().args(arguments), definitions.as_bytes());
            tries += 1;
            if waited.is_ok() || tries == TRIES {
                return waited.map(drop);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// kubectl in a sealed world: only this plane, no one's configuration.
    #[must_use]
    pub fn kubectl_command(&self) -> Command {
        self.client(Program::Kubectl)
    }

    /// Runs our helm as the user who may do everything.
    pub fn helm<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<Output, Error> {
        output(self.helm_command().args(arguments), b"")
    }

    /// Runs helm, takes no failure, and gives what it wrote.
    pub fn helm_text<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<String, Error> {
        text(self.helm_command().args(arguments), b"")
    }

    /// helm in a sealed world.
    #[must_use]
    pub fn helm_command(&self) -> Command {
        self.client(Program::Helm)
    }

    /// A kubeconfig of a ServiceAccount, with a token that the API server made
    /// for it. The account must be there.
    pub fn account_kubeconfig(&self, namespace: &str, account: &str) -> Result<PathBuf, Error> {
        let token = self.kubectl_text(&["create", "token", account, "--namespace", namespace])?;
        let path = self.folder.path().join(format!("{namespace}-{account}.kubeconfig"));
        self.write_kubeconfig(&path, serde_json::json!({"token": token.trim()}))?;
        Ok(path)
    }

    /// A kubeconfig of somebody whom the API server does not know.
    pub fn anonymous_kubeconfig(&self) -> Result<PathBuf, Error> {
        let path = self.folder.path().join("anonymous.kubeconfig");
        // No API server reads these, but kubectl asks on the terminal for a
        // name when it is given none.
        self.write_kubeconfig(&path, serde_json::json!({"username": "nobody", "password": "none"}))?;
        Ok(path)
    }

    /// JSON is YAML, so every client reads it.
    fn write_kubeconfig(&self, path: &Path, user: serde_json::Value) -> Result<(), Error> {
        let config = serde_json::json!({
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{
                "name": "testenv",
                "cluster": {"server": self.server(), "certificate-authority": self.authority()},
            }],
            "users": [{"name": "user", "user": user}],
            "contexts": [{"name": "testenv", "context": {"cluster": "testenv", "user": "user"}}],
            "current-context": "testenv",
        });
        std::fs::write(path, config.to_string()).map_err(|cause| Error::Write { path: path.into(), cause })
    }

    fn client(&self, program: Program) -> Command {
        let mut command = Command::new(self.programs.path(program));
        let home = self.folder.path().join("home");
        command
            .env_clear()
            .env("KUBECONFIG", self.kubeconfig())
            // Both keep caches and settings there.
            .env("HOME", home)
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn order(&self, order: Order) -> Result<(), Error> {
        self.supervisor().obey(order)
    }

    /// A test that panicked in the middle of an order has left no half answer
    /// that the next one could take for its own: both are whole lines.
    fn supervisor(&self) -> MutexGuard<'_, Supervisor> {
        self.supervisor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the plane writes; it goes with the plane, unless the environment says
/// where to keep it.
fn new_folder(environment: &Environment) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("headway-testenv-");
    match &environment.keep {
        None => builder.tempdir(),
        Some(keep) => {
            std::fs::create_dir_all(keep)?;
            builder.disable_cleanup(true).tempdir_in(keep)
        }
    }
}

/// Runs it with this on standard input.
fn output(command: &mut Command, input: &[u8]) -> Result<Output, Error> {
    let path = PathBuf::from(command.get_program());
    let run = |cause| Error::Run { path, cause };
    if input.is_empty() {
        return command.output().map_err(run);
    }
    let start = |command: &mut Command| {
        let mut child = command.stdin(Stdio::piped()).spawn()?;
        let pipe = child.stdin.take();
        // Beside the reading: a program that answers before it has read all
        // of its input would wait for us, and we for it.
        std::thread::scope(|scope| {
            let writing = scope.spawn(move || pipe.map_or(Ok(()), |mut pipe| pipe.write_all(input)));
            let output = child.wait_with_output();
            match writing.join() {
                // It ended before it had read everything; its status tells why.
                Ok(Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
                _ => output,
            }
        })
    };
    start(command).map_err(run)
}

fn text(command: &mut Command, input: &[u8]) -> Result<String, Error> {
    let ran = output(command, input)?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    let line = words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    Err(Error::Failed { line, status: ran.status, told: String::from_utf8_lossy(&ran.stderr).trim_end().to_owned() })
}
