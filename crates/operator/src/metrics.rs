//! What is told to Prometheus (update-status-api.md, 8). No label holds the name of a node or a message.

mod drive;
mod fleet;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use headway_api::hooks::{Hook, Status};
use headway_api::insight::{Impact, Level};
use headway_api::report::Form;
use headway_core::inform::{Informer, InformerState};
use headway_core::observer::Sight;
use jiff::Timestamp;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, LabelSetEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

pub(crate) use self::drive::DriveMetrics;
pub(crate) use self::fleet::FleetMetrics;
use crate::rendering::{Kind, Rendered};
use crate::writer::Outcome;

/// Pools beyond so many are told together.
const POOLS: usize = 64;

/// The metrics, and the two facts that the probes ask for.
pub(crate) struct Metrics {
    registry: Mutex<Registry>,
    /// When the keeper last turned its loop, in seconds since the epoch.
    beat: AtomicI64,
    ready: AtomicU64,
    hooks_ready: AtomicBool,
    admission_ready: AtomicBool,
    insights: Family<Labels, Gauge>,
    health: Family<Labels, Gauge>,
    info: Family<Labels, Gauge>,
    completion: Gauge<f64, AtomicU64>,
    started: Gauge,
    estimated: Gauge,
    operators: Family<Labels, Gauge>,
    pools: Family<Labels, Gauge>,
    informer_up: Family<Labels, Gauge>,
    informer_lag: Family<Labels, Gauge>,
    object_bytes: Family<Labels, Gauge>,
    truncation: Gauge,
    writes: Family<Labels, Counter>,
    write_seconds: Histogram,
    hook_answers: Family<Labels, Counter>,
    hook_seconds: Histogram,
    assess_seconds: Histogram,
    leader: Gauge,
    fleet: FleetMetrics,
    drive: DriveMetrics,
}

/// Labels by name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Labels(Vec<(&'static str, String)>);

impl EncodeLabelSet for Labels {
    fn encode(&self, encoder: &mut LabelSetEncoder<'_>) -> Result<(), std::fmt::Error> {
        self.0.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>().encode(encoder)
    }
}

