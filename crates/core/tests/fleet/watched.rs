//! A fleet that is watched: messages of informers in any order, and what is told of each cluster.

use std::collections::{BTreeMap, BTreeSet};

use headway_api::gap::{Gap, GapKind};
use headway_api::preview::Clock;
use headway_api::report::{Form, Outcome};
use headway_core::fleet::{Key, Msg, Object, Observer, Source, members, report, row};
use headway_core::inform::{Failure, FailureKind, InformerState, Kind, Timing};
use headway_core::preview::{Inventory, Moment, Seen};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::constant(1_777_881_600, 0);

fn at(seconds: i64) -> Timestamp {
    NOW + SignedDuration::from_secs(seconds)
}

fn read<T: DeserializeOwned>(value: &Value) -> std::sync::Arc<T> {
    std::sync::Arc::new(serde_json::from_value(value.clone()).unwrap())
}

/// An object as its informer tells it, by its kind.
fn object(value: &Value) -> (Source, Object) {
    match value["kind"].as_str().unwrap() {
        "Cluster" => (Source::Clusters, Object::Cluster(read(value))),
        "ClusterClass" => (Source::ClusterClasses, Object::ClusterClass(read(value))),
        "KubeadmControlPlane" => (kubeadm(), Object::ControlPlane(read(value))),
        "MachineDeployment" => (Source::MachineDeployments, Object::MachineDeployment(read(value))),
        "Machine" => (Source::Machines, Object::Machine(read(value))),
        "ExtensionConfig" => (Source::ExtensionConfigs, Object::ExtensionConfig(read(value))),
        "HostedCluster" => (Source::HostedClusters, Object::HostedCluster(read(value))),
        "ControlPlaneComponent" => (Source::ControlPlaneComponents, Object::ControlPlaneComponent(read(value))),
        "NodePool" => (Source::NodePools, Object::NodePool(read(value))),
        other => panic!("{other}"),
    }
}

fn kubeadm() -> Source {
    Source::ControlPlanes("kubeadmcontrolplanes".into())
}

/// The kinds that are served.
fn served() -> Vec<Source> {
    let mut all: Vec<Source> = Source::FIXED.into_iter().filter(|source| *source != Source::Served).collect();
    all.push(kubeadm());
    all
}

fn uid(value: &Value) -> String {
    let metadata = &value["metadata"];
    match metadata["namespace"].as_str() {
        Some(namespace) => format!("{namespace}/{}", metadata["name"].as_str().unwrap()),
        None => metadata["name"].as_str().unwrap().to_owned(),
    }
}

/// A cluster of Cluster API with a topology, that runs `from` and is to run `to`.
fn cluster(name: &str, from: &str, to: &str) -> Vec<Value> {
    let label = json!({"cluster.x-k8s.io/cluster-name": name, "topology.cluster.x-k8s.io/owned": ""});
    let machine = |at: usize| {
        json!({"kind": "Machine", "metadata": {"namespace": "fleet", "name": format!("{name}-m{at}"), "labels": {
                "cluster.x-k8s.io/cluster-name": name, "cluster.x-k8s.io/deployment-name": format!("{name}-md")}},
            "spec": {"clusterName": name, "version": from},
            "status": {"phase": "Running", "nodeRef": {"name": format!("n{at}")}, "nodeInfo": {"kubeletVersion": from}}})
    };
    let mut all = vec![
        json!({"kind": "Cluster", "metadata": {"namespace": "fleet", "name": name, "uid": format!("uid-{name}")},
            "spec": {"topology": {"classRef": {"name": "standard"}, "version": to, "workers": {"machineDeployments": [
                    {"class": "w", "name": "md"}]}},
                "controlPlaneRef": {"kind": "KubeadmControlPlane", "name": format!("{name}-cp")}}}),
        json!({"kind": "KubeadmControlPlane", "metadata": {"namespace": "fleet", "name": format!("{name}-cp"),
                "labels": label}, "spec": {"version": from, "replicas": 0}, "status": {"version": from, "replicas": 0}}),
        json!({"kind": "MachineDeployment", "metadata": {"namespace": "fleet", "name": format!("{name}-md"), "labels": {
                "topology.cluster.x-k8s.io/deployment-name": "md", "topology.cluster.x-k8s.io/owned": ""}},
            "spec": {"clusterName": name, "replicas": 2, "template": {"spec": {"version": from}}},
            "status": {"replicas": 2}}),
    ];
    all.extend((0..2).map(machine));
    all
}

