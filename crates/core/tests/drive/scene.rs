//! A cluster to decide about, and a decision in lines.

use std::collections::BTreeSet;

use headway_api::hooks::{Lifecycle, LifecycleCall};
use headway_api::plan::{GroupKind, Plan, WorkerGroup};
use headway_core::drive::{
    Answers, Concurrency, ControlPlane, Decision, Deferral, Effect, Gates, Group, Intent, Intents, Observed, Planned,
    Said, Standing, decide,
};
use headway_core::plan::{Course, ListOrigin, Source, VersionList};
use headway_core::version::KubeVersion;
use jiff::{SignedDuration, Timestamp};

pub(crate) fn version(text: &str) -> KubeVersion {
    text.parse().unwrap()
}

pub(crate) fn now() -> Timestamp {
    "2026-05-04T12:00:00Z".parse().unwrap()
}

/// A cluster, with who names its versions.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) observed: Observed,
    pub(crate) source: Source,
    pub(crate) last: Option<Plan>,
}

impl Scene {
    /// A cluster whose control plane stands at `at` and is to go to `target`, one minor after the other from .0 to .0.
    pub(crate) fn new(at: &str, target: &str) -> Self {
        let (from, to) = (version(at), version(target));
        let minors = from.minor().minor..=to.minor().minor;
        let mut versions: Vec<String> = minors.map(|minor| format!("v1.{minor}.0")).collect();
        versions.retain(|text| version(text).compare_numbers(&to).is_lt());
        versions.push(target.to_owned());
        Self {
            observed: Observed {
                now: now(),
                target: to,
                halt: None,
                stop: None,
                control_plane: Some(ControlPlane {
                    name: "KubeadmControlPlane/cp".into(),
                    version: from,
                    standing: Standing::Settled,
                    owner: None,
                }),
                groups: Vec::new(),
                concurrency: Concurrency::default(),
                stages: Vec::new(),
                gates: Gates::default(),
                forbidding: Vec::new(),
                planned: Planned::default(),
                intents: Intents::default(),
                answered: BTreeSet::new(),
                answers: Answers::default(),
            },
            source: Source::VersionList(VersionList { origin: ListOrigin::Given, versions }),
            last: None,
        }
    }

    pub(crate) fn list(mut self, versions: &[&str]) -> Self {
        let versions = versions.iter().map(|&text| text.to_owned()).collect();
        self.source = Source::VersionList(VersionList { origin: ListOrigin::Given, versions });
        self
    }

    pub(crate) fn source(mut self, source: Source) -> Self {
        self.source = source;
        self
    }

    pub(crate) fn standing(mut self, standing: Standing) -> Self {
        self.observed.control_plane.as_mut().unwrap().standing = standing;
        self
    }

    /// A MachineDeployment.
    pub(crate) fn pool(self, name: &str, at: &str) -> Self {
        self.group(GroupKind::MachineDeployment, name, at)
    }

    pub(crate) fn group(mut self, kind: GroupKind, name: &str, at: &str) -> Self {
        self.observed.groups.push(Group {
            id: WorkerGroup { kind, name: name.into() },
            version: version(at),
            standing: Standing::Settled,
            oldest: Some(version(at)),
            course: Course::Follows,
            deferral: None,
            owner: None,
        });
        self
    }

    /// Changes the group that was added last.
    pub(crate) fn which(mut self, change: impl FnOnce(&mut Group)) -> Self {
        change(self.observed.groups.last_mut().unwrap());
        self
    }

    pub(crate) fn rolls(self) -> Self {
        self.which(|group| group.standing = Standing::Rolling("1 of 2 machines".into()))
    }

    pub(crate) fn deferred(self) -> Self {
        self.which(|group| group.deferral = Some(Deferral::Own("topology.cluster.x-k8s.io/defer-upgrade".into())))
    }

    pub(crate) fn leaves(self) -> Self {
        self.which(|group| group.course = Course::Leaving)
    }

    /// Somebody answers all hooks.
    pub(crate) fn with_hooks(mut self) -> Self {
        self.observed.answered = Lifecycle::OF_UPGRADE.into();
        self
    }

    pub(crate) fn intent(mut self, hook: Lifecycle, at: &str) -> Self {
        let is_upgrade = hook == Lifecycle::AfterClusterUpgrade;
        let from = is_upgrade.then(|| version("v1.29.0"));
        self.observed.intents.record(Intent { hook, version: version(at), from, groups: Vec::new() });
        self
    }

    /// Those that are recorded before a step of the control plane, and of the workers with it where there are any.
    pub(crate) fn begun(self, at: &str, target: &str, groups: &[&str]) -> Self {
        let mut scene =
            self.intent(Lifecycle::AfterClusterUpgrade, target).intent(Lifecycle::AfterControlPlaneUpgrade, at);
        if !groups.is_empty() {
            scene = scene.intent(Lifecycle::BeforeWorkersUpgrade, at);
            let named = |name: &&str| WorkerGroup { kind: GroupKind::MachineDeployment, name: (*name).into() };
            scene.observed.intents.record(Intent {
                hook: Lifecycle::AfterWorkersUpgrade,
                version: version(at),
                from: None,
                groups: groups.iter().map(named).collect(),
            });
        }
        scene
    }

    pub(crate) fn observed(&self) -> Observed {
        let mut observed = self.observed.clone();
        observed.planned = Planned::of(&observed.situation(), &self.source, self.last.as_ref());
        observed
    }

    pub(crate) fn decide(&self) -> Decision {
        decide(&self.observed())
    }

    /// What is decided when the hooks say this: each of the calls is answered as long as one is asked.
    pub(crate) fn answering(&self, say: impl Fn(Lifecycle) -> Said) -> (Vec<LifecycleCall>, Decision) {
        let mut scene = self.clone();
        let mut calls = Vec::new();
        loop {
            let decision = scene.decide();
            let asked = decision.effects.iter().find_map(|effect| match effect {
                Effect::Ask(call) => Some(call.clone()),
                _ => None,
            });
            let Some(call) = asked else { return (calls, decision) };
            for effect in &decision.effects {
                if let Effect::Record { after, .. } = effect {
                    scene.observed.intents = after.clone();
                }
            }
            scene.observed.answers.hear(&call, say(call.hook()));
            calls.push(call);
            assert!(calls.len() < 20, "asked without end: {calls:?}");
        }
    }
}

pub(crate) fn wait(message: &str) -> Said {
    let until = now().checked_add(SignedDuration::from_secs(30)).unwrap();
    Said::Wait { since: now(), until, message: message.into() }
}

pub(crate) fn failed(message: &str) -> Said {
    let until = now().checked_add(SignedDuration::from_secs(10)).unwrap();
    Said::Failed { since: now(), until, message: message.into() }
}

/// A decision in lines: what is done, and after a colon what is waited for.
pub(crate) fn lines(decision: &Decision) -> String {
    let effects = decision.effects.iter().map(|effect| format!("do {effect}"));
    let waits = decision.waiting_on.iter().map(|wait| format!("wait: {}", wait.on));
    effects.chain(waits).collect::<Vec<_>>().join("\n")
}

pub(crate) fn check(scene: Scene, expect: &str) {
    let told = lines(&scene.decide());
    let expect: Vec<&str> = expect.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(told, expect.join("\n"));
}
