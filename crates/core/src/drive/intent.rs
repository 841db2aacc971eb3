//! What is still to be asked: recorded before the write that makes it due, with the version that it is for.
//!
//! An intent whose write was never done is not due, since the control plane is not at its version: the next try takes
//! it over, or it falls away when the plan goes another way (chained-upgrades.md, 10-7).

use std::collections::BTreeMap;
use std::fmt;

use headway_api::hooks::Lifecycle;
use headway_api::plan::WorkerGroup;

use crate::version::KubeVersion;

/// A hook that is to be asked, and for which version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// The hook.
    pub hook: Lifecycle,
    /// The version of the control plane at which it is asked; of the upgrade as a whole, the target.
    pub version: KubeVersion,
    /// Where the control plane was when the upgrade was announced; only of the upgrade as a whole, and only until
    /// workers move beside it. As long as it is still there, nothing has moved.
    pub from: Option<KubeVersion>,
    /// The groups that move in a step of the workers, as they were when it began; only of
    /// [`Lifecycle::AfterWorkersUpgrade`]. What the plan says later does not change a step that has begun.
    pub groups: Vec<WorkerGroup>,
}

impl Intent {
    /// Of one step, in which no groups move.
    fn of_step(hook: Lifecycle, version: &KubeVersion) -> Self {
        Self { hook, version: version.clone(), from: None, groups: Vec::new() }
    }
}

/// The hooks that are to be asked, at most one intent for each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Intents(BTreeMap<Lifecycle, Intent>);

impl Intents {
    /// The intent of a hook.
    #[must_use]
    pub fn get(&self, hook: Lifecycle) -> Option<&Intent> {
        self.0.get(&hook)
    }

    /// The intent of a hook, if it is for this version.
    #[must_use]
    pub fn at(&self, hook: Lifecycle, version: &KubeVersion) -> Option<&Intent> {
        self.get(hook).filter(|intent| intent.version == *version)
    }

    /// Records an intent, in the place of an earlier one of the same hook.
    pub fn record(&mut self, intent: Intent) {
        self.0.insert(intent.hook, intent);
    }

    /// Records that a step of the control plane is over, to be asked when it is.
    pub(super) fn control_plane_moves(&mut self, version: &KubeVersion) {
        self.record(Intent::of_step(Lifecycle::AfterControlPlaneUpgrade, version));
    }

    /// Records what is to be asked before and after a step of the workers, in which these groups move.
    pub(super) fn groups_move(&mut self, version: &KubeVersion, groups: Vec<WorkerGroup>) {
        self.record(Intent::of_step(Lifecycle::BeforeWorkersUpgrade, version));
        self.record(Intent { groups, ..Intent::of_step(Lifecycle::AfterWorkersUpgrade, version) });
    }

    /// Takes note that a step of the workers need not be asked about any more.
    pub(super) fn groups_done(&mut self) {
        self.done(Lifecycle::BeforeWorkersUpgrade);
        self.done(Lifecycle::AfterWorkersUpgrade);
    }

    /// Takes note that workers move: the upgrade cannot be taken back any more.
    pub(super) fn workers_move(&mut self) {
        if let Some(intent) = self.0.get_mut(&Lifecycle::AfterClusterUpgrade) {
            intent.from = None;
        }
    }

    /// Takes note that a hook need not be asked any more.
    pub fn done(&mut self, hook: Lifecycle) {
        self.0.remove(&hook);
    }

    /// Whether nothing is to be asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in the order in which the hooks are asked.
    pub fn iter(&self) -> impl Iterator<Item = &Intent> {
        self.0.values()
    }
}

impl FromIterator<Intent> for Intents {
    fn from_iter<T: IntoIterator<Item = Intent>>(intents: T) -> Self {
        let mut all = Self::default();
        intents.into_iter().for_each(|intent| all.record(intent));
        all
    }
}

/// As people read them: `AfterControlPlaneUpgrade@v1.31.0`, one after the other.
impl fmt::Display for Intents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing");
        }
        for (at, Intent { hook, version, .. }) in self.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{hook}@{version}")?;
        }
        Ok(())
    }
}
