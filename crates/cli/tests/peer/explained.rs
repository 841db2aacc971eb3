//! Which changed lines are explained, by the number of the entry in docs/differences.md.

use std::collections::BTreeSet;
use std::fmt;

use super::fixtures::Example;

/// On which side a changed line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The peer prints it, and we do not.
    Gone,
    /// We print it, and the peer does not.
    New,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gone => "-",
            Self::New => "+",
        })
    }
}

/// An entry's number, the example (`*` for all), the side, and the line, in which `*` stands for any text.
type Pattern = (u8, &'static str, Side, &'static str);

use Side::{Gone, New};

const DEGRADED: &str = "4.14.1-degraded";
const EARLY: &str = "4.15.0-ec2-early";
const ALERTS: &str = "4.15.0-ec2-unavailable-mco-20m";
const PDB: &str = "4.16.0-ec2-control-plane-updated-pdb-prohibits-draining";
const REASON: &str = "ocpbugs-60768";

const PATTERNS: &[Pattern] = &[
    // D13: half a millisecond is not six minutes.
    (13, EARLY, Gone, "kube-apiserver   6m8s   NodeInstaller   *"),
    (13, EARLY, New, "kube-apiserver   now   NodeInstaller   *"),
    // D17: which pod or namespace an alert speaks of; no invented API group.
    (17, ALERTS, Gone, "*Alert is firing: *"),
    (17, ALERTS, New, "*Alert is firing: * (namespace openshift-monitoring)"),
    (17, ALERTS, New, "*Alert is firing: * (pod openshift-kube-apiserver/kube-apiserver-startup-monitor-*)"),
    (17, ALERTS, Gone, "    alerts.config.openshift.io: openshift-*"),
    (17, ALERTS, New, "    alerts: openshift-*"),
    // D18: no comma in front of continued lines.
    (18, "*", Gone, "               , *"),
    (18, DEGRADED, New, "               EtcdMembersDegraded: *"),
    (18, DEGRADED, New, "               NodeControllerDegraded: *"),
    (18, REASON, New, "               time=\"2025-08-19T22:14:*"),
    (18, REASON, New, "               Error: initializing source *"),
    (18, REASON, New, "               : exit status 125]"),
    // D19: the message of a node is one line.
    (19, REASON, Gone, "ci-op-pw3ghqzh-bb5c4-pdhfc-master-1   Degraded   Updating   *i/o timeout\""),
    (19, REASON, Gone, "time=\"2025-08-19T22:14:*"),
    (19, REASON, Gone, "Error: initializing source *"),
    (19, REASON, Gone, ": exit status 125]"),
    (19, REASON, New, "ci-op-pw3ghqzh-bb5c4-pdhfc-master-1   Degraded   Updating   *..."),
    // D25: seven nodes with one trouble are one line.
    (25, PDB, Gone, "-   Error   Update Stalled   Node build0-gstfj-ci-* is degraded"),
    (25, PDB, Gone, "Message: Node build0-gstfj-ci-* is degraded"),
    (25, PDB, Gone, "    nodes: build0-gstfj-ci-*"),
    (25, PDB, Gone, "  Description: failed to drain node: build0-gstfj-ci-*"),
    (25, PDB, Gone, "  Since:   -"),
    (25, PDB, Gone, "  Since:       -"),
    (25, PDB, Gone, "  Level:   Error"),
    (25, PDB, Gone, "  Impact:   Update Stalled"),
    (25, PDB, Gone, "  Reference:   https://*machine-configuration-tasks*"),
    (25, PDB, Gone, "  Resources:"),
    (
        25,
        PDB,
        New,
        "-   Error   Update Stalled   7 nodes of pool worker are degraded: failed to drain node: <node> after *",
    ),
    (25, PDB, New, "Message: 7 nodes of pool worker are degraded: failed to drain node: <node> after *"),
    (25, PDB, New, "    nodes: build0-gstfj-ci-*, build0-gstfj-ci-*"),
    (25, PDB, New, "  Description: failed to drain node: <node> after *"),
    // D26: ClusterVersion fails for its operators, machine-config for its node.
    (26, DEGRADED, Gone, "now   Warning   Update Stalled   Cluster Version version is failing *"),
    (26, DEGRADED, Gone, "Message: Cluster Version version is failing *"),
    (26, DEGRADED, Gone, "  Since:   now"),
    (26, DEGRADED, Gone, "  Level:   Warning"),
    (26, DEGRADED, Gone, "  Impact:   Update Stalled"),
    (26, DEGRADED, Gone, "  Reference:   https://*ClusterOperatorDegraded.md"),
    (26, DEGRADED, Gone, "  Resources:"),
    (26, DEGRADED, Gone, "    clusterversions.config.openshift.io: version"),
    (26, DEGRADED, Gone, "  Description: Cluster operators etcd, kube-apiserver are degraded"),
    (26, DEGRADED, New, "  Related:   Cluster Version version is failing *"),
    (26, REASON, Gone, "8m55s   Warning   API Availability   Cluster Operator machine-config is degraded *"),
    (26, REASON, Gone, "Message: Cluster Operator machine-config is degraded *"),
    (26, REASON, Gone, "  Since:   8m55s"),
    (26, REASON, Gone, "  Level:   Warning"),
    (26, REASON, Gone, "  Impact:   API Availability"),
    (26, REASON, Gone, "  Reference:   https://*ClusterOperatorDegraded.md"),
    (26, REASON, Gone, "  Resources:"),
    (26, REASON, Gone, "    clusteroperators.config.openshift.io: machine-config"),
    (26, REASON, Gone, "  Description: Unable to apply *"),
    (26, REASON, New, "  Related:   Cluster Operator machine-config is degraded *"),
    // D27: the update is stalled, and that has a line of its own.
    (
        27,
        DEGRADED,
        New,
        "29m12s   Error   Update Stalled   The update to 4.14.1 is stalled, waiting for machine-config",
    ),
    (27, DEGRADED, New, "Message: The update to 4.14.1 is stalled, waiting for machine-config"),
    (27, DEGRADED, New, "  Since:   29m12s"),
    (27, DEGRADED, New, "  Level:   Error"),
    (27, DEGRADED, New, "  Impact:   Update Stalled"),
    (27, DEGRADED, New, "  Reference:   https://*gathering-clusterversion-history*"),
    (27, DEGRADED, New, "  Resources:"),
    (27, DEGRADED, New, "    clusteroperators.config.openshift.io: machine-config"),
    (27, DEGRADED, New, "    clusterversions.config.openshift.io:  version"),
    (27, DEGRADED, New, "  Description: machine-config: Working towards 4.14.1"),
    // D29: what to do.
    (29, "*", New, "  Advice:   *"),
    // D30: a configuration rollout is no update.
    (30, "no-version-upgrading", New, "Note: Pool worker is rolling out a configuration change (0/3 nodes done), *"),
];

/// The number of the entry that explains a changed line.
pub(crate) fn by(example: &Example, side: Side, line: &str) -> Option<u8> {
    let explains = |(_, name, on, pattern): &&Pattern| {
        (*name == "*" || *name == example.name) && *on == side && matches(pattern, line)
    };
    PATTERNS.iter().find(explains).map(|(number, ..)| *number)
}

/// All numbers that explain something.
pub(crate) fn numbers() -> BTreeSet<u8> {
    PATTERNS.iter().map(|(number, ..)| *number).collect()
}

/// Whether a line is as a pattern says, in which `*` stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[test]
fn patterns_match_whole_lines() {
    let check =
        |pattern: &str, line: &str, expect: bool| assert_eq!(matches(pattern, line), expect, "{pattern} {line}");
    check("abc", "abc", true);
    check("abc", "abcd", false);
    check("a*c", "abbc", true);
    check("a*c", "abcd", false);
    check("*b*", "abc", true);
    check("a*b*c", "axxbyyc", true);
    check("a*b*c", "axxyyc", false);
}
