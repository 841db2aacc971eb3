//! Walking an upgrade over a real cluster of Cluster API: what was seen comes in, what is decided is done.
//!
//! One [`Driver`] serves any number of clusters; [`Driver::turn`] goes as far with one of them as it leads without
//! anything having to happen meanwhile. What it does is safe to be done again: what is to be asked is stored before the
//! write that makes it due, a write says what it expects to find, and where that is not so nothing is changed.

mod ask;
mod objects;
mod record;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use headway_api::hooks::LifecycleCall;
use headway_api::plan::{PlanSource, WorkerGroup};
use headway_api::report::Report;
use headway_api::upgrade::ClusterUpgrade;
use headway_api::upgrade::status::Mode;
use headway_core::drive::{
    self, Account, Answers, Change, Decision, Effect, Happening, Hooks, Observed, PlanFrom, Planned, Refusal, Said,
    Sighting, Wait, WaitingOn,
};
use headway_core::plan::Source;
use headway_core::preview::Inventory;
use jiff::{SignedDuration, Timestamp};
use kube::Client;
use kube::core::ApiResource;

use crate::gather::live::Clock;
use crate::hook_client::HookClient;

pub use self::objects::WriteError;

/// The field manager of the versions and of the status (design, section 8).
pub const FIELD_MANAGER: &str = "headway-drive";

/// So often at most it is decided within one turn: each time a hook answered, and there are eight of them for each step.
const ROUNDS: usize = 24;

/// How far something is, is written no more often than this.
const PROGRESS: SignedDuration = SignedDuration::from_secs(10);

/// After a write that failed it is tried again so much later, and twice as much after each further failure.
const FIRST_PAUSE: SignedDuration = SignedDuration::from_secs(1);

/// But not after more than this.
const LAST_PAUSE: SignedDuration = SignedDuration::from_mins(5);

/// Walks upgrades.
pub struct Driver {
    client: Client,
    hooks: Arc<HookClient>,
    clock: Clock,
    /// How control planes are served, by group and kind.
    resources: Mutex<BTreeMap<(String, String), ApiResource>>,
}

/// What was seen of one cluster.
#[derive(Debug, Clone)]
pub struct Seen {
    /// What is asked for, as it was read or written last.
    pub upgrade: ClusterUpgrade,
    /// The cluster and what belongs to it.
    pub inventory: Inventory,
    /// How it does; `None` where nobody could tell.
    pub report: Option<Report>,
    /// Another ClusterUpgrade of the same cluster that came first.
    pub rival: Option<String>,
}

/// What is remembered of one cluster from turn to turn. Whoever forgets it asks hooks again and looks up again who keeps
/// what; nothing worse.
#[derive(Debug, Clone, Default)]
pub struct Remembered {
    answers: Answers,
    /// Who keeps the versions, by name: at which generation that was looked up, and who, if anybody.
    owners: BTreeMap<String, (Option<i64>, Option<String>)>,
    /// A write that failed.
    hindered: Option<Hindered>,
    /// How often in a row each hook failed.
    failures: BTreeMap<headway_api::hooks::Lifecycle, u32>,
    /// When the status was written last.
    wrote: Option<Timestamp>,
    /// How often in a row it could not be.
    unwritten: u32,
}

/// A write that failed.
#[derive(Debug, Clone)]
struct Hindered {
    wait: Wait,
    /// Which.
    name: String,
    /// How often in a row.
    times: u32,
}

/// What came of a turn.
#[derive(Debug, Clone)]
pub struct Turned {
    /// What is asked for, with the status as it stands now.
    pub upgrade: ClusterUpgrade,
    /// What was decided last; `None` where what is asked for is not walked.
    pub decision: Option<Decision>,
    /// What was asked, and what was said.
    pub asked: Vec<(LifecycleCall, Said)>,
    /// What was moved: until that is seen, there is nothing to decide.
    pub moved: Vec<Moved>,
    /// What happened, for events.
    pub happenings: Vec<Happening>,
    /// How often the status was written.
    pub writes: usize,
    /// When to look again though nothing changes.
    pub next: Option<Timestamp>,
    /// What went wrong with a write of the status, if anything.
    pub trouble: Option<String>,
}

/// Something that was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The group; `None` for the control plane.
    pub group: Option<WorkerGroup>,
    /// The name of the object.
    pub name: String,
    /// Its generation since then.
    pub generation: Option<i64>,
}

/// What came of a round.
enum Round {
    /// Something was answered or learned: decide again.
    Again,
    /// There is nothing more to do now.
    Over,
}

