//! The observer: who watches. Messages of informers in, at any moment a report out, with all that memory adds.
//!
//! The one way for both who watch: `headway status --watch` and the operator. Time comes in with every call.

use std::collections::BTreeSet;

use headway_api::insight::{Insight, Rule};
use headway_api::report::{ClockSource, Phase, Report};
use jiff::{SignedDuration, Timestamp};

use crate::assess::{self, Look, Rules};
use crate::inform::{Informer, Msg, Source, Store, Timing};
use crate::memory::Memory;
use crate::snapshot::{AlertsSeen, Moment, Snapshot};

/// A clock that goes back by less is one that is being adjusted; nobody's threshold is that fine.
const STEP: SignedDuration = SignedDuration::from_secs(2);

/// Who watches.
#[derive(Debug, Clone, Default)]
pub struct Observer {
    store: Store,
    memory: Memory,
    stepped: Option<Stepped>,
}

/// The clock was set back.
#[derive(Debug, Clone)]
struct Stepped {
    /// What it said before.
    from: Timestamp,
    /// The insights that were there.
    pinned: BTreeSet<String>,
}

/// What was seen at one look.
#[derive(Debug, Clone)]
pub struct Sight {
    /// The report.
    pub report: Report,
    /// When to look again if nothing is told until then.
    pub next: Option<Timestamp>,
    /// How far each informer can be trusted.
    pub informers: Vec<Informer>,
    /// Essential sources that have not yet said what is there: until they have, the report says less than there is.
    pub awaited: Vec<Source>,
    /// Rules whose sources have not told anything yet: that they find nothing says nothing.
    pub blind: Vec<Rule>,
    /// Sources that a status can do without, and that have told neither what is there nor why they cannot.
    pub pending: Vec<Source>,
}

impl Observer {
    /// One that remembers.
    #[must_use]
    pub fn new(timing: Timing, memory: Memory) -> Self {
        Self { store: Store::new(timing), memory, stepped: None }
    }

    /// Takes a message in. Answers whether any fact changed by it.
    pub fn apply(&mut self, msg: Msg) -> bool {
        self.store.apply(msg)
    }

    /// What is remembered, to be stored.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The essential sources that have not yet said what is there.
    #[must_use]
    pub fn awaited(&self) -> Vec<Source> {
        self.store.awaited()
    }

    /// Takes over what another observer remembers, who has told of it: what began earlier counts, and the higher count.
    pub fn adopt(&mut self, memory: Memory) {
        self.memory.adopt(memory);
    }

    /// Looks at all that is known.
    pub fn look(&mut self, now: Timestamp) -> Sight {
        self.store.expire(now);
        self.notice_step(now);
        let mut snapshot = self.store.snapshot(Moment { at: now, source: ClockSource::Now });
        let awaited = self.store.awaited();
        // What is not read yet has not gone: a look at half of it is nothing to remember.
        let is_whole = awaited.is_empty();
        if is_whole {
            self.memory.observe(&snapshot);
        }
        snapshot.memory = std::mem::take(&mut self.memory);
        let mut look = assess::look(&snapshot, Rules::Headway);
        if let Some(stepped) = &self.stepped {
            keep_pinned(&mut look, &mut snapshot, stepped);
        }
        self.memory = std::mem::take(&mut snapshot.memory);
        let blind = blind(&snapshot, &look.report);
        if is_whole {
            self.memory.remember(&mut look, &blind);
        }
        let next = [look.next, self.store.next_deadline(now)].into_iter().flatten().min();
        let pending = self.store.pending(is_draining(&look.report));
        Sight { report: look.report, next, informers: self.store.informers(now), awaited, blind, pending }
    }

    /// Takes note when the clock is behind what it said at the last look: us_s57.
    fn notice_step(&mut self, now: Timestamp) {
        if self.stepped.as_ref().is_some_and(|stepped| now >= stepped.from) {
            self.stepped = None;
        }
        let Some(before) = self.memory.looked_at else {
            return;
        };
        if before.duration_since(now) > STEP && self.stepped.is_none() {
            self.stepped = Some(Stepped { from: before, pinned: self.memory.insights.keys().cloned().collect() });
        }
    }
}

/// The rules that cannot find anything, because what they look at was not told yet.
fn blind(snapshot: &Snapshot, report: &Report) -> Vec<Rule> {
    let no_pods = is_draining(report) && !(snapshot.seen.pods && snapshot.seen.budgets);
    let no_alerts = matches!(snapshot.alerts, AlertsSeen::Nothing(_));
    let rules = [(no_pods, Rule::DrainBlocked), (no_alerts, Rule::Alert)];
    rules.into_iter().filter(|(is_blind, _)| *is_blind).map(|(_, rule)| rule).collect()
}

fn is_draining(report: &Report) -> bool {
    report.units.iter().any(|unit| unit.phase == Phase::Draining)
}

/// After the clock was set back, the sources' times lie ahead of it, and what they make late would seem to be early
/// again. What was found before stays while it would still be found by the clock as it was.
fn keep_pinned(look: &mut Look, snapshot: &mut Snapshot, stepped: &Stepped) {
    let now = std::mem::replace(&mut snapshot.moment.at, stepped.from);
    let as_it_was = assess::look(snapshot, Rules::Headway).report.insights;
    snapshot.moment.at = now;
    let insights = &mut look.report.insights;
    let found: BTreeSet<String> = insights.iter().map(|insight| insight.uid.clone()).collect();
    let is_kept = |insight: &Insight| stepped.pinned.contains(&insight.uid) && !found.contains(&insight.uid);
    insights.extend(as_it_was.into_iter().filter(is_kept));
    assess::sort(insights);
}
