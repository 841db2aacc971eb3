//! Groups of nodes: those of a pool that are in one and the same state (update-status-api.md, 5.3).
//!
//! Every node is in exactly one group, so the counts add up to the nodes; what a group is called does not depend on who
//! is in it. How much of a group is told is left to `publish`.

mod natural;
mod reason;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use headway_api::report::{Phase, Truth, Unit};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

pub use self::natural::{compare, shared_suffix};
pub use self::reason::normalized;

/// The reason of nodes that are as they should be.
pub const AS_EXPECTED: &str = "AsExpected";

/// The reason of a group that was put together because there were too many.
pub const OTHER: &str = "Other";

/// Nodes of one pool in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'r> {
    /// Where they are on the way.
    pub phase: Phase,
    /// Whether they are in service, or out of it only for the update; unknown where they differ.
    pub available: Truth,
    /// Whether they cannot be given their configuration; unknown where they differ.
    pub degraded: Truth,
    /// The version they run, where it is known and the same.
    pub version: Option<&'r str>,
    /// Why they are not as they should be, in a word.
    pub reason: &'r str,
    /// What there is to say of the first of them; may be empty.
    pub message: &'r str,
    /// The nodes, in the natural order of their names; never none.
    pub members: Vec<&'r Unit>,
    /// What tells the group from others in the same phase, of the same availability.
    detail: String,
}

impl Group<'_> {
    /// The identity of the group within its pool: at most [`KEY`] characters that a DNS label may have, and dots.
    #[must_use]
    pub fn key(&self) -> String {
        let mut key = phase_word(self.phase).to_owned();
        for (truth, bad, word) in
            [(self.available, Truth::False, "-unavailable"), (self.degraded, Truth::True, "-degraded")]
        {
            if truth == bad {
                key.push_str(word);
            }
        }
        if self.reason == OTHER {
            return key + "-other";
        }
        match self.version {
            Some(version) if version.len() <= VERSION_IN_KEY => key = format!("{key}-{version}"),
            // Told by the digest.
            Some(_) => {}
            None => key.push_str("-no-version"),
        }
        if self.detail.is_empty() { key } else { format!("{key}-{}", digest(&self.detail)) }
    }

    /// Whether there is nothing to say of its nodes but that they wait or are done.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        let rests = matches!(self.phase, Phase::Pending | Phase::Paused | Phase::Updated);
        rests && self.available == Truth::True && self.degraded == Truth::False
    }
}

/// The longest key of a group.
pub const KEY: usize = 63;

/// A longer version is told by its digest: phase, words and digest leave this much room.
const VERSION_IN_KEY: usize = 20;

fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Draining => "draining",
        Phase::Updating => "updating",
        Phase::Rebooting => "rebooting",
        Phase::Provisioning => "provisioning",
        Phase::Deleting => "deleting",
        Phase::Paused => "paused",
        Phase::Pending => "pending",
        Phase::Updated => "completed",
        Phase::Unknown => "unknown",
    }
}

fn digest(text: &str) -> String {
    Sha256::digest(text).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

/// Puts the nodes of one pool into at most `most` groups: the worst first, then by phase, then the largest.
///
/// Where there are too many groups, the smallest are put together with others of their phase, availability and
/// degradation, and if that is not enough of their phase alone. So there are never fewer than the phases that occur.
#[must_use]
pub fn groups(units: &[Unit], most: usize) -> Vec<Group<'_>> {
    let mut sorted: Vec<&Unit> = units.iter().collect();
    sorted.sort_by(|a, b| compare(&a.name, &b.name));
    let mut by_state: BTreeMap<State<'_>, Group<'_>> = BTreeMap::new();
    for unit in sorted {
        let state = State::of(unit);
        let group = by_state.entry(state.clone()).or_insert_with(|| state.found(unit));
        group.members.push(unit);
    }
    let all: Vec<Group<'_>> = by_state.into_values().collect();
    let mut all = fit(all, most);
    all.sort_by_cached_key(rank);
    all
}

fn fit(all: Vec<Group<'_>>, most: usize) -> Vec<Group<'_>> {
    if all.len() <= most {
        return all;
    }
    let alike = merge(all.clone(), most, |group| (group.phase, Some((group.available as u8, group.degraded as u8))));
    // Begun anew, so that of one phase there is one group of others.
    if alike.len() <= most { alike } else { merge(all, most, |group| (group.phase, None)) }
}

/// What must be equal for two nodes to be in one group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State<'r> {
    phase: Phase,
    unavailable: bool,
    degraded: bool,
    version: Option<&'r str>,
    reason: &'r str,
    message: String,
}

