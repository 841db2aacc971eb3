//! What somebody waits for is written sooner (D8): findings, conditions and ends; a node more or less is not.

use headway_api::insight::Level;
use headway_api::report::{Assessment, Phase, Report, Truth};
use headway_core::publish::is_urgent;

use super::fleet::{aws, condition, degraded, finding, published, report, unit};

fn rolling(done: usize) -> Report {
    let phase = |at: usize| if at < done { Phase::Updated } else { Phase::Pending };
    let mut nodes: Vec<_> = (0..9).map(|at| unit(aws(at), "worker", phase(at))).collect();
    nodes.push(degraded(aws(9), "worker", "failed to drain"));
    report(vec![("worker", nodes)], vec![finding(1, &aws(9), "failed to drain")])
}

#[test]
fn d8_findings_and_turns_are_urgent_and_progress_is_not() {
    let before = rolling(3);
    let check = |what: &str, after: &Report, expect: bool| {
        let [old, new] = [&before, after].map(|report| published(report).status);
        assert_eq!([is_urgent(&new, &old), is_urgent(&old, &new)], [expect, expect], "{what}, and back");
    };
    let bent = |bend: fn(&mut Report)| {
        let mut report = before.clone();
        bend(&mut report);
        report
    };
    check("nothing", &before, false);
    check("a node is done", &rolling(4), false);
    check("an operator is done", &bent(|report| report.cluster.operators.updated = 33), false);
    check("a text", &bent(|report| report.insights[0].description = "failed to drain again".into()), false);
    check("a finding more", &bent(|report| report.insights.push(finding(2, &aws(1), "too"))), true);
    check("a finding of another level", &bent(|report| report.insights[0].level = Level::Warning), true);
    check("the assessment", &bent(|report| report.cluster.assessment = Assessment::Stalled), true);
    let updating = |report: &mut Report| report.cluster.updating = condition(Truth::True, "Progressing", "");
    check("an update begins", &bent(updating), true);
}
