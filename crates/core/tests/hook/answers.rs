//! What answers mean (4.5, 5.6, 10-15 to 10-17, 10.2-29).

use headway_api::hooks::{Hook, LifecycleResponse, UpdateMachineResponse, Verdict};
use headway_core::hook::{CallFault, Heard, Note, Outcome, hear};

use super::said::{handler, hook, registry};

/// What an answer in JSON comes to; a text that begins with `!` is an outage.
fn answered(text: &str, hook: Hook) -> Result<Verdict, CallFault> {
    if let Some(why) = text.strip_prefix('!') {
        return Err(CallFault::Unreachable(why.to_owned()));
    }
    match hook {
        Hook::Lifecycle(hook) => Ok(LifecycleResponse::read(hook, text.as_bytes())?.verdict()?),
        Hook::UpdateMachine => Ok(UpdateMachineResponse::read(text.as_bytes())?.verdict()?),
        other => panic!("{other} is not read here"),
    }
}

fn told(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Go { message } => format!("go {message}").trim_end().to_owned(),
        Verdict::Wait { seconds, message, .. } => format!("wait {seconds} {message}").trim_end().to_owned(),
    }
}

/// The error with all of its causes, as a condition tells it.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[track_caller]
fn check(who: &str, answer: &str, expect: &str) {
    let handler = handler(who);
    let hook = handler.registered.hook;
    let heard = match hear(&handler, hook, answered(answer, hook)) {
        Ok(Heard::Answer(verdict)) => told(&verdict),
        Ok(Heard::Passed(error)) => format!("passed: {}", chain(&error)),
        Err(error) => format!("! {}", chain(&error)),
    };
    assert_eq!(heard, expect, "{who} answered {answer}");
}

const FAIL: &str = "a:BeforeClusterUpgrade";
const IGNORE: &str = "a:BeforeClusterUpgrade?";

