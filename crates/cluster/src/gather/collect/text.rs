//! One text: the objects and answers in it, and what could not be read.

use std::borrow::Cow;
use std::sync::Arc;

use headway_api::apps::{Deployment, Pod, PodDisruptionBudget};
use headway_api::gap::{Gap, GapKind};
use headway_api::machine_config::{
    MachineConfig, MachineConfigNode, MachineConfigPool, MachineOsBuild, MachineOsConfig,
};
use headway_api::node::Node;
use headway_api::openshift::{ClusterOperator, ClusterVersion};
use headway_api::prometheus::{Alert, Answer};
use headway_core::inform::{Fact, Uid};
use headway_core::snapshot::Snapshot;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::Limits;
use super::super::live::Known;
use super::super::recognize::{Kind, Recognized, is_of_kept_cluster, recognize};
use super::loss::look_for_loss;
use super::side_by_side;
use crate::object::{self, Problem, RawObject, Stats};

/// What came of one text.
pub(in crate::gather) struct Found {
    pub(super) place: String,
    pub(super) objects: Vec<Object>,
    pub(super) answers: Vec<Answer>,
    pub(super) gaps: Vec<Gap>,
    pub(super) seen: Vec<Kind>,
    pub(super) stats: Stats,
    /// Objects of kinds that say nothing about an update.
    pub(super) others: usize,
    /// How many of those belong to clusters that this one keeps.
    pub(super) of_kept: usize,
}

impl Found {
    /// Whether nothing was wrong.
    pub(super) fn is_clean(&self) -> bool {
        self.gaps.is_empty()
    }

    /// The objects as what is known of them.
    pub(in crate::gather) fn into_known(self) -> impl Iterator<Item = (Uid, Known)> {
        let Self { objects, gaps, .. } = self;
        objects.into_iter().map(move |object| {
            let name = object.qualified_name();
            let told = format!("{}/{name}", object.kind().name());
            let flaws = gaps.iter().filter(|gap| gap.object == told).cloned().collect();
            (name, Known { fact: object.into_fact(), flaws })
        })
    }

    /// The alerts of what is taken for an answer about them.
    ///
    /// # Errors
    /// It is none, or says that something went wrong.
    pub(in crate::gather) fn into_alerts(self) -> Result<AlertsFound, String> {
        let Self { answers, gaps, .. } = self;
        if answers.is_empty() {
            return Err("the answer is not one of Prometheus".into());
        }
        let mut alerts = Vec::new();
        for answer in answers {
            alerts.extend(alerts_of(answer)?.unwrap_or_default());
        }
        Ok(AlertsFound { alerts, gaps })
    }

    /// The names of the objects, in their order.
    #[cfg(test)]
    pub(in crate::gather) fn names(&self) -> impl Iterator<Item = String> {
        self.objects.iter().map(Object::qualified_name)
    }
}

/// Alerts, and what of them could not be read.
pub(in crate::gather) struct AlertsFound {
    pub(in crate::gather) alerts: Vec<Alert>,
    pub(in crate::gather) gaps: Vec<Gap>,
}

/// The alerts of an answer of either kind; `None` when it holds no data.
///
/// # Errors
/// What Prometheus says went wrong.
pub(super) fn alerts_of(answer: Answer) -> Result<Option<Vec<Alert>>, String> {
    let Answer { status, error, data } = answer;
    if status == "error" {
        return Err(format!("Prometheus answered with an error: {error}"));
    }
    let Some(data) = data else { return Ok(None) };
    let mut all = data.alerts.unwrap_or_default();
    for rule in data.groups.into_iter().flatten().flat_map(|group| group.rules) {
        let wait = jiff::SignedDuration::try_from_secs_f64(rule.duration).unwrap_or_default();
        all.extend(
            rule.alerts
                .into_iter()
                .map(|alert| Alert { firing_since: alert.active_at.and_then(|at| at.checked_add(wait).ok()), ..alert }),
        );
    }
    Ok(Some(all))
}

/// What came of two parts of one text.
pub(super) fn joined(mut first: Found, second: Found) -> Found {
    let Found { place: _, objects, answers, gaps, seen, stats, others, of_kept } = second;
    first.objects.extend(objects);
    first.answers.extend(answers);
    first.gaps.extend(gaps);
    first.seen.extend(seen);
    first.stats += stats;
    first.others += others;
    first.of_kept += of_kept;
    first
}

