//! Answers from what is known, by tables.

use headway_api::hooks::{DiscoveryResponse, Status};
use serde_json::json;

use super::*;

fn request(from: &str, workers: Option<&str>, to: &str, settings: &[(&str, &str)]) -> GenerateUpgradePlanRequest {
    let cluster = json!({
        "metadata": {"name": "c1", "namespace": "ns1"},
        "spec": {"topology": {"classRef": {"name": "class"}, "version": to}},
    });
    let body = json!({
        "settings": BTreeMap::from_iter(settings.iter().copied()),
        "cluster": cluster,
        "fromControlPlaneKubernetesVersion": from,
        "fromWorkersKubernetesVersion": workers,
        "toKubernetesVersion": to,
    });
    GenerateUpgradePlanRequest::read(&serde_json::to_vec(&body).unwrap()).unwrap()
}

fn known() -> Known {
    let texts = |texts: &str| split(texts);
    Known {
        usual: None,
        catalogues: Some(BTreeMap::from([("stable".to_owned(), texts("v1.30.4 v1.31.9 v1.32.1 v1.33.0"))])),
        classes: Some(BTreeMap::from([(
            ("ns1".to_owned(), "class".to_owned()),
            Class { versions: texts("v1.29.0 v1.30.0 v1.31.0 v1.32.0 v1.33.0") },
        )])),
    }
}

fn check(request: &GenerateUpgradePlanRequest, known: &Known, expect: Result<(&str, &str), &str>) {
    let got = upgrade_plan(request, known).map_err(|error| headway_api::quoted::with_causes(&error));
    let got = got.map(|response| {
        let (control_plane, workers) = response.upgrades().unwrap();
        let join = |steps: &[headway_api::hooks::UpgradeStep]| {
            steps.iter().map(|step| step.version.as_str()).collect::<Vec<_>>().join(" ")
        };
        (join(control_plane), join(workers))
    });
    let expect = expect.map(|(one, other)| (one.to_owned(), other.to_owned())).map_err(str::to_owned);
    assert_eq!(got, expect);
}

#[test]
fn ch_2_4_versions_come_from_the_first_source_that_there_is() {
    let upgrade = |settings: &[(&str, &str)]| request("v1.29.0", Some("v1.29.0"), "v1.33.0", settings);
    let listed = Ok(("v1.30.0 v1.31.0 v1.32.0 v1.33.0", "v1.32.0 v1.33.0"));
    let catalogued = Ok(("v1.30.4 v1.31.9 v1.32.1 v1.33.0", "v1.32.1 v1.33.0"));
    check(&upgrade(&[]), &known(), listed);
    check(&upgrade(&[("catalogue", "stable")]), &known(), catalogued);
    let usual = Known { usual: Some(split("v1.30.9,v1.31.9,v1.32.9,v1.33.0")), ..known() };
    check(&upgrade(&[]), &usual, Ok(("v1.30.9 v1.31.9 v1.32.9 v1.33.0", "v1.32.9 v1.33.0")));
    check(&upgrade(&[("catalogue", "stable")]), &usual, catalogued);
    let settings = [("catalogue", "stable"), ("versions", "v1.30.1, v1.31.1, v1.32.2, v1.33.0")];
    check(&upgrade(&settings), &usual, Ok(("v1.30.1 v1.31.1 v1.32.2 v1.33.0", "v1.32.2 v1.33.0")));
}

#[test]
fn without_any_list_it_is_one_minor() {
    let classes = BTreeMap::from([(("ns1".to_owned(), "class".to_owned()), Class::default())]);
    let known = Known { classes: Some(classes), ..Known::default() };
    check(&request("v1.29.0", None, "v1.30.0", &[]), &known, Ok(("v1.30.0", "")));
}

#[test]
fn while_workers_lag_the_control_plane_has_no_steps() {
    check(&request("v1.33.0", Some("v1.32.0"), "v1.33.0", &[]), &known(), Ok(("", "v1.33.0")));
}

#[test]
fn what_was_not_read_or_is_not_there_is_no_plan() {
    let upgrade = |settings: &[(&str, &str)]| request("v1.29.0", Some("v1.29.0"), "v1.33.0", settings);
    let refused = Err("the ClusterClasses have not been read yet; ask again");
    check(&upgrade(&[]), &Known { classes: None, ..known() }, refused);
    let gone = Known { classes: Some(BTreeMap::new()), ..known() };
    check(&upgrade(&[]), &gone, Err("the cluster is of the ClusterClass \"ns1/class\", which is not there"));
    let refused = Err("the catalogues of versions have not been read yet; ask again");
    check(&upgrade(&[("catalogue", "stable")]), &Known { catalogues: None, ..known() }, refused);
    let refused = Err("the settings name the catalogue \"beta\", which there is none of");
    check(&upgrade(&[("catalogue", "beta")]), &known(), refused);
}

#[test]
fn a_list_that_makes_no_plan_is_refused_by_its_rule() {
    let got = upgrade_plan(&request("v1.29.0", None, "v1.33.0", &[("versions", "v1.30.0 v1.33.0")]), &known());
    let message = headway_api::quoted::with_causes(&got.unwrap_err());
    assert!(message.starts_with("there is no plan from v1.29.0 to v1.33.0: "), "{message}");
    assert!(message.contains("C3"), "{message}");
}

#[test]
fn ch_8_1_handlers_have_the_names_that_everybody_uses() {
    let handlers = handlers();
    let names: Vec<&str> = handlers.iter().map(|handler| handler.name.as_str()).collect();
    let expect = [
        "generate-upgrade-plan",
        "before-cluster-upgrade",
        "before-control-plane-upgrade",
        "after-control-plane-upgrade",
        "before-workers-upgrade",
        "after-workers-upgrade",
        "after-cluster-upgrade",
    ];
    assert_eq!(names, expect);
    assert_eq!(DiscoveryResponse::new(handlers).status(), Status::Success);
}

#[test]
fn catalogues_are_written_as_people_write_lists() {
    let expect = ["v1.30.0", "v1.31.0"];
    for text in ["v1.30.0,v1.31.0", "v1.30.0, v1.31.0\n", "- v1.30.0\n- v1.31.0 # the new one\n", "\n v1.30.0\tv1.31.0"]
    {
        assert_eq!(split(text), expect, "{text:?}");
    }
    assert!(split("").is_empty());
}