#[test]
fn ch_4_5_what_one_answer_means() {
    for who in [FAIL, IGNORE] {
        check(who, r#"{"status": "Success"}"#, "go");
        check(who, r#"{"status": "Success", "message": "fine"}"#, "go fine");
        check(who, r#"{"status": "Success", "retryAfterSeconds": 30, "message": "soon"}"#, "wait 30 soon");
        // No failurePolicy passes over what was said.
        check(
            who,
            r#"{"status": "Failure", "message": "no\nway", "retryAfterSeconds": 5}"#,
            "! BeforeClusterUpgrade of a.ext failed: it answered with Failure: no way",
        );
        check(
            who,
            r#"{"status": "Failure"}"#,
            "! BeforeClusterUpgrade of a.ext failed: it answered with Failure: no reason is given",
        );
        check(
            who,
            r#"{"status": "Perhaps"}"#,
            "! BeforeClusterUpgrade of a.ext failed: BeforeClusterUpgradeResponse: status is \"Perhaps\", neither \
             Success nor Failure",
        );
        check(
            who,
            r#"{"status": "Success", "kind": "AfterClusterUpgradeResponse"}"#,
            "! BeforeClusterUpgrade of a.ext failed: BeforeClusterUpgradeResponse: kind is \"AfterClusterUpgradeResponse\"",
        );
        check(who, "{}", "! BeforeClusterUpgrade of a.ext failed: BeforeClusterUpgradeResponse: status is missing");
    }
}

#[test]
fn ch_5_6_ignore_passes_over_an_outage_only() {
    check(FAIL, "!gone", "! BeforeClusterUpgrade of a.ext failed: it cannot be reached: gone");
    check(IGNORE, "!gone", "passed: BeforeClusterUpgrade of a.ext failed: it cannot be reached: gone");
    // A response that breaks off after a time to wait leaves nothing of that time.
    let broken = r#"{"status": "Success", "retryAfterSeconds": 30, "message": 7}"#;
    let why = "BeforeClusterUpgrade of a.ext failed: BeforeClusterUpgradeResponse: message is a number, not a string";
    check(FAIL, broken, &format!("! {why}"));
    check(IGNORE, broken, &format!("passed: {why}"));
}

#[test]
fn ip_h32_an_outage_does_not_end_an_update() {
    for who in ["a:UpdateMachine", "a:UpdateMachine?"] {
        check(who, "!gone", "! UpdateMachine of a.ext failed: it cannot be reached: gone");
        check(who, r#"{"status": "Success", "retryAfterSeconds": 0}"#, "go");
        check(who, r#"{"status": "Success", "retryAfterSeconds": -3}"#, "wait 1");
        let missing = "! UpdateMachine of a.ext failed: UpdateMachineResponse: retryAfterSeconds is missing";
        check(who, r#"{"status": "Success"}"#, missing);
    }
}

#[test]
fn ch_b17_negative_and_endless_times_are_bounded() {
    for (asked, seconds) in [("-1", 1), ("-2147483648", 1), ("1", 1), ("86400", 86400), ("2147483647", 86400)] {
        let answer = format!(r#"{{"status": "Success", "retryAfterSeconds": {asked}}}"#);
        check(FAIL, &answer, &format!("wait {seconds}"));
    }
}

#[test]
fn only_outages_are_passed_over() {
    let faults = [
        (CallFault::ClientConfig("url is missing".into()), false),
        (CallFault::Identity("no such file".into()), false),
        (CallFault::Failed { message: String::new() }, false),
        (CallFault::Late { seconds: 10 }, true),
        (CallFault::Unreachable("connection refused".into()), true),
        (CallFault::Untrusted("certificate has expired".into()), true),
        (CallFault::Status { code: 500, start: "<html>".into() }, true),
        (CallFault::Redirect { code: 302, location: "https://elsewhere".into() }, true),
        (CallFault::TooLarge, true),
    ];
    for (fault, expect) in faults {
        assert_eq!(fault.is_ignorable(), expect, "{fault}");
    }
}

/// The outcome of several handlers `a`, `b`, … of one extension, each with its answer.
fn together(answers: &[(&str, &str)]) -> Outcome {
    let texts: Vec<&str> = answers.iter().map(|(who, _)| *who).collect();
    let hook = hook("BeforeClusterUpgrade");
    let handlers = registry(&texts).matching(hook, &super::said::labels("")).unwrap();
    let heard = handlers.into_iter().zip(answers).map(|(handler, (_, answer))| {
        let heard = hear(&handler, hook, answered(answer, hook)).unwrap();
        (handler, heard)
    });
    Outcome::of(heard.collect())
}

#[test]
fn ch_5_6_several_answers() {
    let check = |answers: &[(i32, &str)], expect: &str| {
        let names = ["a:BeforeClusterUpgrade", "b:BeforeClusterUpgrade", "c:BeforeClusterUpgrade"];
        let texts: Vec<String> = answers
            .iter()
            .map(|(seconds, message)| {
                serde_json::json!({"status": "Success", "retryAfterSeconds": seconds, "message": message}).to_string()
            })
            .collect();
        let answers: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
        assert_eq!(told(&together(&answers).verdict), expect);
    };
    check(&[], "go");
    check(&[(0, ""), (0, "")], "go");
    check(&[(0, "x"), (0, ""), (0, "y")], "go x, y");
    // ch_e10_2_29: the shortest time counts.
    check(&[(60, "slow"), (10, "fast")], "wait 10 slow, fast");
    check(&[(0, "fine"), (30, "wait"), (0, "")], "wait 30 fine, wait");
    // ch_b17: a negative time hides no other and is not added to it.
    check(&[(-30, "odd"), (60, "slow")], "wait 1 odd, slow");
    check(&[(60, "slow"), (0, "")], "wait 60 slow");
    let long = "m".repeat(400);
    check(&[(0, &long), (0, &long)], &format!("go {long}, {}…", "m".repeat(110)));
}

#[test]
fn what_is_passed_over_is_told() {
    let answers = [
        ("a:BeforeClusterUpgrade?", "!gone"),
        ("b:BeforeClusterUpgrade", r#"{"status": "Success", "retryAfterSeconds": 7, "message": "wait"}"#),
    ];
    let Outcome { verdict, notes } = together(&answers);
    assert_eq!(told(&verdict), "wait 7 wait");
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        ["BeforeClusterUpgrade of a.ext failed: it cannot be reached: gone; its failurePolicy passes over that"]
    );
}

#[test]
fn ch_b29_who_is_asked_as_before_is_told() {
    let mut handler = handler(FAIL);
    handler.trouble = Some("no route to host".into());
    let heard = Heard::Answer(Verdict::Go { message: String::new() });
    let notes = Outcome::of(vec![(handler, heard)]).notes;
    assert!(matches!(notes.as_slice(), [Note::Trouble(_)]));
    assert_eq!(notes[0].to_string(), "the extension ext is asked as it was known before: no route to host");
}
