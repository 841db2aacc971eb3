//! Names as people sort them, and what they have in common at their ends.

use std::cmp::Ordering;

/// The natural order: runs of digits are compared as numbers, so that `w-9` comes before `w-10`.
#[must_use]
pub fn compare(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    loop {
        let (head_a, tail_a) = run(rest_a);
        let (head_b, tail_b) = run(rest_b);
        if head_a.is_empty() || head_b.is_empty() {
            // One is the beginning of the other, or they differ in zeros before a number only.
            return rest_a.is_empty().cmp(&rest_b.is_empty()).reverse().then_with(|| a.cmp(b));
        }
        let digits = |head: &str| head.as_bytes().first().is_some_and(u8::is_ascii_digit);
        let order = if digits(head_a) && digits(head_b) {
            let (number_a, number_b) = (head_a.trim_start_matches('0'), head_b.trim_start_matches('0'));
            // Numbers of any length: without zeros before them, the longer one is the larger one.
            number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b))
        } else {
            head_a.cmp(head_b)
        };
        if order != Ordering::Equal {
            return order;
        }
        (rest_a, rest_b) = (tail_a, tail_b);
    }
}

/// The first run of digits, or of anything else, and what follows.
fn run(text: &str) -> (&str, &str) {
    // Digits are one byte each, so that where they begin and end characters do too.
    let digit = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let end = text.bytes().position(|byte| byte.is_ascii_digit() != digit).unwrap_or(text.len());
    text.split_at(end)
}

/// What all names end in from a dot on, where leaving it out and telling it once is shorter: the domain of hosts. No
/// name is nothing but that.
#[must_use]
pub fn shared_suffix<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let first = names.clone().next()?;
    let count = names.clone().count();
    let ends_all = |suffix: &str| names.clone().all(|name| name.len() > suffix.len() && name.ends_with(suffix));
    let dots = first.match_indices('.').map(|(at, _)| first.split_at(at).1);
    let suffix = dots.into_iter().find(|suffix| ends_all(suffix))?;
    (suffix.len() * count > suffix.len() + FIELD).then_some(suffix)
}

/// What a field costs beside its value: `"nameSuffix":"",`.
const FIELD: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_numbers() {
        let check = |sorted: &[&str]| {
            for (at, a) in sorted.iter().enumerate() {
                for (other, b) in sorted.iter().enumerate() {
                    assert_eq!(compare(a, b), at.cmp(&other), "{a} and {b}");
                }
            }
        };
        check(&["ip-10-0-0-1", "ip-10-0-0-2", "ip-10-0-0-10", "ip-10-0-1-1"]);
        check(&["w", "w-1", "w-9", "w-10", "w-10a", "x"]);
        check(&["w-01", "w-1", "w-02", "w-2"]);
        check(&["", "1", "2", "99999999999999999999999", "100000000000000000000000", "a"]);
    }

    #[test]
    fn a_domain_is_left_out_where_that_is_shorter() {
        let check = |names: &[&str], expect: Option<&str>| assert_eq!(shared_suffix(names.iter().copied()), expect);
        let domain = ".us-east-2.compute.internal";
        check(&[], None);
        check(&["a.us-east-2.compute.internal"], None);
        check(&["a.us-east-2.compute.internal", "b.us-east-2.compute.internal"], Some(domain));
        check(&["a.b", "c.b"], None);
        check(&["a", "b"], None);
        check(&["a.x.example.com", "b.y.example.com", "c.z.example.com"], Some(".example.com"));
        // A name that is the domain itself would be left with nothing.
        check(&[".example.org.example.com", ".example.com", "b.example.com"], None);
    }
}
