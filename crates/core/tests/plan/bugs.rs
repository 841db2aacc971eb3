//! The bug rows of chained-upgrades.md, 2.6, with what they should have been, and the public reports about plans.

use std::error::Error;

use headway_core::plan::{PlanError, Rule, Situation, plan};

use super::said::{ONE, answer, check, class, facts};

#[test]
fn ch_b1_workers_too_far_behind_for_any_stop() {
    check(ONE, "v1.31.0", "v1.31.0", "v1.27.0", "W7 v1.27.0");
    let error = refused(ONE, "v1.31.0", "v1.31.0", "v1.27.0");
    assert_eq!(
        error.to_string(),
        "MachineDeployment/md at v1.27.0 must stop at v1.30 on its way, and no version is known for it: \
         the control plane is past it (rule W7)"
    );
}

#[test]
fn ch_b2_refused_before_the_control_plane_moves() {
    check(ONE, "v1.32.0", "v1.31.0", "v1.27.0", "W7 v1.27.0");
    // One group is enough.
    check(ONE, "v1.32.0", "v1.31.0", "md-a=v1.31.0 md-b=v1.27.0", "W7 v1.27.0");
    // An extension's list does not mend it.
    check(answer("v1.32.0", "v1.31.0 v1.32.0"), "v1.32.0", "v1.31.0", "v1.27.0", "W4 [0] v1.31.0");
}

#[test]
fn ch_b3_workers_ahead() {
    check(ONE, "v1.32.0", "v1.31.0", "v1.33.0", "W8 v1.33.0");
    check(ONE, "v1.32.0", "v1.31.0", "v1.32.0", "W8 v1.32.0");
    check(ONE, "v1.32.0", "v1.31.0", "md-a=v1.31.0 md-b=v1.33.0", "W8 v1.33.0");
    // Also when all else is done, and ahead of the target by a patch.
    check(ONE, "v1.32.0", "v1.32.0", "md-a=v1.32.0 md-b=v1.33.0", "W8 v1.33.0");
    check(ONE, "v1.32.0", "v1.32.0", "v1.32.5", "W8 v1.32.5");
    // A later patch than the control plane's is within the rules for skew.
    check(ONE, "v1.32.0", "v1.31.0", "v1.31.5", "v1.32.0 | v1.32.0");
}

#[test]
fn ch_b4_workers_follow_a_bump_of_the_build() {
    check(ONE, "v1.31.0+b", "v1.31.0+b", "v1.31.0+a", "| v1.31.0+b");
    check(ONE, "v1.31.0+rke2r2", "v1.31.0+rke2r2", "v1.31.0+rke2r1", "| v1.31.0+rke2r2");
    check(ONE, "v1.31.0+k0s.1", "v1.31.0+k0s.1", "v1.31.0+k0s.0", "| v1.31.0+k0s.1");
    check(ONE, "v1.31.0+rke2r2", "v1.31.0+rke2r1", "v1.31.0+rke2r1", "v1.31.0+rke2r2 | v1.31.0+rke2r2");
    check(
        ONE,
        "v1.29.0-eks-a5ec690",
        "v1.29.0-eks-5e0fdde",
        "v1.29.0-eks-5e0fdde",
        "v1.29.0-eks-a5ec690 | v1.29.0-eks-a5ec690",
    );
    check(ONE, "v1.29.0-eks-1-29-3", "v1.29.0-eks-1-29-10", "", "C2 [0] v1.29.0-eks-1-29-3");
    check(
        ONE,
        "v1.29.1-gke.1425000",
        "v1.29.1-gke.999",
        "v1.29.1-gke.999",
        "v1.29.1-gke.1425000 | v1.29.1-gke.1425000",
    );
    // Further on the control plane's way must name both.
    let by_way = answer("v1.31.0+c", "v1.31.0+b v1.31.0+c");
    check(by_way, "v1.31.0+c", "v1.31.0+b", "v1.31.0+a", "v1.31.0+c | v1.31.0+b v1.31.0+c");
}

#[test]
fn ch_b5_a_list_offers_builds_of_the_same_version() {
    check(class("v1.31.0+a v1.31.0+b"), "v1.31.0+b", "v1.31.0+a", "v1.31.0+a", "v1.31.0+b | v1.31.0+b");
    check(class("v1.31.0+a v1.31.0+b v1.31.0+c"), "v1.31.0+c", "v1.31.0+a", "", "v1.31.0+c |");
    check(class("v1.31.0+a v1.31.0+b v1.31.0+c"), "v1.31.0+b", "v1.31.0+a", "", "v1.31.0+b |");
    // The list goes from old to new, so this one would go back.
    check(class("v1.31.0+a v1.31.0+b"), "v1.31.0+a", "v1.31.0+b", "", "C4 v1.31.0+b");
    // Where the control plane is not listed, nothing says so.
    check(class("v1.31.0+a v1.31.0+b"), "v1.31.0+b", "v1.31.0+x", "", "v1.31.0+b |");
    check(class("v1.31.0+a v1.31.0+b v1.32.0"), "v1.32.0", "v1.31.0+a", "", "v1.32.0 |");
}

#[test]
fn ch_b6_and_builds_that_have_an_order() {
    check(class("v1.31.0+1 v1.31.0+2"), "v1.31.0+2", "v1.31.0+1", "v1.31.0+1", "v1.31.0+2 | v1.31.0+2");
    check(class("v1.31.0+k0s.0 v1.31.0+k0s.1"), "v1.31.0+k0s.1", "v1.31.0+k0s.0", "", "v1.31.0+k0s.1 |");
    check(class("v1.31.0+1 v1.31.0+2"), "v1.31.0+1", "v1.31.0+2", "", "C4 v1.31.0+2");
}

