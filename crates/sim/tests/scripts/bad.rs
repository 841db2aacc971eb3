//! Scripts that cannot be read or played say where and why.

use headway_api::quoted::with_causes;
use headway_sim::{Script, rehearse};

fn check(text: &str, expect: &str) {
    let told = match Script::read(text) {
        Err(error) => with_causes(&error),
        Ok(script) => {
            let played = rehearse(&script, "2026-05-04T12:00:00Z".parse().unwrap(), &mut String::new());
            with_causes(&played.expect_err("it should not be played"))
        }
    };
    assert_eq!(told, expect, "{text}");
}

#[test]
fn bad_lines_are_named() {
    check("", "line 1: the first command is `control-plane VERSION [MACHINES]`");
    check("# nothing\n\n", "line 2: the first command is `control-plane VERSION [MACHINES]`");
    check("pool md-a 2", "line 1: the first command is `control-plane VERSION [MACHINES]`");
    check("control-plane", "line 1: a version is missing");
    check("control-plane one", "line 1: \"one\" is not a version: `one` is not a number");
    check("control-plane v1.29.0 many", "line 1: \"many\" is not a count of at most 1000");
    check("control-plane v1.29.0 3 4", "line 1: \"4\" is too much");
    let after = |line: &str, expect: &str| check(&format!("control-plane v1.29.0\n{line}"), expect);
    after("fly", "line 2: there is no command \"fly\"; see `headway simulate --help`");
    after("pool", "line 2: the name is missing");
    after("pool a", "line 2: a count is missing");
    after("pool a 1001", "line 2: \"1001\" is not a count of at most 1000");
    after("run fast", "line 2: \"fast\" is not a duration such as 90s, 5m or 2h");
    after("run 99999999h", "line 2: \"99999999h\" is not a duration such as 90s, 5m or 2h");
    after("hook Before go", "line 2: \"Before\" is not a hook of an upgrade");
    after("hook BeforeClusterUpgrade wait 5s 2", "line 2: times is missing");
    after("approval maybe", "line 2: \"maybe\" is not per-step, per-chain or none");
    after("unhealthy Bad", "line 2: \"Bad\" is not a level");
    after("window ajar", "line 2: \"ajar\" is not open or closed");
    after("defer md-a", "`defer md-a`: there is no group \"md-a\"");
    after("pool a 1\npool a 1", "`pool a 1`: there is a group \"a\" already");
}
