//! Collecting: objects out of texts, put together into one snapshot.
//!
//! Texts are parsed side by side on all cores; what comes of them is put together in the order of the texts, so that
//! the result does not depend on which core was faster.

pub(in crate::gather) mod loss;
mod pieces;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use headway_api::gap::{Gap, GapKind};
use headway_api::prometheus::{Alert, Answer};
use headway_core::snapshot::{AlertsSeen, Snapshot};
use jiff::Timestamp;

use self::text::Object;
pub(super) use self::text::{AlertsFound, Found, parse_page, parse_text};
use super::folder::is_file;
use super::inventory::is_of_guest;
use super::recognize::Kind;
use super::source::{read_file, shown};
use super::{Duplicates, Gathered, Limits, Nothing};
use crate::object::Stats;

/// A file to read, and which kind its place or name says it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) kind: Option<Kind>,
}

/// What was collected so far.
pub(super) struct Collection {
    limits: Limits,
    snapshot: Snapshot,
    recorded_at: Option<Timestamp>,
    stats: Stats,
    /// Where each object came from, by kind and name.
    origins: BTreeMap<(Kind, String), Origin>,
    alerts: Option<Vec<Alert>>,
    why_no_alerts: Option<String>,
    files: usize,
    others: usize,
    keeps_others: bool,
}

/// Where an object came from, and where it is in its list.
struct Origin {
    place: String,
    at: usize,
}

/// From this many files on they are parsed side by side; fewer are parsed one by one, each on all cores.
const MANY: usize = 16;

/// Files that one core takes at a time: few enough that all cores end together.
pub(super) const BATCH: usize = 32;

