//! Tells every story to every form, and holds that none is forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use headway_api::report::{Form, Report};

use super::story::{Act, Story};
use super::words::line;
use super::world::{FORMS, World};
use super::{cluster_api, control_plane, hosted, nodes, operation, own, parts, pools, standalone};

/// The scenarios of the paper.
const NUMBERS: std::ops::RangeInclusive<u8> = 1..=74;

fn world(form: Form) -> Box<dyn World> {
    match form {
        Form::Standalone => Box::new(standalone::Cluster::new()),
        Form::Hosted => Box::new(hosted::Cluster::new()),
        Form::ClusterApi => Box::new(cluster_api::Cluster::new()),
        Form::Unknown => panic!("no cluster has a form that is not known"),
    }
}

fn all() -> Vec<Story> {
    [
        control_plane::stories(),
        parts::stories(),
        nodes::stories(),
        pools::stories(),
        operation::stories(),
        own::stories(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What becomes of a story in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Excused,
    Elsewhere,
    Runs,
}

fn fate(story: &Story, form: Form) -> Fate {
    if story.excused.iter().any(|(of, _)| *of == form) {
        Fate::Excused
    } else if story.elsewhere.iter().any(|(of, _)| *of == form) {
        Fate::Elsewhere
    } else {
        Fate::Runs
    }
}

/// What differs from what is expected of a form, and what the form has no counterpart of.
fn tell(story: &Story, form: Form) -> (String, Vec<&'static str>) {
    let mut world = world(form);
    let mut wrong = String::new();
    let mut before: Option<Report> = None;
    for (number, act) in story.acts.iter().enumerate() {
        (act.happens)(world.as_mut());
        let report = world.report();
        // A standalone cluster that is being installed has no pools yet to be told by.
        assert!([form, Form::Unknown].contains(&report.cluster.form), "{:?} is no {form:?}", report.cluster.form);
        for (key, expect) in act.expect {
            let expect = expected(act, form, key, expect);
            let said = line(world.as_ref(), &report, before.as_ref(), key);
            if said != expect {
                let act = number + 1;
                write!(wrong, "\n  S{} {form:?} ({}), act {act}: {key}", story.number, story.title).unwrap();
                write!(wrong, "\n    expected {expect}\n    told     {said}").unwrap();
            }
        }
        before = Some(report);
    }
    (wrong, world.lacks().to_vec())
}

fn expected(act: &Act, form: Form, key: &str, shared: &'static str) -> &'static str {
    let own = act.otherwise.iter().find(|it| it.form == form && it.key == key);
    own.map_or(shared, |own| own.line)
}

/// Tells the stories to the forms that have them.
fn run(stories: &[Story]) {
    let mut wrong = String::new();
    for story in stories {
        for form in FORMS.into_iter().filter(|form| fate(story, *form) == Fate::Runs) {
            let (differs, lacks) = tell(story, form);
            wrong.push_str(&differs);
            for lack in lacks {
                write!(wrong, "\n  S{} {form:?} ({}) has no {lack}", story.number, story.title).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn us_s01_to_s19_control_planes_of_all_forms() {
    run(&control_plane::stories());
}

#[test]
fn us_s20_to_s26_parts_of_control_planes_of_all_forms() {
    run(&parts::stories());
}

#[test]
fn us_s27_to_s38_nodes_of_all_forms() {
    run(&nodes::stories());
}

#[test]
fn us_s39_to_s47_and_s51_to_s53_pools_of_all_forms() {
    run(&pools::stories());
}

#[test]
fn us_s48_to_s57_and_s74_operation_for_all_forms() {
    run(&operation::stories());
}

#[test]
fn us_s58_to_s73_what_one_form_has_and_another_can() {
    run(&own::stories());
}

#[test]
fn us_7_every_scenario_is_run_or_excused_for_every_form() {
    let mut best: BTreeMap<(u8, &str), (Fate, String)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for story in all() {
        for form in FORMS {
            let fate = fate(&story, form);
            let why = match fate {
                Fate::Runs if story.acts.is_empty() => {
                    wrong.push(format!("S{} has no acts for {form:?}, and no reason", story.number));
                    String::new()
                }
                Fate::Runs => "runs".to_owned(),
                Fate::Elsewhere => of(&story.elsewhere, form),
                Fate::Excused => of(&story.excused, form),
            };
            let known = best.entry((story.number, name(form))).or_insert((fate, why.clone()));
            if fate > known.0 {
                *known = (fate, why);
            }
        }
        wrong.extend(mistakes(&story));
    }
    for number in NUMBERS {
        for form in FORMS.into_iter().filter(|form| !best.contains_key(&(number, name(*form)))) {
            wrong.push(format!("S{number} is neither run nor excused for {form:?}"));
        }
    }
    wrong.extend(
        best.keys().filter(|(number, _)| !NUMBERS.contains(number)).map(|it| format!("the paper has no {it:?}")),
    );
    for number in NUMBERS {
        let of = |form: Form| best.get(&(number, name(form))).map_or("", |(_, why)| why.as_str());
        println!(
            "S{number:<3} standalone: {}\n     hosted: {}\n     Cluster API: {}",
            of(FORMS[0]),
            of(FORMS[1]),
            of(FORMS[2])
        );
    }
    let runs = |form: Form| best.iter().filter(|((_, of), (fate, _))| *of == name(form) && *fate == Fate::Runs).count();
    println!("run: {} standalone, {} hosted, {} Cluster API", runs(FORMS[0]), runs(FORMS[1]), runs(FORMS[2]));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn name(form: Form) -> &'static str {
    match form {
        Form::Standalone => "standalone",
        Form::Hosted => "hosted",
        Form::ClusterApi => "cluster-api",
        Form::Unknown => "unknown",
    }
}

fn of(list: &[(Form, &str)], form: Form) -> String {
    list.iter().find(|(of, _)| *of == form).map(|(_, why)| (*why).to_owned()).unwrap_or_default()
}

/// Reasons that are none: empty or doubled ones, those beside a form that runs the story or says the same as all, and
/// places where nothing is run.
fn mistakes(story: &Story) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut say = |what: &str, form: Form| wrong.push(format!("S{} {form:?} ({}): {what}", story.number, story.title));
    let mut seen = BTreeSet::new();
    for (form, why) in story.excused.iter().chain(&story.elsewhere) {
        if !seen.insert(name(*form)) {
            say("two reasons", *form);
        }
        if why.len() < 10 {
            say("no reason", *form);
        }
    }
    for (form, _) in &story.excused {
        let (differs, lacks) = tell(story, *form);
        if !story.acts.is_empty() && differs.is_empty() && lacks.is_empty() {
            say("excused, and comes out as expected", *form);
        }
    }
    for (form, file) in &story.elsewhere {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        let test = format!("us_s{:02}_", story.number);
        if !fs::read_to_string(&path).is_ok_and(|text| text.contains(&test)) {
            say(&format!("{file} has no test {test}…"), *form);
        }
    }
    for act in &story.acts {
        for own in &act.otherwise {
            let shared = act.expect.iter().find(|(key, _)| *key == own.key).map(|(_, line)| *line);
            if shared.is_none_or(|shared| shared == own.line) || own.why.len() < 10 {
                say(&format!("says nothing else of {}", own.key), own.form);
            }
            if fate(story, own.form) != Fate::Runs {
                say("says otherwise, and does not run", own.form);
            }
        }
    }
    wrong
}
