//! What a node carries that no status needs: images, addresses, volumes, owners of fields.
//!
//! It is nine tenths of a recording, and skipping it fast is what the bench measures.

use serde_json::{Map, Value, json};

use super::super::fleet::Member;
use super::super::moment::{HOUR, ago};
use super::super::seed::Seed;

/// Images that a kubelet reports: it stops at 50.
const IMAGES: u32 = 50;

/// Different images in the whole cluster, of which each node has some.
const IMAGES_OF_CLUSTER: u32 = 180;

/// Annotations of the network, the storage and the machine.
pub(super) fn annotations(member: Member) -> Map<String, Value> {
    let name = member.name();
    let seed = member.seed();
    let address = address(member);
    let mac = mac(member);
    let machine = seed.under("machine").hex(17);
    let rows = [
        (
            "cloud.network.openshift.io/egress-ipconfig",
            format!(
                "[{{\"interface\":\"berth-{}\",\"ifaddr\":{{\"ipv4\":\"10.0.0.0/9\"}},\"capacity\":{{\"ip\":64}}}}]",
                &machine[..12]
            ),
        ),
        ("csi.volume.kubernetes.io/nodeid", format!("{{\"csi.seaport.example\":\"{machine}\"}}")),
        ("k8s.ovn.org/host-cidrs", format!("[\"{address}/9\"]")),
        (
            "k8s.ovn.org/l3-gateway-config",
            format!(
                "{{\"default\":{{\"mode\":\"shared\",\"bridge-id\":\"br-ex\",\"interface-id\":\"br-ex_{name}\",\"mac-address\":\"{mac}\",\
                  \"ip-addresses\":[\"{address}/9\"],\"ip-address\":\"{address}/9\",\"next-hops\":[\"10.0.0.1\"],\"node-port-enable\":\"true\",\"vlan-id\":\"0\"}}}}"
            ),
        ),
        ("k8s.ovn.org/network-ids", "{\"default\":\"0\"}".to_owned()),
        ("k8s.ovn.org/node-chassis-id", seed.under("chassis").uuid()),
        ("k8s.ovn.org/node-id", (member.index + 2).to_string()),
        ("k8s.ovn.org/node-primary-ifaddr", format!("{{\"ipv4\":\"{address}/9\"}}")),
        (
            "k8s.ovn.org/node-subnets",
            format!("{{\"default\":[\"10.{}.{}.0/23\"]}}", 128 + member.index / 128 % 128, member.index % 128 * 2),
        ),
        ("k8s.ovn.org/remote-zone-migrated", name.clone()),
        ("k8s.ovn.org/zone-name", name.clone()),
        ("machine.openshift.io/machine", format!("openshift-machine-api/{name}")),
        ("volumes.kubernetes.io/controller-managed-attach-detach", "true".to_owned()),
    ];
    rows.into_iter().map(|(key, value)| (key.to_owned(), Value::String(value))).collect()
}

/// Labels of the machine and its place.
pub(super) fn labels(member: Member) -> Map<String, Value> {
    let zone = member.zone();
    let name = member.name();
    let rows = [
        ("beta.kubernetes.io/arch", "amd64"),
        ("beta.kubernetes.io/instance-type", "sloop.4xlarge"),
        ("beta.kubernetes.io/os", "linux"),
        ("failure-domain.beta.kubernetes.io/region", "north-1"),
        ("failure-domain.beta.kubernetes.io/zone", zone),
        ("kubernetes.io/arch", "amd64"),
        ("kubernetes.io/hostname", &name),
        ("kubernetes.io/os", "linux"),
        ("node.kubernetes.io/instance-type", "sloop.4xlarge"),
        ("node.openshift.io/os_id", "rhel"),
        ("topology.csi.seaport.example/zone", zone),
        ("topology.kubernetes.io/region", "north-1"),
        ("topology.kubernetes.io/zone", zone),
    ];
    rows.into_iter().map(|(key, value)| (key.to_owned(), json!(value))).collect()
}

