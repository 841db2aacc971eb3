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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_five_are_counted() {
        let check = |names: &[&str], expect: &str| assert_eq!(first_few(names), expect);
        check(&[], "");
        check(&["a"], "a");
        check(&["a", "b", "c", "d", "e"], "a, b, c, d, e");
        check(&["a", "b", "c", "d", "e", "f", "g"], "a, b, c, d, e and 2 more");
    }
}
