//! Exit codes: the five answers, told by number only when asked for.

use super::command::{run, status};
use super::recording::{State, record};

#[test]
fn the_answer_is_a_number_when_asked_for() {
    let check = |state: State, outcome: &str, code: i32| {
        let recording = record(state);
        let ran = status(&recording.path, &["--exit-code", "-o", "json"]);
        assert!(ran.out.contains(&format!("\"outcome\": \"{outcome}\"")), "{state:?}: {}", ran.out);
        assert_eq!(ran.code, Some(code), "{state:?}");
        assert_eq!(status(&recording.path, &[]).code, Some(0), "{state:?}");
        for output in ["text", "wide", "yaml"] {
            assert_eq!(status(&recording.path, &["--exit-code", "-o", output]).code, Some(code), "{state:?} {output}");
        }
    };
    check(State::Idle, "NotUpdating", 0);
    check(State::Updating, "Updating", 3);
    check(State::NeedsAttention, "NeedsAttention", 4);
    check(State::Failing, "Failing", 5);
    check(State::CannotTell, "CannotTell", 6);
    // An error is one, whatever is asked for.
    assert_eq!(run(&["status", "--from", "nowhere", "--exit-code"]).code, Some(1));
}