/// A hosted cluster, with the Cluster that HyperShift makes for it.
fn hosted() -> Vec<Value> {
    let version = json!({"desired": {"version": "4.18.3", "image": "i"}, "history": [
        {"state": "Completed", "version": "4.18.3", "image": "i", "startedTime": at(-900), "completionTime": at(-300)}]});
    vec![
        json!({"kind": "HostedCluster", "metadata": {"namespace": "bay", "name": "tern", "uid": "uid-tern"},
            "spec": {"release": {"image": "i"}}, "status": {"version": version.clone(), "controlPlaneVersion": version,
                "conditions": [{"type": "Available", "status": "True", "reason": "AsExpected"}]}}),
        json!({"kind": "Cluster", "metadata": {"namespace": "bay-tern", "name": "tern-x7"}}),
        json!({"kind": "ControlPlaneComponent", "metadata": {"namespace": "bay-tern", "name": "etcd"},
            "status": {"version": "4.18.3", "conditions": [{"type": "RolloutComplete", "status": "True"}]}}),
        json!({"kind": "NodePool", "metadata": {"namespace": "bay", "name": "w"}, "spec": {"clusterName": "tern",
            "replicas": 2, "release": {"image": "i"}}, "status": {"replicas": 2, "version": "4.18.3"}}),
    ]
}

/// Three clusters of Cluster API, one of them on its way, and a hosted one.
fn world() -> Vec<Value> {
    let class = json!({"kind": "ClusterClass", "metadata": {"namespace": "fleet", "name": "standard"},
        "spec": {"kubernetesVersions": ["v1.33.1", "v1.34.1"]}});
    let extension = json!({"kind": "ExtensionConfig", "metadata": {"name": "ours"}});
    let mut all = vec![class, extension];
    for (name, from) in [("a", "v1.34.1"), ("b", "v1.33.1"), ("c", "v1.34.1")] {
        all.extend(cluster(name, from, "v1.34.1"));
    }
    all.extend(hosted());
    all
}

/// All that the informers of a world say, each in its own order.
fn said(objects: &[Value]) -> BTreeMap<Source, Vec<Msg>> {
    let mut by_source: BTreeMap<Source, Vec<Kind<Object>>> = BTreeMap::new();
    for source in served() {
        let fact = Object::Served("v1beta2".into());
        let upsert = Kind::Upsert { uid: source.name().to_owned(), fact, flaws: Vec::new() };
        by_source.entry(Source::Served).or_insert_with(|| vec![Kind::Hello]).push(upsert);
        by_source.insert(source, vec![Kind::Hello]);
    }
    for value in objects {
        let (source, fact) = object(value);
        let upsert = Kind::Upsert { uid: uid(value), fact, flaws: Vec::new() };
        by_source.get_mut(&source).unwrap().push(upsert);
    }
    let number = |(source, mut kinds): (Source, Vec<Kind<Object>>)| {
        let known = kinds.iter().filter_map(|kind| match kind {
            Kind::Upsert { uid, .. } => Some(uid.clone()),
            _ => None,
        });
        let known = known.collect();
        kinds.push(Kind::Synced { known });
        let msg = |(seq, kind)| Msg { source: source.clone(), epoch: 1, seq, at: NOW, kind };
        let msgs = (1..).zip(kinds).map(msg).collect();
        (source, msgs)
    };
    by_source.into_iter().map(number).collect()
}

