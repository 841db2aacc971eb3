//! What was reached, and how often: what no walk reaches, no walk tests.

use std::collections::BTreeMap;

use headway_core::drive::Said;
use headway_sim::{Event, Moment, Mover};

#[derive(Default)]
pub(crate) struct Counts(BTreeMap<String, usize>);

/// All that the walks must reach.
const ALL: &[&str] = &[
    // Rungs of 3.3 and 3.4, by what is done on them.
    "ask AfterClusterUpgrade",
    "ask AfterControlPlaneUpgrade",
    "ask AfterWorkersUpgrade",
    "ask BeforeClusterUpgrade",
    "ask BeforeControlPlaneUpgrade",
    "ask BeforeWorkersUpgrade",
    "hold AfterClusterUpgrade",
    "hold AfterControlPlaneUpgrade",
    "hold AfterWorkersUpgrade",
    "hold BeforeClusterUpgrade",
    "hold BeforeControlPlaneUpgrade",
    "hold BeforeWorkersUpgrade",
    "move control plane",
    "move MachineDeployment",
    "move MachinePool",
    "settled",
    // What is waited for.
    "wait AnnotationBlocking",
    "wait ApprovalRequired",
    "wait ClusterUnhealthy",
    "wait ConcurrencyReached",
    "wait ControlPlaneMissing",
    "wait ControlPlaneRollingOut",
    "wait ControlPlaneSilent",
    "wait Deleting",
    "wait FieldOwnedByOther",
    "wait HealthUnknown",
    "wait LifecycleHookBlocking",
    "wait LifecycleHookFailed",
    "wait NotObserved",
    "wait Paused",
    "wait PlanRefused",
    "wait Soaking",
    "wait StageNotReached",
    "wait Stopped",
    "wait UpgradeDeferred",
    "wait VersionSkew",
    "wait WindowClosed",
    "wait WorkersRollingOut",
    // What goes wrong.
    "fault a webhook refuses",
    "fault somebody else wrote first",
    "fault the process dies before",
];

impl Counts {
    pub(crate) fn note(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    pub(crate) fn see(&mut self, moments: &[Moment]) {
        for moment in moments {
            match &moment.event {
                Event::Asked { call, said } => {
                    self.note(format!("ask {}", call.hook()));
                    if *said != Said::Go {
                        self.note(format!("hold {}", call.hook()));
                    }
                }
                Event::Moved { mover: Mover::ControlPlane, .. } => self.note("move control plane"),
                Event::Moved { mover: Mover::Group(id), .. } => self.note(format!("move {}", id.kind)),
                Event::Waiting(waits) => waits.iter().for_each(|wait| self.note(format!("wait {}", wait.reason()))),
                Event::Fault(told) => self.note(format!("fault {}", told.split(':').next().unwrap_or_default())),
                Event::Settled => self.note("settled"),
                Event::Recorded(_) | Event::Arrived { .. } => {}
            }
        }
    }

    /// Prints all counts, and fails where one that must be reached is missing.
    pub(crate) fn finish(&self, troubles: &[&str]) {
        for (what, count) in &self.0 {
            println!("{count:>9}  {what}");
        }
        let wanted =
            ALL.iter().map(|&what| what.to_owned()).chain(troubles.iter().map(|what| format!("trouble {what}")));
        let missing: Vec<String> = wanted.filter(|what| !self.0.contains_key(what)).collect();
        assert!(missing.is_empty(), "never reached: {missing:#?}");
    }
}