fn labels(all: &[(&'static str, &str)]) -> Labels {
    Labels(all.iter().map(|(name, value)| (*name, (*value).to_owned())).collect())
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let seconds = || Histogram::new(exponential_buckets(0.001, 2.0, 14));
        let metrics = Self {
            registry: Mutex::new(Registry::with_prefix("headway")),
            beat: AtomicI64::new(0),
            ready: AtomicU64::new(0),
            hooks_ready: AtomicBool::new(false),
            admission_ready: AtomicBool::new(false),
            insights: Family::default(),
            health: Family::default(),
            info: Family::default(),
            completion: Gauge::default(),
            started: Gauge::default(),
            estimated: Gauge::default(),
            operators: Family::default(),
            pools: Family::default(),
            informer_up: Family::default(),
            informer_lag: Family::default(),
            object_bytes: Family::default(),
            truncation: Gauge::default(),
            writes: Family::default(),
            write_seconds: seconds(),
            hook_answers: Family::default(),
            hook_seconds: seconds(),
            assess_seconds: seconds(),
            leader: Gauge::default(),
            fleet: FleetMetrics::new(),
            drive: DriveMetrics::new(),
        };
        metrics.register();
        metrics
    }

    fn register(&self) {
        let mut registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        let r = &mut *registry;
        r.register("insights", "Objects that an informer told of", self.insights.clone());
        r.register("health_insights", "Findings about the health of the update", self.health.clone());
        r.register("update_info", "The update: always 1", self.info.clone());
        r.register("control_plane_completion_ratio", "Operators at the target version", self.completion.clone());
        r.register("update_started_timestamp_seconds", "When the update began", self.started.clone());
        r.register(
            "update_estimated_completion_timestamp_seconds",
            "When the control plane should be complete; 0 when that cannot be told",
            self.estimated.clone(),
        );
        r.register("operators", "Cluster operators by state", self.operators.clone());
        r.register("pool_nodes", "Nodes of a pool by state; states overlap", self.pools.clone());
        r.register("informer_up", "Whether an informer sees what it watches", self.informer_up.clone());
        r.register_with_unit(
            "informer_lag",
            "For how long an informer has not been heard of",
            Unit::Seconds,
            self.informer_lag.clone(),
        );
        r.register_with_unit("object", "The size of an object in its store", Unit::Bytes, self.object_bytes.clone());
        r.register("object_truncation_level", "How far UpdateStatus is cut: 0 is not at all", self.truncation.clone());
        r.register("writes", "Writes by kind and result", self.writes.clone());
        r.register_with_unit("write", "How long writes take", Unit::Seconds, self.write_seconds.clone());
        r.register("hook_answers", "Answers to hooks, by hook and status", self.hook_answers.clone());
        r.register_with_unit("hook_answer", "How long answers take", Unit::Seconds, self.hook_seconds.clone());
        r.register_with_unit("assess", "How long one look takes", Unit::Seconds, self.assess_seconds.clone());
        r.register("leader", "Whether this replica writes", self.leader.clone());
        self.fleet.register(r);
        self.drive.register(r);
    }

    /// The keeper lives.
    pub(crate) fn beat(&self, now: Timestamp) {
        self.beat.store(now.as_second(), Ordering::Relaxed);
    }

    /// When the keeper last said that it lives, in seconds since the epoch.
    pub(crate) fn last_beat(&self) -> i64 {
        self.beat.load(Ordering::Relaxed)
    }

    /// The hooks are served, with a certificate.
    pub(crate) fn hooks_ready(&self) {
        self.hooks_ready.store(true, Ordering::Relaxed);
    }

    /// Whether they are.
    pub(crate) fn are_hooks_ready(&self) -> bool {
        self.hooks_ready.load(Ordering::Relaxed)
    }

    /// Admission is served, with a certificate.
    pub(crate) fn admission_ready(&self) {
        self.admission_ready.store(true, Ordering::Relaxed);
    }

    /// Whether it is.
    pub(crate) fn is_admission_ready(&self) -> bool {
        self.admission_ready.load(Ordering::Relaxed)
    }

    /// A hook was answered.
    pub(crate) fn answered(&self, hook: Hook, status: Status, took: Duration) {
        let status = match status {
            Status::Success => "Success",
            Status::Failure => "Failure",
        };
        self.hook_answers.get_or_create(&labels(&[("hook", hook.name()), ("status", status)])).inc();
        self.hook_seconds.observe(took.as_secs_f64());
    }

    /// Whether all that is needed was read.
    pub(crate) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed) == 1
    }

    /// Whether this replica writes.
    pub(crate) fn leads(&self, leads: Leads) {
        self.leader.set(i64::from(leads == Leads::Yes));
    }

    /// What was seen.
    pub(crate) fn saw(&self, sight: &Sight, is_ready: bool) {
        self.ready.store(u64::from(is_ready), Ordering::Relaxed);
        self.saw_informers(sight);
        if is_ready {
            self.saw_update(sight);
        }
    }

    fn saw_informers(&self, sight: &Sight) {
        let gauges = InformerGauges { up: &self.informer_up, lag: &self.informer_lag, objects: &self.insights };
        for informer in &sight.informers {
            gauges.saw(informer, informer.source.name(), sight.report.observed_at);
        }
    }

    fn saw_update(&self, sight: &Sight) {
        let report = &sight.report;
        let cluster = &report.cluster;
        self.health.clear();
        for level in [Level::Info, Level::Warning, Level::Error, Level::Critical] {
            for impact in
                [Impact::None, Impact::Unknown, Impact::ApiAvailability, Impact::UpdateSpeed, Impact::UpdateStalled]
            {
                let of = report.insights.iter().filter(|insight| insight.level == level && insight.impact == impact);
                let name = labels(&[("level", &level.to_string()), ("impact", &impact.to_string())]);
                self.health.get_or_create(&name).set(number(of.count()));
            }
        }
        self.info.clear();
        let told = |version: &Option<String>| version.clone().unwrap_or_default();
        let form = form_word(cluster.form);
        let versions = &cluster.versions;
        let info = labels(&[("from", &told(&versions.previous)), ("to", &told(&versions.target)), ("form", form)]);
        self.info.get_or_create(&info).set(1);
        self.completion.set(f64::from(cluster.completion_percent.unwrap_or(0)) / 100.0);
        self.started.set(cluster.started_at.map_or(0, Timestamp::as_second));
        let estimated = cluster.estimate.and_then(|estimate| estimate.completed_at);
        self.estimated.set(estimated.map_or(0, Timestamp::as_second));
        let counts = &cluster.operators;
        for (state, count) in [
            ("updated", counts.updated),
            ("updating", counts.updating),
            ("waiting", counts.waiting),
            ("unknown", counts.unknown),
            ("unavailable", counts.unavailable),
            ("degraded", counts.degraded),
        ] {
            self.operators.get_or_create(&labels(&[("state", state)])).set(number(count));
        }
        self.saw_pools(report);
    }

    fn saw_pools(&self, report: &headway_api::report::Report) {
        self.pools.clear();
        for (at, pool) in report.pools.iter().enumerate() {
            let name = if at < POOLS { pool.name.as_str() } else { "other" };
            let counts = &pool.counts;
            for (state, count) in [
                ("total", counts.total),
                ("available", counts.available),
                ("progressing", counts.progressing),
                ("outdated", counts.outdated),
                ("draining", counts.draining),
                ("excluded", counts.excluded),
                ("degraded", counts.degraded),
            ] {
                self.pools.get_or_create(&labels(&[("pool", name), ("state", state)])).inc_by(number(count));
            }
        }
    }

    /// How long a look took.
    pub(crate) fn looked(&self, took: Duration) {
        self.assess_seconds.observe(took.as_secs_f64());
    }

    /// What is to be written.
    pub(crate) fn rendered(&self, rendered: &Rendered) {
        self.truncation.set(i64::from(rendered.level.number()));
        self.object_bytes.get_or_create(&labels(&[("object", "updatestatus")])).set(number(rendered.bytes));
    }

    /// What became of a write.
    pub(crate) fn wrote(&self, kind: Kind, outcome: &Outcome, took: Duration) {
        self.wrote_one(&kind.resource().plural, outcome, took);
    }

    /// What became of a write of the status of one cluster of a fleet.
    pub(crate) fn fleet_wrote(&self, plural: &str, outcome: &Outcome, took: Duration) {
        self.wrote_one(plural, outcome, took);
    }

    fn wrote_one(&self, kind: &str, outcome: &Outcome, took: Duration) {
        self.writes.get_or_create(&labels(&[("object", kind), ("result", outcome.word())])).inc();
        self.write_seconds.observe(took.as_secs_f64());
    }

    /// Those of a fleet.
    pub(crate) fn fleet(&self) -> &FleetMetrics {
        &self.fleet
    }

    /// What is told of upgrades that are walked.
    pub(crate) fn drive(&self) -> &DriveMetrics {
        &self.drive
    }

    /// All of it in the text format.
    pub(crate) fn text(&self) -> Result<String, std::fmt::Error> {
        self.fleet.count();
        self.drive.count();
        let mut text = String::new();
        encode(&mut text, &self.registry.lock().unwrap_or_else(PoisonError::into_inner))?;
        Ok(text)
    }
}

/// Whether this replica writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leads {
    /// It does.
    Yes,
    /// It stands by.
    No,
}

/// What is told of informers, each by its name.
struct InformerGauges<'m> {
    up: &'m Family<Labels, Gauge>,
    lag: &'m Family<Labels, Gauge>,
    objects: &'m Family<Labels, Gauge>,
}

impl InformerGauges<'_> {
    fn saw<S>(&self, informer: &Informer<S>, name: &str, now: Timestamp) {
        let name = labels(&[("informer", name)]);
        let up = matches!(informer.state, InformerState::Synced | InformerState::Idle);
        self.up.get_or_create(&name).set(i64::from(up));
        self.lag.get_or_create(&name).set(now.duration_since(informer.heard).as_secs().max(0));
        self.objects.get_or_create(&name).set(number(informer.objects));
    }
}

/// The form of a cluster, as labels have it.
fn form_word(form: Form) -> &'static str {
    match form {
        Form::Standalone => "standalone",
        Form::Hosted => "hosted",
        Form::ClusterApi => "capi",
        Form::Unknown => "unknown",
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
