//! What is told of clusters that were recorded from a real Cluster API: every stage of every series, every moment and
//! every error. What must hold is reckoned here from the objects themselves, by other means than the product's.

#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a test says what it means by failing")]

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use headway_api::cluster_api::{Cluster, PENDING_HOOKS_ANNOTATION};
use headway_api::insight::{Level, Rule};
use headway_api::report::{Activity, Assessment, Form, Outcome, Phase, PoolAssessment, Report};
use headway_cluster::gather::Limits;
use headway_cluster::gather::inventory::{self, About};
use headway_core::assess::cluster_api;
use headway_core::preview::Inventory;

/// One recorded stage.
struct Stage {
    name: String,
    inventory: Inventory,
}

impl Stage {
    fn cluster(&self) -> &Cluster {
        &self.inventory.clusters[0]
    }

    fn report(&self) -> Report {
        cluster_api::report(&self.inventory, self.cluster())
    }

    /// The message of the condition by which Cluster API tells how the topology does, while it is False.
    fn says(&self) -> Option<(&str, &str)> {
        let told = self.cluster().status.condition("TopologyReconciled")?;
        let is_false = told.status == headway_api::meta::ConditionStatus::False;
        is_false.then_some((told.reason.as_str(), told.message.as_str()))
    }

    /// Whether nothing is left to do: every node runs the version of the topology, and no hook is to be asked.
    fn is_over(&self) -> bool {
        let version = &self.cluster().spec.topology.as_ref().unwrap().version;
        let machines = &self.inventory.machines;
        let nodes = machines.iter().all(|machine| machine.status.node_info.kubelet_version == *version);
        let specs = self.inventory.control_planes.iter().all(|it| it.spec.version == *version)
            && self.inventory.machine_deployments.iter().all(|it| it.version() == Some(version));
        let pending = self.cluster().metadata.annotations.get(PENDING_HOOKS_ANNOTATION).unwrap_or_default();
        !machines.is_empty() && nodes && specs && !pending.contains("AfterClusterUpgrade")
    }
}

fn recordings() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/cluster-api");
    if !root.is_dir() {
        eprintln!("SKIPPED: the recordings of Cluster API are not at {}", root.display());
        return None;
    }
    Some(root)
}

/// The stages of a folder that hold a Cluster, in their order.
fn stages(folder: &Path) -> Vec<Stage> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().contains(".yaml"));
    files.sort();
    let place = tempfile::tempdir().unwrap();
    let stage = |file: PathBuf| {
        let mut text = fs::read(&file).unwrap();
        if file.extension().is_some_and(|extension| extension == "gz") {
            let packed = std::mem::take(&mut text);
            flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut text).unwrap();
        }
        let plain = place.path().join("stage.yaml");
        fs::write(&plain, text).unwrap();
        let inventory = inventory::files(&[plain], About::Cluster, &Limits::default()).ok()?;
        let name = format!("{}/{}", folder.display(), file.file_name().unwrap().display());
        Some(Stage { name, inventory: Inventory { moment: inventory.newest(), ..inventory } })
    };
    files.into_iter().filter_map(stage).collect()
}

fn series(root: &Path) -> Vec<Vec<Stage>> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root.join("series")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.push(root.join("v1.12.5/o1-create"));
    let all: Vec<Vec<Stage>> = folders.iter().map(|folder| stages(folder)).filter(|stages| stages.len() > 2).collect();
    assert!(all.len() >= 8, "{} series", all.len());
    all
}

/// That a stage is never called done before it is, and every one that is done is.
fn is_done_when_it_is(stage: &Stage) {
    let report = stage.report();
    let name = &stage.name;
    assert_eq!(report.cluster.form, Form::ClusterApi, "{name}");
    if report.activity == Activity::NotUpdating {
        // A cluster whose machines are still coming for the first time changes its size, not its version.
        let grows = report.units.iter().any(|unit| unit.phase == Phase::Provisioning);
        assert!(stage.is_over() || grows, "{name} is told as done");
        let told = stage.says().map(|(reason, _)| reason);
        assert_ne!(told, Some("ClusterUpgrading"), "{name} is told as done");
    }
    if stage.is_over() {
        assert_eq!(report.activity, Activity::NotUpdating, "{name}");
        assert_eq!(report.outcome, Outcome::NotUpdating, "{name}");
        assert_eq!(report.cluster.completion_percent, Some(100), "{name}");
    } else {
        assert_ne!(report.cluster.completion_percent, Some(100), "{name}");
    }
    for pool in &report.pools {
        let units: Vec<_> = report.units.iter().filter(|unit| unit.pool.as_ref() == Some(&pool.name)).collect();
        if pool.assessment == PoolAssessment::Completed && !units.iter().any(|it| it.phase == Phase::Provisioning) {
            let runs = |version: &Option<String>| version.as_ref() == Some(&pool.configuration);
            assert!(units.iter().all(|unit| runs(&unit.version)), "{name}: {} is told as done", pool.name);
        }
        assert!(pool.completion_percent.is_none_or(|percent| percent <= 100), "{name}: {}", pool.name);
    }
}