/// An object of a kind that is read. The large ones are boxed, so that a list of them moves cheaply.
pub(super) enum Object {
    ClusterVersion(Box<ClusterVersion>),
    ClusterOperator(Box<ClusterOperator>),
    MachineConfigPool(Box<MachineConfigPool>),
    MachineConfig(MachineConfig),
    MachineConfigNode(Arc<MachineConfigNode>),
    MachineOsConfig(Box<MachineOsConfig>),
    MachineOsBuild(Box<MachineOsBuild>),
    Node(Arc<Node>),
    Deployment(Box<Deployment>),
    Pod(Arc<Pod>),
    PodDisruptionBudget(Arc<PodDisruptionBudget>),
}

impl Object {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::ClusterVersion(_) => Kind::ClusterVersion,
            Self::ClusterOperator(_) => Kind::ClusterOperator,
            Self::MachineConfigPool(_) => Kind::MachineConfigPool,
            Self::MachineConfig(_) => Kind::MachineConfig,
            Self::MachineConfigNode(_) => Kind::MachineConfigNode,
            Self::MachineOsConfig(_) => Kind::MachineOsConfig,
            Self::MachineOsBuild(_) => Kind::MachineOsBuild,
            Self::Node(_) => Kind::Node,
            Self::Deployment(_) => Kind::Deployment,
            Self::Pod(_) => Kind::Pod,
            Self::PodDisruptionBudget(_) => Kind::PodDisruptionBudget,
        }
    }

    /// `namespace/name`, or the name of a cluster-scoped object.
    pub(super) fn qualified_name(&self) -> String {
        let (namespace, name) = match self {
            Self::ClusterVersion(o) => ("", &o.metadata.name),
            Self::ClusterOperator(o) => ("", &o.metadata.name),
            Self::MachineConfigPool(o) => ("", &o.metadata.name),
            Self::MachineConfig(o) => ("", &o.metadata.name),
            Self::MachineConfigNode(o) => ("", &o.metadata.name),
            Self::MachineOsConfig(o) => ("", &o.metadata.name),
            Self::MachineOsBuild(o) => ("", &o.metadata.name),
            Self::Node(o) => ("", &o.metadata.name),
            Self::Deployment(o) => (o.metadata.namespace.as_str(), &o.metadata.name),
            Self::Pod(o) => (o.metadata.namespace.as_str(), &o.metadata.name),
            Self::PodDisruptionBudget(o) => (o.metadata.namespace.as_str(), &o.metadata.name),
        };
        if namespace.is_empty() { name.clone() } else { format!("{namespace}/{name}") }
    }

    /// Whether a Deployment is the one that is read.
    pub(super) fn is_machine_config_operator(&self) -> bool {
        matches!(self, Self::Deployment(o) if o.metadata.name == "machine-config-operator"
            && matches!(o.metadata.namespace.as_str(), "openshift-machine-config-operator" | ""))
    }

    /// Whether the object is the same as the one of its kind at a position of the snapshot.
    pub(super) fn equals(&self, snapshot: &Snapshot, at: usize) -> bool {
        match self {
            Self::ClusterVersion(o) => snapshot.cluster_version.as_ref() == Some(o),
            Self::ClusterOperator(o) => snapshot.operators.get(at) == Some(o),
            Self::MachineConfigPool(o) => snapshot.pools.get(at) == Some(o),
            Self::MachineConfig(o) => {
                snapshot.machine_configs.get(&o.metadata.name) == Some(&o.metadata.annotations.release_version)
            }
            Self::MachineConfigNode(o) => {
                snapshot.machine_config_nodes.get(&o.metadata.name).is_some_and(|kept| **kept == **o)
            }
            Self::MachineOsConfig(o) => snapshot.os_configs.get(at) == Some(o),
            Self::MachineOsBuild(o) => snapshot.os_builds.get(at) == Some(o),
            Self::Node(o) => snapshot.nodes.get(at).is_some_and(|kept| **kept == **o),
            Self::Deployment(o) => snapshot.mco_image.as_deref() == o.image_of(MCO),
            Self::Pod(o) => snapshot.pods.get(at).is_some_and(|kept| **kept == **o),
            Self::PodDisruptionBudget(o) => snapshot.budgets.get(at).is_some_and(|kept| **kept == **o),
        }
    }

    /// What is known by the object.
    fn into_fact(self) -> Fact {
        match self {
            Self::ClusterVersion(o) => Fact::ClusterVersion(o),
            Self::ClusterOperator(o) => Fact::ClusterOperator(o),
            Self::MachineConfigPool(o) => Fact::MachineConfigPool(o),
            Self::MachineConfig(o) => Fact::MachineConfig(o.metadata.annotations.release_version),
            Self::MachineConfigNode(o) => Fact::MachineConfigNode(o),
            Self::MachineOsConfig(o) => Fact::MachineOsConfig(o),
            Self::MachineOsBuild(o) => Fact::MachineOsBuild(o),
            Self::Node(o) => Fact::Node(o),
            Self::Deployment(o) => Fact::McoImage(o.image_of(MCO).map(str::to_owned)),
            Self::Pod(o) => Fact::Pod(o),
            Self::PodDisruptionBudget(o) => Fact::PodDisruptionBudget(o),
        }
    }

    /// Puts the object into its place; tells the position in its list.
    pub(super) fn put_into(self, snapshot: &mut Snapshot) -> usize {
        fn push<T>(list: &mut Vec<T>, object: T) -> usize {
            list.push(object);
            list.len() - 1
        }
        match self {
            Self::ClusterVersion(o) => {
                snapshot.cluster_version.get_or_insert(*o);
                0
            }
            Self::ClusterOperator(o) => push(&mut snapshot.operators, *o),
            Self::MachineConfigPool(o) => push(&mut snapshot.pools, *o),
            Self::MachineConfig(o) => {
                let MachineConfig { metadata } = o;
                snapshot.machine_configs.entry(metadata.name).or_insert(metadata.annotations.release_version);
                0
            }
            Self::MachineConfigNode(o) => {
                snapshot.machine_config_nodes.entry(o.metadata.name.clone()).or_insert(o);
                0
            }
            Self::MachineOsConfig(o) => push(&mut snapshot.os_configs, *o),
            Self::MachineOsBuild(o) => push(&mut snapshot.os_builds, *o),
            Self::Node(o) => push(&mut snapshot.nodes, o),
            Self::Deployment(o) => {
                if snapshot.mco_image.is_none() {
                    snapshot.mco_image = o.image_of(MCO).map(str::to_owned);
                }
                0
            }
            Self::Pod(o) => push(&mut snapshot.pods, o),
            Self::PodDisruptionBudget(o) => push(&mut snapshot.budgets, o),
        }
    }
}

