//! The list of hooks.

use std::collections::BTreeSet;

use super::*;

#[test]
fn ch_4_1_the_catalogue() {
    // Name, what it holds up, whether it is noted as pending.
    let check = |name: &str, holds: Option<&str>, is_noted: bool| {
        let hook = hook(name);
        assert_eq!((hook.name(), hook.holds(), hook.is_noted_as_pending()), (name, holds, is_noted));
        assert_eq!(hook.is_retryable(), holds.is_some(), "{name}");
    };
    check("BeforeClusterCreate", Some("the creation of the cluster"), false);
    check("AfterControlPlaneInitialized", None, true);
    check("BeforeClusterUpgrade", Some("the start of the upgrade"), false);
    check("BeforeControlPlaneUpgrade", Some("the step of the control plane"), false);
    check("AfterControlPlaneUpgrade", Some("the next step of the control plane, and the workers"), true);
    check("BeforeWorkersUpgrade", Some("the step of the workers, and the control plane"), true);
    check("AfterWorkersUpgrade", Some("the next step of the control plane"), true);
    check("AfterClusterUpgrade", Some("the next change of the target"), true);
    check("BeforeClusterDelete", Some("the deletion of the cluster"), false);
    check("GenerateUpgradePlan", None, false);
    check("CanUpdateMachine", None, false);
    check("CanUpdateMachineSet", None, false);
    check("UpdateMachine", Some("the end of the machine's update"), true);
    check("Discovery", None, false);
}

#[test]
fn ch_4_1_every_hook_is_listed_once_and_found_again() {
    let names: BTreeSet<&str> = Hook::ALL.iter().map(|hook| hook.name()).collect();
    assert_eq!(names.len(), Hook::ALL.len());
    for hook in Hook::ALL {
        assert_eq!(Hook::find(API_VERSION, hook.name()), Some(hook));
        assert_eq!(Hook::of_segment(&hook.segment()), Some(hook));
        assert!(!hook.when().is_empty());
    }
    assert_eq!(API_VERSION, format!("{GROUP}/{VERSION}"));
}

#[test]
fn ch_5_2_hooks_that_there_are_not() {
    let check = |api_version: &str, name: &str| assert_eq!(Hook::find(api_version, name), None, "{api_version} {name}");
    check(API_VERSION, "beforeclusterupgrade");
    check(API_VERSION, "ExternalUpgrade");
    check(API_VERSION, "");
    check("hooks.runtime.cluster.x-k8s.io/v1beta1", "BeforeClusterUpgrade");
    check("hooks.headway.dev/v1alpha1", "BeforeClusterUpgrade");
    check("", "BeforeClusterUpgrade");
    assert_eq!(Hook::of_segment("BeforeClusterUpgrade"), None);
}

#[test]
fn ch_5_5_paths() {
    let check = |hook: &str, handler: &str, expect: &str| {
        assert_eq!(super::hook(hook).path(handler), format!("/hooks.runtime.cluster.x-k8s.io/v1alpha1/{expect}"));
    };
    check("BeforeWorkersUpgrade", "before-workers-upgrade", "beforeworkersupgrade/before-workers-upgrade");
    check("GenerateUpgradePlan", "Plan", "generateupgradeplan/plan");
    check("Discovery", "", "discovery");
    check("Discovery", "ignored", "discovery");
}