impl Collection {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            snapshot: Snapshot::default(),
            recorded_at: None,
            stats: Stats::default(),
            origins: BTreeMap::new(),
            alerts: None,
            why_no_alerts: None,
            files: 0,
            others: 0,
            keeps_others: false,
        }
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// What was collected so far.
    pub(super) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Notes a gap.
    pub(super) fn gap(&mut self, gap: Gap) {
        self.snapshot.gaps.push(gap);
    }

    /// Notes gaps.
    pub(super) fn gaps(&mut self, gaps: Vec<Gap>) {
        self.snapshot.gaps.extend(gaps);
    }

    /// Notes that the source would hold objects of a kind if there were any.
    pub(super) fn seen(&mut self, kind: Kind) {
        let seen = &mut self.snapshot.seen;
        match kind {
            Kind::MachineConfigPool => seen.pools = true,
            Kind::MachineConfig => seen.machine_configs = true,
            Kind::Node => seen.nodes = true,
            Kind::Pod => seen.pods = true,
            Kind::PodDisruptionBudget => seen.budgets = true,
            Kind::ClusterVersion
            | Kind::ClusterOperator
            | Kind::MachineConfigNode
            | Kind::MachineOsConfig
            | Kind::MachineOsBuild
            | Kind::Deployment => {}
        }
    }

    /// Notes that there are objects of clusters that this one keeps.
    pub(super) fn keeps_others(&mut self) {
        self.keeps_others = true;
    }

    /// Whether there are such objects, and nothing that tells of the cluster itself but perhaps its nodes. A
    /// ClusterVersion in the half of a guest tells of that.
    pub(super) fn is_of_others_alone(&self) -> bool {
        let Snapshot { cluster_version, operators, pools, .. } = &self.snapshot;
        let nothing = cluster_version.is_none() && operators.is_empty() && pools.is_empty();
        let origin = self.origins.get(&(Kind::ClusterVersion, String::new()));
        self.keeps_others && (nothing || origin.is_some_and(|origin| is_of_guest(&origin.place)))
    }

    /// Says why there are no alerts, should there be none. The first reason counts.
    pub(super) fn no_alerts(&mut self, why: String) {
        self.why_no_alerts.get_or_insert(why);
    }

    /// Reads files, in their order.
    pub(super) fn read_files(&mut self, inputs: &[Input]) {
        let limits = self.limits;
        if inputs.len() < MANY {
            for Input { path, kind } in inputs {
                if let Some(found) = pieces::read(path, *kind, &limits) {
                    self.add(found);
                    continue;
                }
                match read_file(path, &limits) {
                    Ok(text) => {
                        let found = text::parse_on_all_cores(&shown(path), &text, *kind, &limits);
                        // Before its objects find their places, so that the two do not add up.
                        drop(text);
                        self.add(found);
                    }
                    Err(gap) => self.gap(gap),
                }
            }
            return;
        }
        let found = side_by_side(inputs, BATCH, |Input { path, kind }| match read_file(path, &limits) {
            Ok(text) => Ok(text::parse(&shown(path), &text, *kind, &limits)),
            Err(gap) => Err(gap),
        });
        for found in found {
            match found {
                Ok(found) => self.add(found),
                Err(gap) => self.gap(gap),
            }
        }
    }

    /// Parses texts that are in memory already. What comes of them is added later.
    pub(super) fn parse(&self, texts: &[(String, Vec<u8>, Option<Kind>)]) -> Vec<Found> {
        side_by_side(texts, 1, |(place, text, kind)| text::parse(place, text, *kind, &self.limits))
    }

    /// Reads one text.
    pub(super) fn read_text(&mut self, place: &str, text: &[u8], kind: Option<Kind>) {
        let found = text::parse_on_all_cores(place, text, kind, &self.limits);
        self.add(found);
    }

    /// Whether an answer about alerts was read.
    pub(super) fn has_alerts(&self) -> bool {
        self.alerts.is_some()
    }

    /// Reads an answer of Prometheus where a must-gather keeps it, unless a better one was read already.
    pub(super) fn alerts_of_must_gather(&mut self, path: PathBuf) {
        if is_file(&path) && !self.has_alerts() {
            self.read_files(&[Input { path, kind: None }]);
        }
    }

    /// Reads the file that says when the recording was made.
    pub(super) fn timestamp_file(&mut self, path: &Path) {
        match read_file(path, &self.limits) {
            Ok(text) => self.timestamp(&shown(path), &text),
            Err(gap) => self.gap(gap),
        }
    }

    /// Takes the time of recording out of a must-gather's `timestamp`: its last line, in the form of Go's
    /// `time.String()`. The latest of several counts.
    pub(super) fn timestamp(&mut self, place: &str, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let last = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        let words: Vec<&str> = last.split_whitespace().take(3).collect();
        match Timestamp::strptime("%Y-%m-%d %H:%M:%S%.f %z", words.join(" ")) {
            Ok(at) => self.recorded_at = self.recorded_at.max(Some(at)),
            Err(_) => self.gap(Gap::of_place(
                GapKind::Unreadable,
                place,
                "the last line is not a time such as \"2026-05-04 08:44:51 +0000 UTC\"",
            )),
        }
    }

    /// Adds what was found in a text.
    pub(super) fn add(&mut self, found: Found) {
        let Found { place, objects, answers, gaps, seen, stats, others, of_kept } = found;
        self.files += 1;
        self.keeps_others |= of_kept > 0;
        self.others += others;
        self.stats += stats;
        self.snapshot.gaps.extend(gaps);
        for kind in seen {
            self.seen(kind);
        }
        for object in objects {
            self.add_object(&place, object);
        }
        for answer in answers {
            self.add_answer(&place, answer);
        }
    }

    fn add_object(&mut self, place: &str, object: Object) {
        let kind = object.kind();
        // There is one ClusterVersion, whatever its name: a second one is as much a gap as a second `version`.
        let name = if kind == Kind::ClusterVersion { String::new() } else { object.qualified_name() };
        if kind == Kind::Deployment && !object.is_machine_config_operator() {
            return;
        }
        let key = (kind, name);
        if self.limits.duplicates == Duplicates::First
            && let Some(origin) = self.origins.get(&key)
        {
            if !object.equals(&self.snapshot, origin.at) {
                let name = object.qualified_name();
                let message = format!("is in {} too, with other content; that one counts", origin.place);
                self.snapshot.gaps.push(Gap {
                    object: format!("{}/{name}", kind.name()),
                    ..Gap::of_place(GapKind::Duplicate, place, message)
                });
            }
            return;
        }
        self.seen(kind);
        let at = object.put_into(&mut self.snapshot);
        self.origins.entry(key).or_insert_with(|| Origin { place: place.to_owned(), at });
    }

    fn add_answer(&mut self, place: &str, answer: Answer) {
        let all = match text::alerts_of(answer) {
            Ok(Some(all)) => all,
            Ok(None) => return,
            Err(why) => return self.no_alerts(format!("{place}: {why}")),
        };
        let known = self.alerts.get_or_insert_default();
        // The same alert from two answers is one alert; in one answer it is for Prometheus to say.
        let (from_others, same) =
            (known.len(), |a: &Alert, b: &Alert| a.labels == b.labels && a.active_at == b.active_at);
        for alert in all {
            if !known.iter().take(from_others).any(|other| same(other, &alert)) {
                known.push(alert);
            }
        }
    }

    /// Adds the alerts that a running cluster tells, or why it tells none.
    pub(super) fn alerts(&mut self, alerts: Result<AlertsFound, String>) {
        match alerts {
            Ok(AlertsFound { alerts, gaps }) => {
                self.gaps(gaps);
                self.alerts = Some(alerts);
            }
            Err(why) => self.no_alerts(why),
        }
    }

    /// Ends the collection of a running cluster: even one that has nothing of what is looked for was seen.
    pub(super) fn whole(self) -> Gathered {
        let Self { mut snapshot, recorded_at, stats, alerts, why_no_alerts, keeps_others, .. } = self;
        snapshot.alerts = alerts_seen(alerts, why_no_alerts);
        Gathered { snapshot, recorded_at, stats, keeps_others }
    }

    /// Ends the collection.
    pub(super) fn finish(self) -> Result<Gathered, Nothing> {
        let Self { snapshot, files, others, .. } = &self;
        let nothing = snapshot.cluster_version.is_none()
            && snapshot.operators.is_empty()
            && snapshot.pools.is_empty()
            && snapshot.nodes.is_empty();
        if nothing {
            let (files, other_objects) = (*files, *others);
            return Err(Nothing { paths: Vec::new(), files, other_objects, gaps: self.snapshot.gaps });
        }
        Ok(self.whole())
    }
}

