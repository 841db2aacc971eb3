//! `headway drive` as a command: flags and what is said without a cluster. With one: `live`.

use super::command::{assert_failed, run};

#[test]
fn wrong_flags_are_exit_code_1_with_a_hint() {
    let check = |arguments: &[&str], says: &[&str]| assert_failed(&run(&[&["drive"], arguments].concat()), says);
    check(&[], &["<NAME>", "try '--help'"]);
    check(&["c1", "more"], &["unexpected argument 'more'"]);
    check(&["c1", "--versions", "v1.31.0", "--extension", "a.b"], &["cannot be used with"]);
    check(&["c1", "--dry-run", "--once"], &["cannot be used with"]);
    for other in [
        &["--to", "v1.31.0"][..],
        &["--versions", "v1.31.0"],
        &["--extension", "a.b"],
        &["--take-over"],
        &["--dry-run"],
        &["--once"],
    ] {
        check(&[&["c1", "--hand-over"], other].concat(), &["cannot be used with"]);
    }
    check(&["c1"], &["no kubeconfig was found", "; set KUBECONFIG, or give --kubeconfig"]);
}
