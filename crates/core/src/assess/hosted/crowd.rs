//! Messages that name many machines, each with its reason: they are long, their order is that of the moment, and they are
//! cut off somewhere (cases A35). What counts is how many have which reason.

use std::collections::BTreeMap;

use super::super::on_one_line;

/// How many names are told of one reason.
const NAMES: usize = 3;

/// A message by reasons, the most frequent first, where it names machines; else as it is, on one line.
pub(super) fn told(message: &str) -> String {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut rest = Vec::new();
    for line in message.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match of_machine(line) {
            Some((name, reason)) => reasons.entry(reason).or_default().push(name),
            None => rest.push(line),
        }
    }
    let count: usize = reasons.values().map(Vec::len).sum();
    if count < 2 {
        return on_one_line(message);
    }
    let mut reasons: Vec<(&str, Vec<&str>)> = reasons.into_iter().collect();
    for (_, names) in &mut reasons {
        names.sort_unstable();
        names.dedup();
    }
    reasons.sort_by(|(a, of_a), (b, of_b)| of_b.len().cmp(&of_a.len()).then(a.cmp(b)));
    let groups = reasons.iter().map(|(reason, names)| {
        let first = names.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
        let more = names.len().saturating_sub(NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{} × {reason} ({first}{more})", names.len())
    });
    rest.iter().map(ToString::to_string).chain(groups).collect::<Vec<_>>().join("; ")
}

/// The machine or node that a line is about, and its reason.
fn of_machine(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("Machine ").or_else(|| line.strip_prefix("Node "))?;
    let (name, reason) = rest.split_once(':')?;
    let reason = reason.trim();
    // What follows the reason differs from machine to machine.
    let reason = reason.split_once(':').map_or(reason, |(reason, _)| reason.trim());
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    (is_name && !reason.is_empty()).then_some((name, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_a35_many_machines_are_told_by_reason_in_a_fixed_order() {
        let check = |message: &str, expect: &str| assert_eq!(told(message), expect, "{message}");
        check("all is well", "all is well");
        check("Machine a: Gone", "Machine a: Gone");
        check("two\nlines", "two lines");
        let lines = "3 of 9 machines are not ready\nMachine c: Gone: at 3\nMachine b: Cold\nMachine a: Gone: at 1\n";
        let expect = "3 of 9 machines are not ready; 2 × Gone (a, c); 1 × Cold (b)";
        check(lines, expect);
        let turned = "3 of 9 machines are not ready\nMachine a: Gone: at 1\nMachine b: Cold\nMachine c: Gone: at 3\n";
        check(turned, expect);
        let many: String = (0..60).map(|at| format!("Machine m-{at:02}: R{}\n", at % 9)).collect();
        assert!(told(&many).starts_with("7 × R0 (m-00, m-09, m-18 and 4 more); 7 × R1 ("), "{}", told(&many));
    }
}
