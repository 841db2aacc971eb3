//! Moving a cluster from one ClusterClass to another: rule R2.

use headway_api::cluster_api::{ClusterClass, TemplateRef, Topology, WorkerClass};

/// Why the parts of a cluster cannot be made of another class, each with the reason.
///
/// A template may be another one, of another version of its kind; another kind would mean other machines.
pub(super) fn misfits(from: &ClusterClass, to: &ClusterClass, topology: &Topology) -> Vec<String> {
    let (old, new) = (&from.spec, &to.spec);
    let mut all: Vec<String> = Vec::new();
    let mut compare = |what: &str, old: Option<&TemplateRef>, new: Option<&TemplateRef>| {
        if kind(old) != kind(new) {
            all.push(format!("{what} would change from {} to {}", said(old), said(new)));
        }
    };
    compare("the infrastructure", old.infrastructure.reference(), new.infrastructure.reference());
    compare("the control plane", old.control_plane.reference(), new.control_plane.reference());
    compare(
        "the machines of the control plane",
        old.control_plane.machine_infrastructure.reference(),
        new.control_plane.machine_infrastructure.reference(),
    );
    for (kind, old, new) in [
        ("MachineDeployments", &old.workers.machine_deployments, &new.workers.machine_deployments),
        ("MachinePools", &old.workers.machine_pools, &new.workers.machine_pools),
    ] {
        for class in old {
            if let Some(same) = named(new, &class.class) {
                let what = format!("{kind} of class {}", class.class);
                compare(&what, class.infrastructure(), same.infrastructure());
            }
        }
    }
    for (entries, classes, kind) in [
        (&topology.workers.machine_deployments, &new.workers.machine_deployments, "machineDeployments"),
        (&topology.workers.machine_pools, &new.workers.machine_pools, "machinePools"),
    ] {
        for entry in entries.iter().filter(|entry| named(classes, &entry.class).is_none()) {
            all.push(format!("it has no class {} for entry {} of workers.{kind}", entry.class, entry.name));
        }
    }
    all
}

fn named<'a>(classes: &'a [WorkerClass], name: &str) -> Option<&'a WorkerClass> {
    classes.iter().find(|class| class.class == name)
}

fn kind(reference: Option<&TemplateRef>) -> Option<(&str, &str)> {
    reference.map(|it| (it.group(), it.kind.as_str()))
}

fn said(reference: Option<&TemplateRef>) -> String {
    match reference {
        Some(it) if it.group().is_empty() => it.kind.clone(),
        Some(it) => format!("{}.{}", it.kind, it.group()),
        None => "none".into(),
    }
}