/// Who watches a world of which everything was said.
fn watching(objects: &[Value]) -> Watch {
    let mut observer = Observer::new(Timing::default());
    for msg in said(objects).into_values().flatten() {
        observer.apply(msg);
    }
    Watch { observer, seq: 100, now: NOW }
}

struct Watch {
    observer: Observer,
    seq: u64,
    now: Timestamp,
}

impl Watch {
    fn say(&mut self, source: Source, kind: Kind<Object>) -> bool {
        self.seq += 1;
        self.observer.apply(Msg { source, epoch: 1, seq: self.seq, at: self.now, kind })
    }

    fn sees(&mut self, value: &Value) -> bool {
        let (source, fact) = object(value);
        self.say(source, Kind::Upsert { uid: uid(value), fact, flaws: Vec::new() })
    }

    fn pass(&mut self, seconds: i64) {
        self.now += SignedDuration::from_secs(seconds);
        // Every informer is alive.
        for source in served().into_iter().chain([Source::Served]) {
            self.say(source, Kind::Beat { lag: SignedDuration::ZERO });
        }
    }

    /// Looks at all that are due, and names them; `-` before one that is gone.
    fn looks(&mut self) -> Vec<String> {
        let due = self.observer.due(self.now);
        let told = due.into_iter().map(|key| {
            let is_there = self.observer.look(&key, None, self.now).is_some();
            format!("{}{}", if is_there { "" } else { "-" }, key.name)
        });
        told.collect()
    }
}

fn key(form: Form, namespace: &str, name: &str) -> Key {
    Key { form, namespace: namespace.into(), name: name.into() }
}

/// What is seen of all clusters at once, as a look from files sees it.
fn rows_of_files(objects: &[Value]) -> BTreeMap<String, (headway_api::fleet::Row, Vec<Gap>)> {
    let mut inventory = Inventory {
        moment: Moment { at: NOW, clock: Clock::Now },
        seen: Seen {
            machine_deployments: true,
            machine_pools: true,
            machines: true,
            machine_sets: true,
            hosted_control_planes: true,
            components: true,
            node_pools: true,
            extensions: true,
            budgets: false,
        },
        ..Inventory::default()
    };
    for value in objects {
        match object(value).1 {
            Object::Cluster(o) => inventory.clusters.push((*o).clone()),
            Object::ClusterClass(o) => inventory.classes.push((*o).clone()),
            Object::ControlPlane(o) => inventory.control_planes.push((*o).clone()),
            Object::MachineDeployment(o) => inventory.machine_deployments.push((*o).clone()),
            Object::Machine(o) => inventory.machines.push((*o).clone()),
            Object::ExtensionConfig(o) => inventory.extensions.push((*o).clone()),
            Object::HostedCluster(o) => inventory.hosted_clusters.push((*o).clone()),
            Object::ControlPlaneComponent(o) => inventory.components.push((*o).clone()),
            Object::NodePool(o) => inventory.node_pools.push((*o).clone()),
            other => panic!("{other:?}"),
        }
    }
    let told = members(&inventory).into_iter().map(|member| {
        let report = report(&inventory, &member);
        (member.told(), (row(&report), report.gaps))
    });
    told.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn us_3_7_informers_in_any_order_tell_what_files_tell(turns in Just(
        said(&world()).into_iter().flat_map(|(source, msgs)| vec![source; msgs.len()]).collect::<Vec<_>>()
    ).prop_shuffle()) {
        let mut queues: BTreeMap<Source, std::vec::IntoIter<Msg>> =
            said(&world()).into_iter().map(|(source, msgs)| (source, msgs.into_iter())).collect();
        let mut observer = Observer::new(Timing::default());
        for source in turns {
            observer.apply(queues.get_mut(&source).unwrap().next().unwrap());
        }
        prop_assert_eq!(observer.awaited(NOW), vec![]);
        let mut seen = BTreeMap::new();
        for key in observer.due(NOW) {
            if let Some(sight) = observer.look(&key, None, NOW) {
                seen.insert(format!("{}/{}", key.namespace, key.name), (row(&sight.report), sight.report.gaps));
            }
        }
        prop_assert_eq!(seen, rows_of_files(&world()));
    }
}

