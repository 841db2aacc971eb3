//! Calls as lines on standard output.
//!
//! A thread writes them: a pager that stands still must not hold up answers.

use std::io;
use std::thread;

use headway_api::hooks::{Hook, LifecycleResponse, Response, UpgradeStep, Verdict};
use headway_core::extension::rehearsal::{Call, Origin};
use jiff::{Timestamp, Unit};
use tokio::sync::{mpsc, oneshot};

use crate::failure::Failure;
use crate::{output, render};

/// A call and its answer.
pub(super) struct Told<'a> {
    pub(super) hook: Hook,
    /// `None` where there was nothing to be read of it.
    pub(super) call: Option<Call<'a>>,
    pub(super) response: &'a Response,
    /// `None` where the answer is a failure of the extension itself.
    pub(super) origin: Option<&'a Origin>,
}

/// Where lines go.
pub(super) struct Lines(mpsc::UnboundedSender<String>);

/// Begins to print. The receiver tells when that ends: with the last of the `Lines`, or when nobody reads any more.
pub(super) fn print() -> io::Result<(Lines, oneshot::Receiver<Result<(), Failure>>)> {
    let (lines, mut told) = mpsc::unbounded_channel::<String>();
    let (ended, end) = oneshot::channel();
    thread::Builder::new().name("lines".to_owned()).spawn(move || {
        let mut written = Ok(());
        while written.is_ok()
            && let Some(line) = told.blocking_recv()
        {
            written = output::write(line.as_bytes());
        }
        // Nobody waits for it when the process ends.
        let _ = ended.send(written);
    })?;
    Ok((Lines(lines), end))
}

impl Lines {
    /// Has a call printed.
    pub(super) fn tell(&self, told: &Told<'_>, at: Timestamp) {
        // A printer that ended has ended the program too.
        let _ = self.0.send(line(told, at));
    }
}

/// When, which hook, which cluster, which versions, what was answered, and where that comes from.
fn line(told: &Told<'_>, at: Timestamp) -> String {
    let Told { hook, call, response, origin } = told;
    let mut words = vec![at.round(Unit::Second).unwrap_or(at).to_string(), hook.to_string()];
    if let Some(call) = call {
        let cluster = call.cluster().object();
        let (namespace, name) = (cluster.namespace().unwrap_or("?"), cluster.name().unwrap_or("?"));
        words.push(format!("{namespace}/{name}"));
        let versions = call.versions();
        words.extend((!versions.is_empty()).then(|| versions.join(" to ")));
    }
    words.push(answered(response));
    words.extend(origin.map(|origin| match origin {
        Origin::Key(key) => format!("[{key}]"),
        Origin::Settings => "[settings]".to_owned(),
        Origin::Planned => "[planned]".to_owned(),
    }));
    format!("{}\n", render::line(&words.join("  ")))
}

fn answered(response: &Response) -> String {
    match response {
        Response::Lifecycle(response) => gate(response),
        Response::GenerateUpgradePlan(response) => match response.upgrades() {
            Ok((control_plane, workers)) => {
                format!("Success: control plane {}; workers {}", steps(control_plane), steps(workers))
            }
            Err(failed) => failure(&failed.message),
        },
        Response::Failure(failed) => failure(&failed.reason()),
        Response::Discovery(_)
        | Response::CanUpdateMachine(_)
        | Response::CanUpdateMachineSet(_)
        | Response::UpdateMachine(_) => response.status().to_string(),
    }
}

fn gate(response: &LifecycleResponse) -> String {
    let with = |start: String, message: &str| if message.is_empty() { start } else { format!("{start}: {message}") };
    match response.verdict() {
        Ok(Verdict::Go { message }) => with("Success".to_owned(), &message),
        Ok(Verdict::Wait { asked, message, .. }) => with(format!("Success, blocks for {asked} s"), &message),
        Err(failed) => failure(&failed.message),
    }
}