/// The container whose image is the release's.
const MCO: &str = "machine-config-operator";

/// Parses a text on this core.
pub(super) fn parse(place: &str, text: &[u8], hint: Option<Kind>, limits: &Limits) -> Found {
    let mut found = empty(place);
    for raw in object::split(text, limits.parser) {
        take(&mut found, part(place, &raw, hint));
    }
    look_for_loss(&mut found, text, hint);
    found
}

/// Texts above this size are worth the start of a thread.
const LARGE: usize = 1 << 20;

/// Objects that one core takes at a time.
const BATCH: usize = 64;

/// Parses a text, a large one on all cores.
pub(super) fn parse_on_all_cores(place: &str, text: &[u8], hint: Option<Kind>, limits: &Limits) -> Found {
    if text.len() < LARGE {
        return parse(place, text, hint, limits);
    }
    let mut found = empty(place);
    let raws: Vec<_> = object::split(text, limits.parser).collect();
    for part in side_by_side(&raws, BATCH, |raw| part(place, raw, hint)) {
        take(&mut found, part);
    }
    look_for_loss(&mut found, text, hint);
    found
}

/// Parses an answer of a server whose kind is not known.
pub(in crate::gather) fn parse_text(place: &str, text: &[u8], limits: &Limits) -> Found {
    let found = parse_on_all_cores(place, text, None, limits);
    without_lines(found)
}

/// Parses an answer of the API server that holds objects of one kind, whatever they say of themselves: metadata alone
/// says that it is of another.
pub(in crate::gather) fn parse_page(place: &str, text: &[u8], kind: Kind, limits: &Limits) -> Found {
    let mut found = empty(place);
    let raws: Vec<_> = object::split(text, limits.parser).collect();
    let one = |raw: &Result<RawObject<'_>, Problem>| match raw {
        Ok(raw) => typed(place, raw, kind, Vec::new()),
        Err(problem) => Part::Gap(Gap::of_place(GapKind::Unreadable, place, problem.to_string())),
    };
    for part in side_by_side(&raws, BATCH, one) {
        take(&mut found, part);
    }
    without_lines(found)
}