fn alerts_seen(alerts: Option<Vec<Alert>>, why_not: Option<String>) -> AlertsSeen {
    match (alerts, why_not) {
        (Some(alerts), _) => AlertsSeen::Answer(alerts),
        (None, Some(why)) => AlertsSeen::Nothing(why),
        (None, None) => AlertsSeen::default(),
    }
}

/// Does the same with each of many inputs on all cores. The results have the order of the inputs.
pub(super) fn side_by_side<I: Sync, O: Send>(inputs: &[I], batch: usize, job: impl Fn(&I) -> O + Sync) -> Vec<O> {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores == 1 || inputs.len() <= batch {
        return inputs.iter().map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Vec<O>>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..cores.min(inputs.len().div_ceil(batch)) {
            scope.spawn(|| {
                loop {
                    let start = next.fetch_add(batch, Ordering::Relaxed);
                    let Some(own) = inputs.get(start..inputs.len().min(start + batch)) else {
                        break;
                    };
                    if own.is_empty() {
                        break;
                    }
                    let results: Vec<O> = own.iter().map(&job).collect();
                    // A job that panics ends the whole; the map itself is whole at all times.
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(start, results);
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.into_values().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_results_is_that_of_the_inputs() {
        let inputs: Vec<usize> = (0..1_000).collect();
        let check = |batch: usize| {
            let results = side_by_side(&inputs, batch, |input| input * 2);
            assert_eq!(results, inputs.iter().map(|input| input * 2).collect::<Vec<_>>(), "{batch}");
        };
        check(1);
        check(7);
        check(1_000);
        check(5_000);
    }

    #[test]
    fn the_time_of_recording_is_the_last_line() {
        let check = |text: &str, expect: Option<&str>| {
            let mut all = Collection::new(Limits::default());
            all.timestamp("timestamp", text.as_bytes());
            assert_eq!(all.recorded_at, expect.map(|text| text.parse().unwrap()), "{text:?}");
            assert_eq!(all.snapshot.gaps.is_empty(), expect.is_some(), "{text:?}");
        };
        check(
            "2026-05-04 08:40:03.000000000 +0000 UTC m=+0.1\n2026-05-04 08:44:51.5 +0200 CEST m=+288.1\n\n",
            Some("2026-05-04T06:44:51.5Z"),
        );
        check("2026-05-04 08:40:03 +0000 UTC", Some("2026-05-04T08:40:03Z"));
        check("", None);
        check("soon", None);
    }
}