impl Driver {
    /// One that reaches objects through this client, and extensions through that one.
    #[must_use]
    pub fn new(client: Client, hooks: Arc<HookClient>, clock: Clock) -> Self {
        Self { client, hooks, clock, resources: Mutex::default() }
    }

    /// Goes on with a cluster as far as it leads now.
    pub async fn turn(&self, seen: Seen, remembered: &mut Remembered) -> Turned {
        let mut turned = Turned {
            upgrade: seen.upgrade.clone(),
            decision: None,
            asked: Vec::new(),
            moved: Vec::new(),
            happenings: Vec::new(),
            writes: 0,
            next: None,
            trouble: None,
        };
        let mut inventory = seen.inventory;
        for _ in 0..ROUNDS {
            inventory.moment.at = (self.clock)();
            let now = inventory.moment.at;
            let sight =
                Sight { inventory: &inventory, report: seen.report.as_ref(), rival: seen.rival.as_deref(), now };
            match self.round(&sight, &mut turned, remembered).await {
                Ok(Round::Again) => {}
                Ok(Round::Over) => return turned,
                Err(refusal) => {
                    let status = drive::refused(&turned.upgrade, &refusal, now);
                    turned.decision = None;
                    self.write_if_changed(&mut turned, remembered, status, now).await;
                    return turned;
                }
            }
        }
        // It is gone on with at once.
        turned.next = Some(inventory.moment.at);
        turned
    }

    async fn round(
        &self,
        sight: &Sight<'_>,
        turned: &mut Turned,
        remembered: &mut Remembered,
    ) -> Result<Round, Refusal> {
        let now = sight.now;
        let mut observed = self.observe(sight, turned, remembered)?;
        let source = self.plan(sight, &turned.upgrade, &mut observed).await?;
        let decision = drive::decide(&observed);
        remembered.answers.settle(&decision);
        if self.learn_owners(sight, &turned.upgrade, (&observed, &decision), remembered).await {
            return Ok(Round::Again);
        }
        let waiting = remembered.hindered.as_ref().filter(|hindered| {
            let is_due = |effect: &Effect| mover_name(effect, &observed).as_deref() == Some(&hindered.name);
            decision.effects.iter().any(is_due)
        });
        let status = drive::status(Account {
            upgrade: &turned.upgrade,
            mode: Mode::Direct,
            observed: &observed,
            decision: &decision,
            source: &source,
            hindered: waiting.map(|hindered| &hindered.wait),
        });
        if waiting.is_none() {
            remembered.hindered = None;
        }
        turned.next = decision.next;
        let effects = decision.effects.clone();
        turned.decision = Some(decision);
        let changes = |effect: &Effect| !matches!(effect, Effect::Ask(_));
        let is_held = |wait: &Wait| wait.until.is_some_and(|until| until > now);
        if let Some(hindered) = remembered.hindered.as_ref().filter(|hindered| is_held(&hindered.wait)) {
            turned.next = [turned.next, hindered.wait.until].into_iter().flatten().min();
            self.write_if_changed(turned, remembered, status, now).await;
            return Ok(Round::Over);
        }
        if effects.iter().any(changes) && !self.write_news(turned, remembered, status.clone(), now).await {
            // What could not be stored must not be begun.
            return Ok(Round::Over);
        }
        let mut asked = false;
        for effect in &effects {
            match effect {
                // It is part of the status, which was written.
                Effect::Record { .. } => {}
                Effect::Ask(call) => {
                    asked = true;
                    let said = self.ask(sight, &turned.upgrade, call, remembered).await;
                    turned.asked.push((call.clone(), said));
                }
                Effect::MoveControlPlane { .. } | Effect::MoveGroup { .. } => {
                    match self.move_version(sight, &turned.upgrade, effect).await {
                        Ok(moved) => turned.moved.push(moved),
                        Err(error) => {
                            let name = mover_name(effect, &observed).unwrap_or_default();
                            let again = remembered.hinder(name, &error, now);
                            turned.next = [turned.next, again].into_iter().flatten().min();
                            // It is told at the next round, which does nothing else.
                            return Ok(Round::Again);
                        }
                    }
                }
            }
        }
        if asked {
            return Ok(Round::Again);
        }
        if turned.moved.is_empty() {
            self.write_if_changed(turned, remembered, status, now).await;
        }
        Ok(Round::Over)
    }