#[test]
fn the_cluster_on_its_way_is_told_so_and_the_others_are_done() {
    let told: Vec<_> = rows_of_files(&world()).into_iter().map(|(name, (row, _))| (name, row.outcome)).collect();
    let expect = [
        ("bay/tern", Outcome::NotUpdating),
        ("fleet/a", Outcome::NotUpdating),
        ("fleet/b", Outcome::Updating),
        ("fleet/c", Outcome::NotUpdating),
    ];
    assert_eq!(told, expect.map(|(name, outcome)| (name.to_owned(), outcome)), "or the property above shows little");
}

#[test]
fn a_change_is_of_its_own_cluster_alone() {
    let mut watch = watching(&world());
    assert_eq!(watch.looks(), ["tern", "a", "b", "c"]);
    assert_eq!(watch.looks(), [""; 0], "nothing has changed");
    let check = |watch: &mut Watch, changed: &Value, expect: &[&str]| {
        watch.pass(2);
        assert!(watch.sees(changed), "{changed}");
        assert_eq!(watch.looks(), expect, "{changed}");
        assert!(!watch.sees(changed), "told twice");
        assert_eq!(watch.looks(), [""; 0], "{changed}");
    };
    let of_b = cluster("b", "v1.34.1", "v1.34.1");
    check(&mut watch, &of_b[1], &["b"]);
    check(&mut watch, &of_b[2], &["b"]);
    check(&mut watch, &of_b[3], &["b"]);
    let mut pool = hosted().remove(3);
    pool["status"]["replicas"] = 1.into();
    check(&mut watch, &pool, &["tern"]);
    let mut component = hosted().remove(2);
    component["status"]["version"] = "4.18.2".into();
    check(&mut watch, &component, &["tern"]);
    let class = json!({"kind": "ClusterClass", "metadata": {"namespace": "fleet", "name": "standard"},
        "spec": {"kubernetesVersions": ["v1.34.1"]}});
    check(&mut watch, &class, &["a", "b", "c"]);
    let stranger = json!({"kind": "ClusterClass", "metadata": {"namespace": "fleet", "name": "other"}});
    check(&mut watch, &stranger, &[]);
    let machine = json!({"kind": "Machine", "metadata": {"namespace": "fleet", "name": "stray"}});
    check(&mut watch, &machine, &[]);
}

#[test]
fn what_changes_together_is_looked_at_together() {
    let mut watch = watching(&world());
    watch.looks();
    watch.pass(5);
    let of_b = cluster("b", "v1.34.1", "v1.34.1");
    watch.sees(&of_b[3]);
    assert_eq!(watch.looks(), ["b"]);
    watch.sees(&of_b[4]);
    assert_eq!(watch.looks(), [""; 0], "it was looked at just now");
    assert_eq!(watch.observer.next(watch.now), Some(watch.now + SignedDuration::from_secs(1)));
    watch.pass(1);
    assert_eq!(watch.looks(), ["b"]);
}

#[test]
fn a_cluster_that_goes_is_told_once_and_its_machines_are_nobodys() {
    let mut watch = watching(&world());
    watch.looks();
    watch.pass(2);
    let b = key(Form::ClusterApi, "fleet", "b");
    assert!(!watch.observer.is_gone(&b));
    watch.say(Source::Clusters, Kind::Remove { uid: "fleet/b".into() });
    assert_eq!(watch.looks(), ["-b"]);
    assert!(watch.observer.is_gone(&b));
    watch.pass(2);
    assert!(watch.say(Source::Machines, Kind::Remove { uid: "fleet/b-m0".into() }));
    assert_eq!(watch.looks(), [""; 0]);
    watch.pass(2);
    watch.sees(&cluster("b", "v1.33.1", "v1.34.1")[0]);
    assert_eq!(watch.looks(), ["b"], "one of that name is there again");
}