/// A server's answer is one line, and nobody can look at it afterwards.
fn without_lines(mut found: Found) -> Found {
    for gap in &mut found.gaps {
        gap.place.clone_from(&found.place);
    }
    found
}

fn empty(place: &str) -> Found {
    Found {
        place: place.to_owned(),
        objects: Vec::new(),
        answers: Vec::new(),
        gaps: Vec::new(),
        seen: Vec::new(),
        stats: Stats::default(),
        others: 0,
        of_kept: 0,
    }
}

/// What came of one object.
enum Part {
    Object(Object, Vec<Gap>, Stats),
    Answer(Answer, Vec<Gap>),
    Nothing(Vec<Gap>),
    Gap(Gap),
    Other { of_kept: usize },
}

fn take(found: &mut Found, part: Part) {
    match part {
        Part::Object(object, gaps, stats) => {
            found.objects.push(object);
            found.gaps.extend(gaps);
            found.stats += stats;
        }
        Part::Answer(answer, gaps) => {
            found.answers.push(answer);
            found.gaps.extend(gaps);
        }
        Part::Nothing(gaps) => found.gaps.extend(gaps),
        Part::Gap(gap) => found.gaps.push(gap),
        Part::Other { of_kept } => {
            found.others += 1;
            found.of_kept += of_kept;
        }
    }
}

fn part(place: &str, raw: &Result<RawObject<'_>, Problem>, hint: Option<Kind>) -> Part {
    match raw {
        Ok(raw) => one(place, raw, hint),
        Err(problem) => Part::Gap(Gap::of_place(GapKind::Unreadable, place, problem.to_string())),
    }
}

fn one(place: &str, raw: &RawObject<'_>, hint: Option<Kind>) -> Part {
    match recognize(raw.api_version.as_ref(), raw.kind.as_ref()) {
        Recognized::Other => other(place, raw, hint),
        Recognized::Unnamed => match hint {
            Some(kind) => typed(place, raw, kind, Vec::new()),
            None => unnamed(place, raw),
        },
        Recognized::Known(kind) => typed(place, raw, kind, Vec::new()),
        Recognized::OtherVersion(kind) => {
            let version = raw.api_version.as_deref().unwrap_or("no apiVersion");
            let message = format!("{version} is not a version that is known; read as the known one");
            let gap = Gap { field: "apiVersion".into(), ..Gap::of_place(GapKind::Field, at(place, raw), message) };
            typed(place, raw, kind, vec![gap])
        }
    }
}

/// An object of a kind that says nothing about an update, unless it should have been another.
fn other(place: &str, raw: &RawObject<'_>, hint: Option<Kind>) -> Part {
    let kind = raw.kind.as_deref().unwrap_or_default();
    let lost = |field: &str, message: String| {
        Part::Gap(Gap {
            object: kind.to_owned(),
            field: field.to_owned(),
            ..Gap::of_place(GapKind::Unreadable, at(place, raw), message)
        })
    };
    let of = kind.strip_suffix("List").map(Cow::Borrowed);
    let is_list = of.is_some_and(|of| {
        let named = recognize(raw.api_version.as_ref(), Some(&of));
        of.is_empty() || matches!(named, Recognized::Known(_) | Recognized::OtherVersion(_))
    });
    match hint {
        // A list that is one was taken apart before.
        _ if is_list => lost("items", "there is no list of objects; the list is left out".into()),
        Some(expected) => lost("", format!("is not of kind {}, which belongs here; left out", expected.name())),
        None => Part::Other { of_kept: is_of_kept_cluster(raw.api_version.as_ref(), raw.kind.as_ref()).into() },
    }
}

fn at(place: &str, raw: &RawObject<'_>) -> String {
    at_line(place, raw, None)
}

fn at_line(place: &str, raw: &RawObject<'_>, line: Option<usize>) -> String {
    format!("{place}:{}", line.unwrap_or(raw.line))
}