    /// What is known now.
    fn observe(&self, sight: &Sight<'_>, turned: &Turned, remembered: &Remembered) -> Result<Observed, Refusal> {
        let upgrade = &turned.upgrade;
        let owners: BTreeMap<String, String> =
            remembered.owners.iter().filter_map(|(name, (_, owner))| Some((name.clone(), owner.clone()?))).collect();
        let hooks = Hooks {
            answered: self.hooks.answered(sight.namespace_labels(upgrade).as_ref()),
            answers: remembered.answers.clone(),
        };
        let sighting =
            Sighting { upgrade, inventory: sight.inventory, report: sight.report, owners: &owners, rival: sight.rival };
        drive::observe(&sighting, hooks)
    }

    /// Makes the plan. Answers who named its versions.
    async fn plan(
        &self,
        sight: &Sight<'_>,
        upgrade: &ClusterUpgrade,
        observed: &mut Observed,
    ) -> Result<PlanSource, Refusal> {
        let last = drive::last_plan(upgrade);
        let situation = observed.situation();
        let source = match drive::plan_from(upgrade)? {
            PlanFrom::OneMinor => Source::OneMinor,
            PlanFrom::List(list) => Source::VersionList(list),
            PlanFrom::Extension(name) => {
                let made = self.ask_for_plan(sight, upgrade, &name, &situation).await;
                observed.planned = Planned::made(made, &situation, last.as_ref());
                return Ok(PlanSource::Extension { name });
            }
        };
        observed.planned = Planned::of(&situation, &source, last.as_ref());
        Ok(source.name())
    }

    /// Writes the status where that is not to wait.
    async fn write_if_changed(
        &self,
        turned: &mut Turned,
        remembered: &mut Remembered,
        status: headway_api::upgrade::status::ClusterUpgradeStatus,
        now: Timestamp,
    ) {
        match drive::change(turned.upgrade.status.as_ref(), &status) {
            Change::Nothing => {}
            Change::News => {
                self.write_news(turned, remembered, status, now).await;
            }
            Change::Progress => {
                let due = remembered.wrote.map_or(now, |wrote| wrote.saturating_add(PROGRESS).unwrap_or(now));
                if due <= now {
                    self.write_news(turned, remembered, status, now).await;
                } else {
                    turned.next = Some(turned.next.map_or(due, |next| next.min(due)));
                }
            }
        }
    }

    /// Writes the status if it says anything new. Answers whether it stands.
    async fn write_news(
        &self,
        turned: &mut Turned,
        remembered: &mut Remembered,
        status: headway_api::upgrade::status::ClusterUpgradeStatus,
        now: Timestamp,
    ) -> bool {
        if drive::change(turned.upgrade.status.as_ref(), &status) == Change::Nothing {
            return true;
        }
        match self.record(&turned.upgrade, &status).await {
            Ok(written) => {
                turned.happenings.extend(drive::happenings(turned.upgrade.status.as_ref(), &status));
                turned.upgrade = written;
                turned.writes += 1;
                remembered.wrote = Some(now);
                remembered.unwritten = 0;
                true
            }
            Err(why) => {
                turned.trouble = Some(why);
                turned.next = now.saturating_add(pause(remembered.unwritten)).ok();
                remembered.unwritten = remembered.unwritten.saturating_add(1);
                false
            }
        }
    }
}

/// What is looked at in one round.
struct Sight<'a> {
    inventory: &'a Inventory,
    report: Option<&'a Report>,
    rival: Option<&'a str>,
    now: Timestamp,
}

impl Remembered {
    /// Takes note that a write failed. Answers when it is tried again.
    fn hinder(&mut self, name: String, error: &WriteError, now: Timestamp) -> Option<Timestamp> {
        let before = self.hindered.take().filter(|hindered| hindered.name == name);
        let times = before.as_ref().map_or(0, |hindered| hindered.times);
        let until = now.saturating_add(pause(times)).ok();
        let since = before.and_then(|hindered| hindered.wait.since).or(Some(now));
        let on = WaitingOn::WriteFailed { name: name.clone(), why: error.told() };
        self.hindered = Some(Hindered { wait: Wait { on, since, until }, name, times: times + 1 });
        until
    }
}

/// How long to wait after so many failures before.
fn pause(times: u32) -> SignedDuration {
    let factor = 1_i32.checked_shl(times.min(16)).unwrap_or(i32::MAX);
    FIRST_PAUSE.checked_mul(factor).unwrap_or(LAST_PAUSE).min(LAST_PAUSE)
}

/// Whom an effect moves, as people name it.
fn mover_name(effect: &Effect, observed: &Observed) -> Option<String> {
    match effect {
        Effect::MoveControlPlane { .. } => {
            observed.control_plane.as_ref().map(|control_plane| control_plane.name.clone())
        }
        Effect::MoveGroup { group, .. } => Some(group.to_string()),
        Effect::Record { .. } | Effect::Ask(_) => None,
    }
}
