//! What is told to Prometheus of a fleet. However many clusters there are, few have a series of their own: those that are
//! being updated, up to a bound.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use headway_api::insight::Level;
use headway_api::report::{Activity, Assessment, Form, Report};
use headway_core::fleet::{Answer, FORMS, Failed, Informer, Key};
use jiff::Timestamp;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use super::{InformerGauges, Labels, form_word, labels, number};

/// So many clusters that are being updated are told of by name; of the others there are but counts.
const NAMED: usize = 64;

/// The metrics of a fleet, and the two facts that the probes ask for.
pub(crate) struct FleetMetrics {
    /// When the keeper last turned its loop, in seconds since the epoch; 0 where no fleet is kept.
    beat: AtomicI64,
    ready: AtomicBool,
    clusters: Family<Labels, Gauge>,
    worst: Family<Labels, Gauge>,
    completion: Family<Labels, Gauge<f64, AtomicU64>>,
    informer_up: Family<Labels, Gauge>,
    informer_lag: Family<Labels, Gauge>,
    informer_objects: Family<Labels, Gauge>,
    looks: Counter,
    look_seconds: Histogram,
    workloads: Gauge,
    workload_clients: Gauge,
    workload_looks: Family<Labels, Counter>,
    workload_look_seconds: Histogram,
    known: Mutex<BTreeMap<Key, Known>>,
}

/// What is told of one cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known {
    assessment: Assessment,
    activity: Activity,
    worst: Option<Level>,
    completion: Option<u8>,
}

impl FleetMetrics {
    pub(super) fn new() -> Self {
        Self {
            beat: AtomicI64::new(0),
            ready: AtomicBool::new(false),
            clusters: Family::default(),
            worst: Family::default(),
            completion: Family::default(),
            informer_up: Family::default(),
            informer_lag: Family::default(),
            informer_objects: Family::default(),
            looks: Counter::default(),
            look_seconds: Histogram::new(exponential_buckets(0.0005, 2.0, 12)),
            workloads: Gauge::default(),
            workload_clients: Gauge::default(),
            workload_looks: Family::default(),
            workload_look_seconds: Histogram::new(exponential_buckets(0.005, 2.0, 12)),
            known: Mutex::default(),
        }
    }

    pub(super) fn register(&self, r: &mut Registry) {
        r.register("fleet_clusters", "Clusters by form and how their update goes", self.clusters.clone());
        r.register("fleet_worst_level", "Clusters by form and their gravest finding", self.worst.clone());
        r.register(
            "fleet_cluster_completion_ratio",
            "How far the update of a cluster is; of 64 at most, those that are updated",
            self.completion.clone(),
        );
        r.register(
            "fleet_informer_up",
            "Whether an informer of a management cluster sees what it watches",
            self.informer_up.clone(),
        );
        r.register_with_unit(
            "fleet_informer_lag",
            "For how long an informer of a management cluster has not been heard of",
            Unit::Seconds,
            self.informer_lag.clone(),
        );
        r.register("fleet_objects", "Objects that an informer told of", self.informer_objects.clone());
        r.register("fleet_looks", "Looks at single clusters", self.looks.clone());
        r.register_with_unit("fleet_look", "How long a look at one takes", Unit::Seconds, self.look_seconds.clone());
        r.register(
            "fleet_workloads",
            "Clusters that are asked themselves, since they are being updated",
            self.workloads.clone(),
        );
        r.register("fleet_workload_clients", "Those that are asked just now", self.workload_clients.clone());
        r.register("fleet_workload_looks", "Looks at clusters themselves, by outcome", self.workload_looks.clone());
        r.register_with_unit(
            "fleet_workload_look",
            "How long a look at one itself takes",
            Unit::Seconds,
            self.workload_look_seconds.clone(),
        );
    }

    /// The keeper lives.
    pub(crate) fn beat(&self, now: Timestamp) {
        self.beat.store(now.as_second(), Ordering::Relaxed);
    }

    /// When the keeper last said that it lives, in seconds since the epoch; `None` where there is none.
    pub(crate) fn last_beat(&self) -> Option<i64> {
        Some(self.beat.load(Ordering::Relaxed)).filter(|beat| *beat != 0)
    }

    /// Whether all that is needed was read.
    pub(crate) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    /// What the informers are like.
    pub(crate) fn saw(&self, informers: &[Informer], is_ready: bool, now: Timestamp) {
        self.ready.store(is_ready, Ordering::Relaxed);
        let gauges = InformerGauges { up: &self.informer_up, lag: &self.informer_lag, objects: &self.informer_objects };
        for informer in informers {
            gauges.saw(informer, informer.source.name(), now);
        }
    }

    /// A cluster was looked at.
    pub(crate) fn looked_at(&self, key: &Key, report: &Report, took: Duration) {
        self.looks.inc();
        self.look_seconds.observe(took.as_secs_f64());
        let known = Known {
            assessment: report.cluster.assessment,
            activity: report.activity,
            worst: report.insights.iter().map(|insight| insight.level).max(),
            completion: report.cluster.completion_percent,
        };
        self.known().insert(key.clone(), known);
    }

    /// So many clusters are asked themselves, again and again.
    pub(crate) fn follows(&self, clusters: usize) {
        self.workloads.set(number(clusters));
    }

    /// So many of them are asked just now.
    pub(crate) fn workload_clients(&self, clients: usize) {
        self.workload_clients.set(number(clients));
    }

    /// One of them was asked.
    pub(crate) fn asked(&self, answer: &Answer, took: Duration) {
        let outcome = match answer {
            Answer::Seen(_) => "seen",
            Answer::Unseen { at: Failed::Forbidden, .. } => "forbidden",
            Answer::Unseen { at: Failed::Kubeconfig, .. } => "kubeconfig",
            Answer::Unseen { at: Failed::Unreachable, .. } => "unreachable",
        };
        self.workload_looks.get_or_create(&labels(&[("outcome", outcome)])).inc();
        self.workload_look_seconds.observe(took.as_secs_f64());
    }

    /// A cluster is gone.
    pub(crate) fn forget(&self, key: &Key) {
        self.known().remove(key);
    }

    /// Counts what is known, before it is told.
    pub(super) fn count(&self) {
        let known = self.known();
        self.clusters.clear();
        self.worst.clear();
        self.completion.clear();
        for form in FORMS {
            for level in ["none", "Info", "Warning", "Error", "Critical"] {
                self.worst.get_or_create(&of(form, "level", level)).set(0);
            }
        }
        for (key, known) in known.iter() {
            self.clusters.get_or_create(&of(key.form, "assessment", &known.assessment.to_string())).inc();
            let level = known.worst.map_or("none".to_owned(), |level| level.to_string());
            self.worst.get_or_create(&of(key.form, "level", &level)).inc();
        }
        let updating = known.iter().filter(|(_, known)| known.activity == Activity::Updating);
        for (key, known) in updating.take(NAMED) {
            let Some(percent) = known.completion else { continue };
            let name = labels(&[("namespace", &key.namespace), ("name", &key.name), ("form", form_word(key.form))]);
            self.completion.get_or_create(&name).set(f64::from(percent) / 100.0);
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Key, Known>> {
        // Nothing in here stops half way, so what another thread left behind is whole.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn of(form: Form, name: &'static str, value: &str) -> Labels {
    labels(&[("form", form_word(form)), (name, value)])
}