/// Who wrote which fields: keys in a notation of their own, and empty maps.
pub(super) fn managed_fields(member: Member) -> Value {
    let condition =
        json!({"f:lastHeartbeatTime": {}, "f:lastTransitionTime": {}, "f:message": {}, "f:reason": {}, "f:status": {}});
    json!([
        {
            "apiVersion": "v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:metadata": {"f:annotations": {
                ".": {},
                "f:machineconfiguration.openshift.io/currentConfig": {},
                "f:machineconfiguration.openshift.io/desiredConfig": {},
                "f:machineconfiguration.openshift.io/state": {},
            }}},
            "manager": "machine-config-daemon",
            "operation": "Update",
            "time": ago(3 * HOUR + member.index % 900),
        },
        {
            "apiVersion": "v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:status": {
                "f:conditions": {"k:{\"type\":\"Ready\"}": condition},
                "f:images": {},
            }},
            "manager": "kubelet",
            "operation": "Update",
            "subresource": "status",
            "time": ago(30 + member.index % 200),
        },
    ])
}

/// The whole status around the given conditions.
pub(super) fn status(member: Member, conditions: Value) -> Value {
    let seed = member.seed();
    let volumes: Vec<_> = (0_u32..2)
        .map(|index| format!("kubernetes.io/csi/csi.seaport.example^pvc-{}", seed.under("volume").at(index).uuid()))
        .collect();
    let attached: Vec<_> = volumes.iter().map(|name| json!({"devicePath": "", "name": name})).collect();
    json!({
        "addresses": [
            {"address": address(member), "type": "InternalIP"},
            {"address": member.name(), "type": "Hostname"},
        ],
        "allocatable": resources("15500m", "430324115029", "63212912Ki"),
        "capacity": resources("16", "468113388Ki", "64363888Ki"),
        "conditions": conditions,
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
        "images": images(member),
        "nodeInfo": {
            "architecture": "amd64",
            "bootID": seed.under("boot").uuid(),
            "containerRuntimeVersion": "cri-o://1.33.4-2.rhaos4.20.git1a2b3c4.el9",
            "kernelVersion": "5.14.0-570.62.1.el9_6.x86_64",
            "kubeProxyVersion": "",
            "kubeletVersion": member.running().kubelet(),
            "machineID": seed.under("system").hex(32),
            "operatingSystem": "linux",
            "osImage": format!("Red Hat Enterprise Linux CoreOS 9.6.20260412-0 ({})", member.running().version()),
            "systemUUID": seed.under("system").uuid(),
        },
        "volumesAttached": attached,
        "volumesInUse": volumes,
    })
}

fn resources(cpu: &str, storage: &str, memory: &str) -> Value {
    json!({"cpu": cpu, "ephemeral-storage": storage, "hugepages-1Gi": "0", "hugepages-2Mi": "0", "memory": memory, "pods": "250"})
}

fn images(member: Member) -> Value {
    let first = member.seed().under("images").below(IMAGES_OF_CLUSTER);
    let images = (0..IMAGES).map(|place| {
        let image = (first + place) % IMAGES_OF_CLUSTER;
        let digest = Seed::of("image").at(image).hex(64);
        json!({
            "names": [
                format!("seaport.example/payload@sha256:{digest}"),
                "seaport.example/payload:<none>",
            ],
            // The largest come first, as the kubelet reports them.
            "sizeBytes": 2_400_000_000_u32 - 40_000_003 * place + image,
        })
    });
    images.collect()
}

fn address(member: Member) -> String {
    let index = member.index + 10;
    format!("10.{}.{}.{}", index / 65_536 % 128, index / 256 % 256, index % 256)
}

fn mac(member: Member) -> String {
    let digits = member.seed().under("mac").hex(10);
    format!("0a:{}:{}:{}:{}:{}", &digits[..2], &digits[2..4], &digits[4..6], &digits[6..8], &digits[8..])
}