fn typed(place: &str, raw: &RawObject<'_>, kind: Kind, gaps: Vec<Gap>) -> Part {
    match kind {
        Kind::ClusterVersion => read(place, raw, kind, gaps, |o| Object::ClusterVersion(Box::new(o))),
        Kind::ClusterOperator => read(place, raw, kind, gaps, |o| Object::ClusterOperator(Box::new(o))),
        Kind::MachineConfigPool => read(place, raw, kind, gaps, |o| Object::MachineConfigPool(Box::new(o))),
        Kind::MachineConfig => read(place, raw, kind, gaps, Object::MachineConfig),
        Kind::MachineConfigNode => read(place, raw, kind, gaps, |o| Object::MachineConfigNode(Arc::new(o))),
        Kind::MachineOsConfig => read(place, raw, kind, gaps, |o| Object::MachineOsConfig(Box::new(o))),
        Kind::MachineOsBuild => read(place, raw, kind, gaps, |o| Object::MachineOsBuild(Box::new(o))),
        Kind::Node => read(place, raw, kind, gaps, |o| Object::Node(Arc::new(o))),
        Kind::Deployment => read(place, raw, kind, gaps, |o| Object::Deployment(Box::new(o))),
        Kind::Pod => read(place, raw, kind, gaps, |o| Object::Pod(Arc::new(o))),
        Kind::PodDisruptionBudget => read(place, raw, kind, gaps, |o| Object::PodDisruptionBudget(Arc::new(o))),
    }
}

fn read<T: DeserializeOwned>(
    place: &str,
    raw: &RawObject<'_>,
    kind: Kind,
    mut gaps: Vec<Gap>,
    wrap: impl Fn(T) -> Object,
) -> Part {
    let reading = raw.read::<T>();
    let mut stats = Stats::default();
    stats.count(reading.route);
    let object = reading.value.map(wrap);
    let name = object.as_ref().map(Object::qualified_name).filter(|name| !name.is_empty());
    let told = match &name {
        Some(name) => format!("{}/{name}", kind.name()),
        None => kind.name().to_owned(),
    };
    for problem in reading.problems {
        let place = at_line(place, raw, problem.line);
        let message = format!("{}; left out", problem.message);
        gaps.push(Gap { object: told.clone(), field: problem.path, ..Gap::of_place(GapKind::Field, place, message) });
    }
    for gap in &mut gaps {
        gap.object.clone_from(&told);
    }
    match object {
        // The one object that does its service without a name.
        Some(object) if name.is_some() || kind == Kind::ClusterVersion => Part::Object(object, gaps, stats),
        Some(_) => {
            gaps.push(Gap {
                object: told,
                field: "metadata.name".into(),
                ..Gap::of_place(GapKind::Unreadable, at(place, raw), "there is none; the object is left out")
            });
            Part::Nothing(gaps)
        }
        None => Part::Nothing(gaps),
    }
}

/// Reads what has no kind as an answer of Prometheus, if it is one.
fn unnamed(place: &str, raw: &RawObject<'_>) -> Part {
    let reading = raw.read::<Answer>();
    let is_answer = reading.value.as_ref().is_some_and(|answer| {
        let tells = answer.data.as_ref().is_some_and(|data| data.alerts.is_some() || data.groups.is_some());
        tells || matches!(answer.status.as_str(), "error" | "success")
    });
    if !is_answer {
        // It may be a stranger's, with fields of its own; but if it cannot be read, it may have been anything.
        let whole = raw.read::<Value>();
        if let Some(problem) = whole.problems.iter().find(|problem| problem.path.is_empty()) {
            let message = format!("what is here cannot be read: {}", problem.message);
            return Part::Gap(Gap::of_place(GapKind::Unreadable, at_line(place, raw, problem.line), message));
        }
        let has_metadata = whole.value.is_some_and(|value| value.get("metadata").is_some());
        if raw.api_version.is_none() && !has_metadata {
            return Part::Nothing(Vec::new());
        }
        return Part::Gap(Gap {
            field: "kind".into(),
            ..Gap::of_place(GapKind::Unreadable, at(place, raw), "there is none; the object is left out")
        });
    }
    let gaps = reading.problems.into_iter().map(|problem| Gap {
        object: "alerts".into(),
        field: problem.path,
        ..Gap::of_place(GapKind::Optional, place, format!("{}; left out", problem.message))
    });
    let gaps = gaps.collect();
    match reading.value {
        Some(answer) => Part::Answer(answer, gaps),
        None => Part::Nothing(gaps),
    }
}