#[test]
fn ch_b7_majors_count() {
    check(class("v1.31.0 v2.31.0"), "v2.31.0", "v1.31.0", "v1.31.0", "C6 [0] v2.31.0");
    check(answer("v2.32.0", ""), "v2.32.0", "v1.31.0", "", "C6 [0] v2.32.0");
    check(ONE, "v2.40.0", "v1.31.0", "", "C6 [0] v2.40.0");
    check(ONE, "v1.31.0", "v2.31.0", "", "C2 [0] v1.31.0");
    check(ONE, "v2.31.0", "v2.31.0", "v1.31.0", "W9 v1.31.0");
    check(ONE, "v2.31.0", "v2.31.0", "v3.31.0", "W9 v3.31.0");
    check(answer("", "v2.31.0"), "v1.31.0", "v1.31.0", "v1.30.0", "W9 [0] v2.31.0");
    check(ONE, "v1.32.0", "v1.31.0", "md=v1.31.0 mp=v0.31.0@v0.31.0", "W9 v0.31.0");
}

#[test]
fn ch_b8_an_answer_is_canonical() {
    check(answer("1.32.0", ""), "v1.32.0", "v1.31.0", "v1.31.0", "X1 [0] 1.32.0");
    check(answer("v1.32", ""), "v1.32.0", "v1.31.0", "", "X1 [0] v1.32");
    check(answer("v1.32.0 v1.033.0", ""), "v1.33.0", "v1.31.0", "", "X1 [1] v1.033.0");
    check(answer("v1.32.0", "1.32.0"), "v1.32.0", "v1.31.0", "v1.31.0", "X1 [0] 1.32.0");
    check(answer("", "v1.33"), "v1.33.0", "v1.33.0", "v1.32.0", "X1 [0] v1.33");
    // A list is read as people write it, and comes out canonical.
    check(class("1.31 v1.32.0 1.033.1"), "1.33.1", " v1.31 ", "1.31.0", "v1.32.0 v1.33.1 | v1.33.1");
}

#[test]
fn ch_b9_workers_go_where_the_control_plane_is() {
    check(answer("", "v1.31.0 v1.33.1"), "v1.33.1", "v1.33.1", "v1.30.0", "W10 [0] v1.31.0");
    check(answer("", "v1.33.1"), "v1.33.1", "v1.33.1", "v1.30.0", "| v1.33.1");
}

#[test]
fn case_b02_patches_of_one_minor() {
    check(class("v1.33.0 v1.33.1 v1.33.4 v1.34.2"), "v1.33.4", "v1.33.0", "v1.33.0", "v1.33.4 | v1.33.4");
}

#[test]
fn case_b03_a_plan_ends_with_the_target() {
    let target = "v1.35.0-alpha.0.712+abc";
    check(class("v1.33.0 v1.34.0"), target, "v1.33.0", "", "C4 v1.34.0");
    let error = refused(class("v1.33.0 v1.34.0"), target, "v1.33.0", "");
    assert_eq!(
        error.to_string(),
        "the control plane would end at v1.34.0 and not at the target v1.35.0-alpha.0.712+abc (rule C4)"
    );
    check(class(&format!("v1.34.0 {target}")), target, "v1.34.0", "", &format!("{target} |"));
}

#[test]
fn case_b27_skipping_minors_by_hand() {
    let error = refused(ONE, "v1.25.0", "v1.22.0", "");
    assert_eq!(
        error.to_string(),
        "cannot go from v1.22 to v1.25.0 without knowing v1.23 to v1.24 between them: \
         give a version list or an extension (rule S1)"
    );
}

#[test]
fn case_b28_a_list_with_a_hole() {
    let error = refused(class("v1.31.2 v1.33.4 v1.34.1"), "v1.34.1", "v1.31.2", "v1.31.2");
    assert_eq!(
        error.to_string(),
        "control plane [0], v1.33.4, cannot follow v1.31.2: no version of v1.32 comes between (rule C3)"
    );
    // Out of order: what comes too late is not taken.
    check(class("v1.31.2 v1.33.4 v1.32.0 v1.34.1"), "v1.34.1", "v1.31.2", "", "C3 [0] v1.33.4");
}

#[test]
fn case_b31_five_minors() {
    let versions = "v1.30.6 v1.31.2 v1.31.9 v1.32.5 v1.33.4 v1.34.1 v1.35.0";
    check(
        class(versions),
        "v1.35.0",
        "v1.30.6",
        "v1.30.6",
        "v1.31.9 v1.32.5 v1.33.4 v1.34.1 v1.35.0 | v1.33.4 v1.35.0",
    );
    let error = refused(class(&versions.replace("v1.32.5 ", "")), "v1.35.0", "v1.30.6", "v1.30.6");
    assert_eq!((error.rule(), error.index()), (Rule::C3, Some(1)));
    assert!(error.to_string().contains("no version of v1.32 comes between"), "{error}");
}

#[test]
fn the_cause_is_the_source_and_not_the_message() {
    let error = refused(answer("v1.32", ""), "v1.32.0", "v1.31.0", "");
    assert_eq!(
        error.to_string(),
        "controlPlaneUpgrades [0] of the extension's answer, \"v1.32\", is not written as v1.33.0 is (rule X1)"
    );
    assert_eq!(error.source().unwrap().to_string(), "it is not three numbers such as v1.33.0");
}

fn refused(source: headway_core::plan::Source, target: &str, control_plane: &str, workers: &str) -> PlanError {
    let situation = Situation::read(&facts(target, control_plane, workers)).unwrap();
    plan(&situation, &source).unwrap_err()
}