#[test]
fn the_cluster_that_hypershift_makes_is_none_of_its_own() {
    let mut watch = watching(&world());
    let inner = key(Form::ClusterApi, "bay-tern", "tern-x7");
    assert!(!watch.looks().contains(&"tern-x7".to_owned()));
    watch.pass(2);
    watch.say(Source::HostedClusters, Kind::Remove { uid: "bay/tern".into() });
    assert_eq!(watch.looks(), ["-tern", "tern-x7"], "it belongs to nobody any more");
    watch.pass(2);
    watch.sees(&hosted()[0]);
    assert_eq!(watch.looks(), ["tern", "-tern-x7"]);
    assert!(watch.observer.is_gone(&inner));
}

#[test]
fn us_s25_what_a_new_list_lacks_goes_when_its_grace_is_over() {
    let mut watch = watching(&world());
    watch.looks();
    watch.seq = 0;
    let say = |watch: &mut Watch, kind: Kind<Object>| {
        watch.seq += 1;
        let msg = Msg { source: Source::Clusters, epoch: 2, seq: watch.seq, at: watch.now, kind };
        watch.observer.apply(msg);
    };
    say(&mut watch, Kind::Hello);
    let known: BTreeSet<String> = ["fleet/a", "fleet/c", "bay-tern/tern-x7"].map(str::to_owned).into();
    say(&mut watch, Kind::Synced { known });
    watch.now = at(59);
    say(&mut watch, Kind::Beat { lag: SignedDuration::ZERO });
    let gone = |looks: Vec<String>| looks.into_iter().filter(|name| name.starts_with('-')).collect::<Vec<_>>();
    assert_eq!(gone(watch.looks()), [""; 0], "a list may be read from a server that is behind");
    watch.now = at(60);
    assert_eq!(gone(watch.looks()), ["-b"]);
}

#[test]
fn what_may_not_be_read_is_a_gap_of_those_it_concerns() {
    use FailureKind::{Forbidden, Unreachable};
    let check = |source: Source, kind: FailureKind, expect: Option<GapKind>, hosted: Option<GapKind>| {
        let mut observer = Observer::new(Timing::default());
        for (of, msgs) in said(&world()) {
            let known = of != source;
            msgs.into_iter().filter(|_| known).for_each(|msg| {
                observer.apply(msg);
            });
        }
        let message = format!("may not list {source}");
        let failed = Kind::Failed(Failure { kind, message: message.clone() });
        observer.apply(Msg { source: source.clone(), epoch: 1, seq: 1, at: NOW, kind: failed });
        let is_awaited = kind == Unreachable;
        assert_eq!(observer.awaited(NOW).contains(&source), is_awaited, "{source}: it may still come");
        assert_eq!(observer.awaited(at(46)), [], "{source}: it holds up nothing for ever");
        observer.due(at(46));
        for (key, expect) in [(key(Form::ClusterApi, "fleet", "a"), expect), (key(Form::Hosted, "bay", "tern"), hosted)]
        {
            let sight = observer.look(&key, None, at(46)).unwrap();
            let found = sight.report.gaps.iter().find(|gap| gap.message == message).map(|gap| gap.kind);
            assert_eq!(found, expect, "{source} for {key:?}: {:?}", sight.report.gaps);
            if expect.is_some_and(GapKind::is_serious) {
                assert_eq!(sight.report.outcome, Outcome::CannotTell, "{source} for {key:?}");
            }
        }
    };
    check(Source::Machines, Forbidden, Some(GapKind::Refused), Some(GapKind::Refused));
    check(kubeadm(), Forbidden, Some(GapKind::Refused), None);
    check(kubeadm(), Unreachable, Some(GapKind::Unreadable), None);
    check(Source::MachineHealthChecks, Forbidden, Some(GapKind::Optional), None);
    check(Source::NodePools, Forbidden, None, Some(GapKind::Refused));
}

