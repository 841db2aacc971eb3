//! The operator, which keeps what `--source=api` tells: its binary, beside ours, with its clock at one moment.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use headway_api::update::GROUP;
use http::Request;
use kube::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::command::root;
use super::world::{World, client, send};

/// The kinds of ours that `--source=api` reads.
const KINDS: [&str; 2] = ["updatestatuses", "poolupdatestatuses"];

/// Machines that build at the same time are slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running operator; dropping it kills it.
pub(super) struct Operator {
    child: Child,
    at: String,
    folder: TempDir,
}

/// Lets the plane serve our kinds.
pub(super) fn install(world: &World) {
    let definitions = KINDS.map(|plural| root().join(format!("deploy/crds/{plural}.{GROUP}.yaml")));
    let definitions = definitions.map(|path| fs::read_to_string(path).unwrap());
    world.plane.apply_crds(&definitions.join("---\n")).unwrap();
}

/// Takes away what an operator wrote.
pub(super) fn forget(world: &World) {
    run(async {
        let client = client(world.plane.kubeconfig()).await;
        for plural in KINDS {
            send(&client, "DELETE", &place(plural), "application/json", &json!({})).await;
        }
    });
}

impl Operator {
    /// Starts one whose clock says this, and that has nothing to remember.
    pub(super) fn start(world: &World, at: &str, more: &[&str]) -> Self {
        let program = program();
        let folder = tempfile::tempdir().unwrap();
        let clock = folder.path().join("now");
        fs::write(&clock, at).unwrap();
        let log = File::create(folder.path().join("log")).unwrap();
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let child = Command::new(program)
            .env_clear()
            .args(["--kubeconfig", world.plane.kubeconfig().to_str().unwrap()])
            .args(["--clock-file", clock.to_str().unwrap()])
            .args(["--listen", &address.to_string(), "--leader-elect=false", "--log-format=text"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Self { child, at: at.to_owned(), folder }
    }

    /// Waits until it has written of so many nodes, each in one of the details of pools, and the status beside them.
    pub(super) fn has_told(&self, world: &World, nodes: usize) {
        let begun = Instant::now();
        let mut last = String::new();
        run(async {
            let client = client(world.plane.kubeconfig()).await;
            while begun.elapsed() < PATIENCE {
                let status = get(&client, &format!("{}/cluster", place(KINDS[0]))).await;
                let details = get(&client, &place(KINDS[1])).await;
                let observed = status["status"]["observed"]["at"].as_str();
                let rows = details["items"].as_array().into_iter().flatten();
                let rows: usize = rows.map(|shard| shard["status"]["nodes"].as_array().map_or(0, Vec::len)).sum();
                if observed == Some(&self.at) && rows == nodes {
                    return;
                }
                last = format!("observed at {observed:?}, {rows} nodes");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            panic!("{} and {nodes} nodes expected, {last}:\n{}", self.at, self.log());
        });
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Cargo gives a test the programs of its own package alone; that of another lies beside them.
fn program() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_headway")).with_file_name("headway-operator");
    let path = program.display();
    assert!(program.exists(), "there is no {path}: `cargo build -p headway-operator` builds it");
    program
}

fn place(plural: &str) -> String {
    format!("/apis/{GROUP}/v1alpha1/{plural}")
}

/// An object or a list; null where there is none yet.
async fn get(client: &Client, path: &str) -> Value {
    match client.request::<Value>(Request::get(path).body(Vec::new()).unwrap()).await {
        Ok(found) => found,
        Err(kube::Error::Api(status)) if status.code == 404 => Value::Null,
        Err(error) => panic!("{path}: {error}"),
    }
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}