fn failure(reason: &str) -> String {
    if reason.is_empty() { "Failure".to_owned() } else { format!("Failure: {reason}") }
}

fn steps(steps: &[UpgradeStep]) -> String {
    if steps.is_empty() {
        return "none".to_owned();
    }
    steps.iter().map(|step| step.version.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use headway_api::hooks::{Failure as Failed, GenerateUpgradePlanResponse, Lifecycle, Request};
    use serde_json::{Value, json};

    use super::*;

    fn check(hook: Hook, change: Value, answer: Value, origin: Option<Origin>, expect: &str) {
        let mut body = json!({
            "cluster": {"metadata": {"name": "c1", "namespace": "ns1"}},
            "fromKubernetesVersion": "v1.30.0", "toKubernetesVersion": "v1.31.0", "kubernetesVersion": "v1.31.0",
            "fromControlPlaneKubernetesVersion": "v1.30.0",
        });
        for (field, value) in change.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
        let request = Request::read(hook, body.to_string().as_bytes()).unwrap();
        let answer = answer.to_string();
        let response = match hook {
            Hook::Lifecycle(hook) => Response::Lifecycle(LifecycleResponse::read(hook, answer.as_bytes()).unwrap()),
            _ => Response::GenerateUpgradePlan(GenerateUpgradePlanResponse::read(answer.as_bytes()).unwrap()),
        };
        let told = Told { hook, call: Call::of(&request), response: &response, origin: origin.as_ref() };
        let at = "2026-11-30T01:02:03.7Z".parse().unwrap();
        assert_eq!(line(&told, at), format!("2026-11-30T01:02:04Z  {expect}\n"));
    }

    #[test]
    fn ch_8_1_each_call_is_a_line() {
        let gate = Hook::Lifecycle(Lifecycle::BeforeWorkersUpgrade);
        let start = "BeforeWorkersUpgrade  ns1/c1  v1.30.0 to v1.31.0  ";
        let says = |rest: &str| format!("{start}{rest}");
        let go = json!({"status": "Success"});
        check(gate, json!({}), go.clone(), Some(Origin::Settings), &says("Success  [settings]"));
        let wait = json!({"status": "Success", "retryAfterSeconds": -5, "message": "a\n\u{1b}[31mb"});
        check(gate, json!({}), wait, Some(Origin::Key("k".into())), &says("Success, blocks for -5 s: a  [31mb  [k]"));
        check(gate, json!({}), json!({"status": "Failure"}), None, &says("Failure"));
        check(gate, json!({}), json!({"status": "Failure", "message": "no"}), None, &says("Failure: no"));
        let after = Hook::Lifecycle(Lifecycle::AfterClusterUpgrade);
        check(after, json!({}), go.clone(), None, "AfterClusterUpgrade  ns1/c1  v1.31.0  Success");
        let nameless = json!({"cluster": {}});
        let delete = Hook::Lifecycle(Lifecycle::BeforeClusterDelete);
        check(delete, nameless, go.clone(), None, "BeforeClusterDelete  ?/?  Success");
        let plan = json!({"status": "Success", "controlPlaneUpgrades": [{"version": "v1.31.0"}]});
        let start = "GenerateUpgradePlan  ns1/c1  v1.30.0 to v1.31.0  ";
        let expect = format!("{start}Success: control plane v1.31.0; workers none  [planned]");
        check(Hook::GenerateUpgradePlan, json!({}), plan, Some(Origin::Planned), &expect);
    }

    #[test]
    fn what_could_not_be_read_is_a_line_too() {
        let response = Failed::new(Hook::GenerateUpgradePlan, "the request broke off").into();
        let told = Told { hook: Hook::GenerateUpgradePlan, call: None, response: &response, origin: None };
        let line = line(&told, Timestamp::UNIX_EPOCH);
        assert_eq!(line, "1970-01-01T00:00:00Z  GenerateUpgradePlan  Failure: the request broke off\n");
    }
}