#[test]
fn control_planes_of_another_provider_are_no_matter_of_a_cluster_that_has_its_own() {
    let mut watch = watching(&world());
    let failure = Failure { kind: FailureKind::Forbidden, message: "may not list rke2controlplanes".into() };
    watch.say(Source::ControlPlanes("rke2controlplanes".into()), Kind::Failed(failure));
    watch.say(kubeadm(), Kind::Remove { uid: "fleet/b-cp".into() });
    let mut told = |name: &str| {
        let report = watch.observer.look(&key(Form::ClusterApi, "fleet", name), None, NOW).unwrap().report;
        report.gaps.iter().any(|gap| gap.message == "may not list rke2controlplanes")
    };
    assert!(!told("a"));
    assert!(told("b"), "its own was not seen");
}

#[test]
fn nothing_is_known_to_be_gone_while_clusters_may_not_be_read() {
    let mut observer = Observer::new(Timing::default());
    let cluster = key(Form::ClusterApi, "fleet", "a");
    assert!(!observer.is_gone(&cluster), "nobody has said anything");
    let failure = Failure { kind: FailureKind::Forbidden, message: "no".into() };
    let msg = |source, seq, kind| Msg { source, epoch: 1, seq, at: NOW, kind };
    observer.apply(msg(Source::Clusters, 1, Kind::Synced { known: BTreeSet::new() }));
    assert!(observer.is_gone(&cluster), "all were told, and it is not among them");
    observer.apply(msg(Source::Clusters, 2, Kind::Failed(failure)));
    assert!(!observer.is_gone(&cluster));
    assert_eq!(observer.awaited(NOW), [Source::Served], "what there is to wait for is not known");
}

#[test]
fn us_s20_an_informer_that_is_silent_is_told_of_by_its_clusters() {
    let mut watch = watching(&world());
    watch.looks();
    watch.now = at(121);
    for source in served().into_iter().chain([Source::Served]).filter(|source| *source != Source::NodePools) {
        watch.say(source, Kind::Beat { lag: SignedDuration::ZERO });
    }
    let states: Vec<_> = watch.observer.informers(watch.now).into_iter().map(|it| (it.source, it.state)).collect();
    assert!(states.contains(&(Source::NodePools, InformerState::Stale)));
    let tern = key(Form::Hosted, "bay", "tern");
    assert!(watch.observer.due(watch.now).contains(&tern), "nothing else has changed of it");
    let gaps = watch.observer.look(&tern, None, watch.now).unwrap().report.gaps;
    assert!(gaps.iter().any(|gap| gap.message.starts_with("what is known of nodepools is 121 s old")), "{gaps:?}");
    let a = watch.observer.look(&key(Form::ClusterApi, "fleet", "a"), None, watch.now).unwrap();
    assert_eq!(a.report.outcome, Outcome::NotUpdating, "it is none of its informers");
}

#[test]
fn the_object_that_a_cluster_is_can_own_its_status() {
    let mut watch = watching(&world());
    let owner = watch.observer.look(&key(Form::ClusterApi, "fleet", "a"), None, NOW).unwrap().owner;
    assert_eq!(
        (owner.api_version.as_str(), owner.kind, owner.name.as_str()),
        ("cluster.x-k8s.io/v1beta2", "Cluster", "a")
    );
    assert_eq!(owner.uid, "uid-a");
    let owner = watch.observer.look(&key(Form::Hosted, "bay", "tern"), None, NOW).unwrap().owner;
    assert_eq!(owner.api_version, "hypershift.openshift.io/v1beta2", "as it is served");
}
