//! Lists and answers that nobody should write: told in one line, never a panic, never slow.

use headway_core::plan::{MAX_ANSWER, Rule, plan};

use super::said::{answer, check, class, situation};

#[test]
fn lists_with_anything_in_them() {
    check(class("v1.31.0 latest v1.32.0"), "v1.32.0", "v1.31.0", "", "L1 [1] latest");
    check(class("<html>"), "v1.32.0", "v1.31.0", "", "L1 [0] <html>");
    // What stands behind the target is not read.
    check(class("v1.32.0 latest"), "v1.32.0", "v1.31.0", "", "v1.32.0 |");
    check(class("v1.31.0 v1.31.0 v1.32.0 v1.32.0"), "v1.32.0", "v1.31.0", "", "v1.32.0 |");
    check(class("v1.33.0 v1.32.0 v1.31.0"), "v1.33.0", "v1.31.0", "", "C3 [0] v1.33.0");
    check(class(""), "v1.32.0", "v1.31.0", "", "C4 v1.31.0");
}

#[test]
fn answers_that_go_in_circles() {
    check(answer("v1.31.0+b v1.31.0+a v1.32.0", ""), "v1.32.0", "v1.31.0+a", "", "C2 [1] v1.31.0+a");
    check(answer("v1.31.0+b v1.31.0+c v1.31.0+b v1.32.0", ""), "v1.32.0", "v1.31.0+a", "", "C2 [2] v1.31.0+b");
    // Older than one before the one before it, although nothing orders it to the latter.
    check(answer("v1.31.0+b.2 v1.31.0+c v1.31.0+b.1", ""), "v1.31.0+b.1", "v1.31.0+a", "", "C2 [2] v1.31.0+b.1");
    check(answer("v1.32.0 v1.31.0 v1.32.0", ""), "v1.32.0", "v1.31.0", "", "C2 [1] v1.31.0");
    let there_and_back = "v1.31.0+b v1.31.0+c v1.31.0+b";
    check(answer("v1.31.0+b v1.31.0+c", there_and_back), "v1.31.0+c", "v1.31.0+a", "v1.31.0+a", "W3 [2] v1.31.0+b");
}

#[test]
fn answers_that_name_strangers() {
    check(answer("v1.32.0", "foo v1.32.0 v9.0.0"), "v1.32.0", "v1.31.0", "v1.31.0", "W1 [0] foo");
    let made = plan(&situation("v1.32.0", "v1.31.0", "v1.31.0"), &answer("v1.32.0", "a b c d v1.32.0 e f g"));
    assert_eq!(
        made.unwrap_err().to_string(),
        "the control plane is never at these versions, which workers are to take: workers [0] \"a\", workers [1] \"b\", \
         workers [2] \"c\", workers [3] \"d\", workers [5] \"e\" and 2 more (rule W1)"
    );
}

#[test]
fn what_comes_from_outside_is_cut_and_escaped() {
    let made = plan(&situation("v1.32.0", "v1.31.0", ""), &answer(&format!("<h1>\u{1b}[31m{}", "x".repeat(9000)), ""));
    let text = made.unwrap_err().to_string();
    assert!(text.starts_with("control plane [0], \"<h1>\\u{1b}[31mxxx"), "{text}");
    assert!(text.len() < 200 && text.contains('…'), "{text}");
}

#[test]
fn long_lists_and_long_answers() {
    let builds = |count: usize| (0..count).map(|at| format!("v1.32.0+b{at}")).collect::<Vec<_>>().join(" ");
    let situation = situation("v1.32.0+b9999", "v1.32.0+a", "v1.32.0+a");
    let plan_of = |source| plan(&situation, &source);
    // As long a list as anybody brings along; all of it without an order.
    assert_eq!(plan_of(class(&builds(10_000))).unwrap().control_plane.len(), 1);
    assert_eq!(plan_of(answer(&builds(10_000), "")).unwrap_err().rule(), Rule::X4);
    assert_eq!(plan_of(answer("v1.32.0+b9999", &builds(MAX_ANSWER + 1))).unwrap_err().rule(), Rule::X4);
    let longest = format!("{} v1.32.0+b9999", builds(MAX_ANSWER - 1));
    assert_eq!(plan_of(answer(&longest, &longest)).unwrap().workers.len(), MAX_ANSWER);
}

#[test]
fn numbers_at_the_end_of_all_numbers() {
    let last = "v1.18446744073709551615.0";
    check(class(last), last, "v1.31.0", "v1.31.0", &format!("C3 [0] {last}"));
    check(
        class(&format!("{last}+a {last}+b")),
        &format!("{last}+b"),
        &format!("{last}+a"),
        &format!("{last}+a"),
        &format!("{last}+b | {last}+b"),
    );
    let before = "v1.18446744073709551613.0";
    check(class(""), last, last, before, &format!("| {last}"));
}
