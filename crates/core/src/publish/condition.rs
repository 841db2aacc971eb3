//! The conditions of a status: what clients wait for, and what kstatus, Flux and Argo CD read.

use headway_api::report::{Activity, Assessment, Condition, Outcome, Report, Truth};
use headway_api::update::condition::{self, Conditions, kind};

use super::level::Level;
use super::{Dropped, Scene, Writer, carry, summary};

/// All conditions of a status.
pub(super) fn conditions(scene: &Scene<'_>, level: Level, dropped: &Dropped) -> Conditions {
    let report = scene.report();
    let before = scene.source.past.map(|past| &past.conditions);
    let writer = scene.source.writer;
    let all = [
        (kind::UPDATING, &summary::updating(report)),
        (kind::HEALTHY, &summary::healthy(report)),
        (kind::AVAILABLE, &writer.available),
        (kind::DEGRADED, &writer.degraded),
        (kind::TRUNCATED, &truncated(level, dropped)),
        (kind::READY, &ready(report, writer)),
        (kind::RECONCILING, &reconciling(report)),
        (kind::STALLED, &stalled(report)),
    ];
    all.into_iter()
        .map(|(kind, told)| {
            let told = carry::condition(scene, kind, told, None, before);
            condition::Condition {
                observed_generation: Some(writer.generation).filter(|generation| *generation >= 0),
                ..told
            }
        })
        .collect()
}

fn told(status: Truth, reason: &str, message: String) -> Condition {
    Condition { status, reason: reason.into(), message, since: None }
}

fn truncated(level: Level, dropped: &Dropped) -> Condition {
    if level > Level::FULL {
        let what = [format!("{level} leaves out {}", level.meaning()), dropped.told()];
        let message = what.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(": ");
        told(Truth::True, "SizeBudget", message)
    } else if *dropped != Dropped::default() {
        told(Truth::True, "Limits", format!("there is no room for {}", dropped.told()))
    } else {
        told(Truth::False, "Complete", String::new())
    }
}

/// Whether the cluster is where it is to be, and well. Who does not see everything cannot say that it is.
fn ready(report: &Report, writer: &Writer<'_>) -> Condition {
    let blind = [(&writer.available, Truth::True), (&writer.degraded, Truth::False)]
        .into_iter()
        .find(|(condition, good)| condition.status != *good);
    let why = stands(report);
    match (report.outcome, report.activity) {
        (Outcome::Failing, _) => told(Truth::False, "Failing", why),
        (Outcome::CannotTell, _) | (_, Activity::Unknown) => told(Truth::Unknown, "CannotTell", why),
        (_, Activity::Updating) => told(Truth::False, "Updating", why),
        (Outcome::NotUpdating, Activity::NotUpdating) => match blind {
            Some((condition, _)) => told(Truth::Unknown, "NotObserved", condition.message.clone()),
            None => told(Truth::True, "UpToDate", why),
        },
        (Outcome::Updating | Outcome::NeedsAttention, Activity::NotUpdating) => {
            told(Truth::False, "NeedsAttention", why)
        }
    }
}

/// Whether the cluster is on its way and gets there by itself. kstatus takes this and `Stalled` for opposites, so that
/// an update which does not go on is not on its way.
fn reconciling(report: &Report) -> Condition {
    let why = stands(report);
    match report.activity {
        _ if is_stalled(report) => told(Truth::False, "Stalled", why),
        Activity::NotUpdating => told(Truth::False, "NotUpdating", String::new()),
        Activity::Unknown => told(Truth::Unknown, "CannotTell", why),
        Activity::Updating if report.cluster.updating.reason == ACCEPTED => told(Truth::True, ACCEPTED, why),
        Activity::Updating if is_held(report) => told(Truth::True, "Held", why),
        Activity::Updating => told(Truth::True, "Progressing", why),
    }
}

/// The reason of an update that was asked for and has not begun.
const ACCEPTED: &str = "Accepted";

/// Whether nothing moves although something is left to do: somebody or something has to let it go on first.
fn is_held(report: &Report) -> bool {
    let moves = |condition: &Condition| condition.status != Truth::False;
    !moves(&report.cluster.updating) && !report.pools.iter().any(|pool| moves(&pool.updating))
}

/// Whether the update is stalled or failing.
fn stalled(report: &Report) -> Condition {
    if is_stalled(report) {
        let reason = if report.cluster.assessment == Assessment::Stalled { "Stalled" } else { "Failing" };
        return told(Truth::True, reason, stands(report));
    }
    match report.outcome {
        Outcome::CannotTell => told(Truth::Unknown, "CannotTell", String::new()),
        Outcome::NotUpdating | Outcome::Updating | Outcome::NeedsAttention | Outcome::Failing => {
            told(Truth::False, "AsExpected", String::new())
        }
    }
}

fn is_stalled(report: &Report) -> bool {
    let over = report.activity == Activity::NotUpdating;
    report.outcome == Outcome::Failing || (report.cluster.assessment == Assessment::Stalled && !over)
}

/// How it stands, in one line: the worst that is wrong, else what it waits on, else what is said of the control plane.
fn stands(report: &Report) -> String {
    if let Some(worst) = summary::trouble(report) {
        return worst.summary.clone();
    }
    let waits = summary::waiting_on(report);
    waits.unwrap_or_else(|| report.cluster.updating.message.lines().next().unwrap_or_default().to_owned())
}
