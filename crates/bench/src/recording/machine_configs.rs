//! The machine configs: few, and heavy with the contents of files, of which a status needs one annotation.

use serde_json::{Value, json};

use super::fleet::{Release, Role};
use super::moment::{HOUR, ago};
use super::seed::Seed;

/// What people and controllers wrote: name, role, and about how many bytes of file contents.
const SOURCES: [(&str, Role, usize); 16] = [
    ("00-master", Role::Master, 96_000),
    ("00-worker", Role::Worker, 88_000),
    ("01-master-container-runtime", Role::Master, 6_000),
    ("01-master-kubelet", Role::Master, 9_000),
    ("01-worker-container-runtime", Role::Worker, 6_000),
    ("01-worker-kubelet", Role::Worker, 9_000),
    ("50-infra-moorings", Role::Infra, 2_500),
    ("97-master-generated-kubelet", Role::Master, 3_000),
    ("97-worker-generated-kubelet", Role::Worker, 3_000),
    ("98-master-generated-kubelet", Role::Master, 1_200),
    ("98-worker-generated-kubelet", Role::Worker, 1_200),
    ("99-infra-chrony", Role::Infra, 1_000),
    ("99-master-generated-registries", Role::Master, 4_000),
    ("99-master-ssh", Role::Master, 800),
    ("99-worker-generated-registries", Role::Worker, 4_000),
    ("99-worker-ssh", Role::Worker, 800),
];

/// File contents of a rendered config: what all its sources hold, and a certificate bundle.
const RENDERED_BYTES: usize = 184_000;

/// Every machine config of the cluster, sources before what is rendered out of them.
pub(crate) fn machine_configs() -> Vec<Value> {
    let sources = SOURCES.into_iter().map(|(name, role, bytes)| {
        json!({
            "apiVersion": "machineconfiguration.openshift.io/v1",
            "kind": "MachineConfig",
            "metadata": {
                "annotations": {"machineconfiguration.openshift.io/generated-by-controller-version": Seed::of("controller").hex(40)},
                "creationTimestamp": ago(9_100 * HOUR),
                "generation": 1,
                "labels": {"machineconfiguration.openshift.io/role": role.name()},
                "name": name,
                "resourceVersion": Seed::of(name).resource_version(),
                "uid": Seed::of(name).uuid(),
            },
            "spec": spec(Seed::of(name), bytes),
        })
    });
    let pairs =
        Role::ALL.into_iter().flat_map(|role| [Release::Before, Release::Target].map(|release| (role, release)));
    sources.chain(pairs.map(|(role, release)| rendered(role, release))).collect()
}

/// The names of the machine configs that a pool is rendered from.
pub(crate) fn sources(role: Role) -> impl Iterator<Item = &'static str> {
    // The pool of the infra nodes takes the workers' configs too, and adds its own.
    let takes = move |other: Role| other == role || (role == Role::Infra && other == Role::Worker);
    SOURCES.into_iter().filter(move |(_, other, _)| takes(*other)).map(|(name, _, _)| name)
}

fn rendered(role: Role, release: Release) -> Value {
    let name = role.rendered(release);
    let age = match release {
        Release::Before => 2_000 * HOUR,
        Release::Target => 3 * HOUR + 600,
    };
    json!({
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "MachineConfig",
        "metadata": {
            "annotations": {
                "machineconfiguration.openshift.io/generated-by-controller-version": Seed::of("controller").under(release.version()).hex(40),
                "machineconfiguration.openshift.io/release-image-version": release.version(),
            },
            "creationTimestamp": ago(age),
            "generation": 1,
            "name": name,
            "ownerReferences": [{
                "apiVersion": "machineconfiguration.openshift.io/v1",
                "blockOwnerDeletion": true,
                "controller": true,
                "kind": "MachineConfigPool",
                "name": role.name(),
                "uid": Seed::of("pool").under(role.name()).uuid(),
            }],
            "resourceVersion": Seed::of(&name).resource_version(),
            "uid": Seed::of(&name).uuid(),
        },
        "spec": spec(Seed::of(&name), RENDERED_BYTES),
    })
}

fn spec(seed: Seed, bytes: usize) -> Value {
    json!({
        "baseOSExtensionsContainerImage": "",
        "config": {
            "ignition": {"version": "3.5.0"},
            "storage": {"files": files(seed, bytes)},
            "systemd": {"units": [unit(seed)]},
        },
        "extensions": [],
        "fips": false,
        "kernelArguments": ["moorings=2", "systemd.unified_cgroup_hierarchy=1"],
        "kernelType": "default",
        "osImageURL": format!("registry.seaport.example:5000/openshift/machine-os@sha256:{}", seed.under("os").hex(64)),
    })
}

/// Files of uneven length, some encoded and some escaped, until the bytes are used up.
fn files(seed: Seed, bytes: usize) -> Vec<Value> {
    let mut files = Vec::new();
    let mut left = bytes;
    while left > 0 {
        let index = u32::try_from(files.len()).unwrap_or(u32::MAX);
        let seed = seed.at(index);
        // Under 16,000, which a usize always holds.
        let length = left.min(200 + usize::try_from(seed.below(15_000)).unwrap_or(0));
        let source = if index % 3 == 2 {
            // Percent signs, as in a file that was escaped rather than encoded.
            format!("data:,%23%20{}%0A", seed.base64(length).replace('/', "%2F"))
        } else {
            format!("data:text/plain;charset=utf-8;base64,{}", seed.base64(length))
        };
        files.push(json!({
            "contents": {"compression": "", "source": source},
            "mode": 420,
            "overwrite": true,
            "path": format!("/etc/seaport/berth-{index:02}.conf"),
        }));
        left -= length;
    }
    files
}

/// A unit file: text of several lines, with comments and blank lines in it.
fn unit(seed: Seed) -> Value {
    json!({
        "contents": format!(
            "[Unit]\nDescription=Moorings {}\nAfter=network-online.target\n\n# Kept until the last pod has left.\n[Service]\nType=oneshot\n\
             ExecStart=/usr/local/bin/moor --berth \"{}\"\n\n[Install]\nWantedBy=multi-user.target\n",
            seed.hex(8), seed.under("berth").below(64)
        ),
        "enabled": true,
        "name": "moorings.service",
    })
}