/// That whatever Cluster API says that it waits for or fails at is named.
fn is_named(stage: &Stage) {
    let report = stage.report();
    let Some((reason, message)) = stage.says() else { return };
    let rules: Vec<Rule> = report.insights.iter().map(|insight| insight.rule).collect();
    let name = &stage.name;
    let blocking = message.lines().find_map(|line| line.split_once("Following hooks are blocking upgrade: "));
    if let Some((_, hooks)) = blocking {
        let hook = hooks.split(':').next().unwrap();
        let told = report.insights.iter().find(|it| it.rule == Rule::HookBlocking && it.summary.contains(hook));
        let told = told.unwrap_or_else(|| panic!("{name}: {hook} is not named: {rules:?}"));
        assert_eq!(told.level, Level::Info, "{name}: blocking is not failing");
        assert!(told.since.is_some(), "{name}");
    }
    if reason == "ReconcileFailed" {
        let told = report.insights.iter().find(|it| it.rule == Rule::ClusterFailing);
        let told = told.unwrap_or_else(|| panic!("{name}: no failure among {rules:?}"));
        let last = message.rsplit(": ").next().unwrap();
        assert!(told.description.contains(last), "{name}: {}", told.description);
        assert_eq!(told.level, Level::Error, "{name}");
    }
    if reason == "ClusterUpgrading" {
        assert_eq!(report.activity, Activity::Updating, "{name}");
    }
}

#[test]
fn us_6_3_every_recorded_stage_is_done_when_it_is() {
    let Some(root) = recordings() else { return };
    let moments = stages(&root.join("moments"));
    assert!(moments.len() >= 16, "{} moments", moments.len());
    let of_series = series(&root);
    // Cluster API 1.12.5 does not say what the nodes of its last stage run, so that nobody can call it done.
    let told = |stage: &&Stage| stage.inventory.machines.iter().all(says_what_it_runs);
    moments.iter().chain(of_series.iter().flatten()).filter(told).for_each(is_done_when_it_is);
}

fn says_what_it_runs(machine: &headway_api::cluster_api::Machine) -> bool {
    machine.status.node_ref.is_none() || !machine.status.node_info.kubelet_version.is_empty()
}

#[test]
fn us_6_3_a_stage_that_does_not_tell_what_runs_is_not_called_done() {
    let Some(root) = recordings() else { return };
    let all = stages(&root.join("v1.12.5/o1-create"));
    let last = all.last().unwrap();
    assert!(!last.inventory.machines.iter().all(says_what_it_runs), "{}", last.name);
    let report = last.report();
    assert_eq!((report.activity, report.outcome), (Activity::Unknown, Outcome::CannotTell), "{}", last.name);
    assert!(
        report.gaps.iter().any(|gap| gap.message.contains("what runs on 1 of its 1 machines")),
        "{:?}",
        report.gaps
    );
}

#[test]
fn us_6_3_what_a_recorded_stage_waits_for_or_fails_at_is_named() {
    let Some(root) = recordings() else { return };
    let errors = stages(&root.join("errors"));
    assert!(errors.len() >= 9, "{} errors", errors.len());
    for stage in stages(&root.join("moments")).iter().chain(&errors).chain(series(&root).iter().flatten()) {
        is_named(stage);
    }
    let hooks = errors.iter().filter(|stage| stage.report().insights.iter().any(|it| it.rule == Rule::HookBlocking));
    let failures = errors.iter().filter(|stage| stage.report().outcome == Outcome::Failing);
    assert_eq!((hooks.count(), failures.count()), (2, 7));
}

/// How far a stage is: the step, then what of it is done.
fn progress(report: &Report) -> (usize, u8) {
    let step = report.cluster.versions.position.map_or(usize::MAX, |position| position.step);
    (step, report.cluster.completion_percent.unwrap_or_default())
}

#[test]
fn us_6_3_progress_never_goes_back_but_to_a_next_step() {
    let Some(root) = recordings() else { return };
    let mut upgrades = 0;
    for stages in series(&root) {
        let mut before: Option<(usize, u8)> = None;
        for stage in &stages {
            let report = stage.report();
            if report.activity != Activity::Updating {
                continue;
            }
            upgrades += 1;
            let now = progress(&report);
            let before = before.replace(now);
            assert!(before.is_none_or(|before| now >= before), "{}: {before:?}, then {now:?}", stage.name);
        }
    }
    assert!(upgrades > 60, "{upgrades} stages of upgrades");
}

#[test]
fn us_s72_a_recorded_chain_tells_its_steps() {
    let Some(root) = recordings() else { return };
    let check = |file: &str, plan: &[&str], step: usize, percent: u8, assessment: Assessment| {
        let moments = stages(&root.join("moments"));
        let stage = moments.iter().find(|stage| stage.name.ends_with(file)).unwrap();
        let report = stage.report();
        let versions = &report.cluster.versions;
        assert_eq!(versions.plan, plan, "{file}");
        assert_eq!(versions.previous.as_deref(), Some("v1.31.0"), "{file}");
        assert_eq!(versions.target.as_deref(), Some("v1.34.0"), "{file}");
        assert_eq!(versions.position.map(|position| (position.step, position.of)), Some((step, 3)), "{file}");
        assert_eq!(report.cluster.completion_percent, Some(percent), "{file}");
        assert_eq!(report.cluster.assessment, assessment, "{file}");
    };
    let (pending, moves, done) = (Assessment::Pending, Assessment::Progressing, Assessment::Completed);
    check("c1-01-blocked-in-BeforeClusterUpgrade.yaml", &["v1.32.0", "v1.33.0", "v1.34.0"], 1, 0, pending);
    check("c1-02-cp-upgrading-to-v1.32.yaml", &["v1.32.0", "v1.33.0", "v1.34.0"], 1, 33, moves);
    check("c1-03-between-cp-steps-AfterControlPlaneUpgrade-blocking.yaml", &["v1.33.0", "v1.34.0"], 2, 0, pending);
    check("c1-04-cp-upgrading-to-v1.33.yaml", &["v1.33.0", "v1.34.0"], 2, 67, moves);
    check("c1-05-cp-upgrading-to-v1.34.yaml", &["v1.34.0"], 3, 17, moves);
    check("c1-06-workers-md0-upgrading.yaml", &[], 3, 67, done);
    check("c1-07-workers-md1-upgrading.yaml", &[], 3, 83, done);
}