/// Reasons that are equal for so many bytes are the same: what follows is output of commands.
const HEAD: usize = 1_024;

fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(HEAD)).unwrap_or(text)
}

impl<'r> State<'r> {
    fn of(unit: &'r Unit) -> Self {
        let unavailable = unit.available.status == Truth::False;
        let degraded = unit.degraded.status == Truth::True;
        let reason = match (degraded, unavailable) {
            (true, _) => unit.degraded.reason.as_str(),
            (false, true) => unit.available.reason.as_str(),
            (false, false) => AS_EXPECTED,
        };
        Self {
            phase: unit.phase,
            unavailable,
            degraded,
            version: unit.version.as_deref(),
            reason,
            message: normalized(head(&unit.message), &unit.name),
        }
    }

    /// A group of nodes in this state, without members yet.
    fn found(self, first: &'r Unit) -> Group<'r> {
        let long_version = self.version.filter(|version| version.len() > VERSION_IN_KEY).unwrap_or_default();
        let is_plain = self.reason == AS_EXPECTED && self.message.is_empty() && long_version.is_empty();
        let detail = if is_plain { String::new() } else { [long_version, self.reason, &self.message].join("\u{0}") };
        Group {
            phase: self.phase,
            available: if self.unavailable { Truth::False } else { Truth::True },
            degraded: if self.degraded { Truth::True } else { Truth::False },
            version: self.version,
            reason: self.reason,
            message: &first.message,
            members: Vec::new(),
            detail,
        }
    }
}

/// What groups have in common that may be put together.
type Likeness = (Phase, Option<(u8, u8)>);

/// Puts the smallest groups together with others that are like them, until there are at most `most`, or no more to put
/// together.
fn merge<'r>(mut all: Vec<Group<'r>>, most: usize, likeness: impl Fn(&Group<'r>) -> Likeness) -> Vec<Group<'r>> {
    // The largest first; of equals the worse first, for that one keeps its own line.
    all.sort_by_cached_key(|group| (Reverse(group.members.len()), rank(group)));
    let mut merged: BTreeMap<Likeness, Group<'r>> = BTreeMap::new();
    while all.len() + merged.len() > most {
        let Some(smallest) = all.pop() else {
            break;
        };
        match merged.remove(&likeness(&smallest)) {
            Some(others) => {
                let both = join(others, smallest);
                merged.insert(likeness(&both), both);
            }
            None => {
                let key = likeness(&smallest);
                merged.insert(key, Group { reason: OTHER, message: "", detail: String::new(), ..smallest });
            }
        }
    }
    for group in merged.values_mut() {
        group.members.sort_by(|a, b| compare(&a.name, &b.name));
    }
    all.extend(merged.into_values());
    all
}

/// Two groups as one, of which only that is told what holds for both. The members are put in order by who joins all.
fn join<'r>(one: Group<'r>, other: Group<'r>) -> Group<'r> {
    let same = |a: Truth, b: Truth| if a == b { a } else { Truth::Unknown };
    let mut members = one.members;
    members.extend(other.members);
    Group {
        phase: one.phase,
        available: same(one.available, other.available),
        degraded: same(one.degraded, other.degraded),
        version: one.version.filter(|version| other.version == Some(version)),
        reason: OTHER,
        message: "",
        members,
        detail: String::new(),
    }
}

/// The order in which groups are told.
fn rank(group: &Group<'_>) -> (u8, Phase, Reverse<usize>, String) {
    let trouble = match (group.degraded, group.available) {
        (Truth::True, _) => 0,
        (Truth::Unknown, _) | (_, Truth::Unknown) => 1,
        (Truth::False, Truth::False) => 2,
        (Truth::False, Truth::True) => 3,
    };
    (trouble, group.phase, Reverse(group.members.len()), group.key())
}

/// A node that is longer than this in a phase in which something is done to it is worth a look.
const LONG: SignedDuration = SignedDuration::from_mins(30);

/// Whether a node is worth an insight of its own: degraded, out of service, or on the way for long.
#[must_use]
pub fn is_exceptional(unit: &Unit, now: Timestamp) -> bool {
    let long = unit.since.is_some_and(|since| now.duration_since(since) > LONG);
    unit.degraded.status == Truth::True || unit.available.status == Truth::False || (unit.phase.moves() && long)
}

#[cfg(test)]
mod tests;
