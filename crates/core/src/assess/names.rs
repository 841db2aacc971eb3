//! Names of many objects in one sentence.

/// How many are told.
const MOST: usize = 5;

/// The first few names in their order, and how many more there are.
#[must_use]
pub fn first_few<S: AsRef<str>>(names: &[S]) -> String {
    let told: Vec<&str> = names.iter().take(MOST).map(AsRef::as_ref).collect();
    let told = told.join(", ");
    match names.len().saturating_sub(MOST) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}

/// The first lines of a list that may have thousands, and how many more there are: a description is read by people, and
/// stored by whoever publishes it.
pub(super) fn first_lines(lines: &[String]) -> String {
    const LINES: usize = 16;
    let told = lines.iter().take(LINES).map(String::as_str).collect::<Vec<_>>().join("\n");
    match lines.len().saturating_sub(LINES) {
        0 => told,
        more => format!("{told}\nand {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_sixteen_lines_are_counted() {
        let check = |count: usize, lines: usize, last: &str| {
            let all: Vec<String> = (0..count).map(|at| format!("line {at}")).collect();
            let told = first_lines(&all);
            assert_eq!((told.lines().count(), told.lines().last().unwrap_or_default()), (lines, last), "{count}");
        };
        check(0, 0, "");
        check(1, 1, "line 0");
        check(16, 16, "line 15");
        check(5_000, 17, "and 4984 more");
    }

    #[test]
    fn more_than_five_are_counted() {
        let check = |names: &[&str], expect: &str| assert_eq!(first_few(names), expect);
        check(&[], "");
        check(&["a"], "a");
        check(&["a", "b", "c", "d", "e"], "a, b, c, d, e");
        check(&["a", "b", "c", "d", "e", "f", "g"], "a, b, c, d, e and 2 more");
    }
}
