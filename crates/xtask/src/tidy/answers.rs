//! `docs/answers.md` answers every requirement and question of the proposal, and what it names is there.

use std::collections::BTreeMap;
use std::path::Path;

use super::Finding;

/// The document.
pub(super) const ANSWERS: &str = "docs/answers.md";

/// The last requirement and the last question of update-status-api.md, section 1.
const LAST: [(char, u32); 2] = [('R', 32), ('Q', 51)];

/// How an answer begins that names nothing.
const WITHOUT: [&str; 3] = ["Not yet: ", "Deliberately later: ", "Nothing to build: "];

/// Finds ids without an answer, answers without substance, and tests that no source has.
pub(super) fn check(text: &str, sources: &BTreeMap<&Path, String>) -> Vec<Finding> {
    let path = Path::new(ANSWERS);
    let mut findings = Vec::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let Some((id, answer)) = row(line) else { continue };
        let line = at + 1;
        if let Some(first) = seen.insert(id, line) {
            findings.push(Finding::new(path, line, format!("{id} is answered in line {first} too"), "keep one"));
        }
        let named: Vec<&str> = answer.split('`').skip(1).step_by(2).filter(|word| is_test(word)).collect();
        for test in &named {
            let declared = format!("fn {test}(");
            if !sources
                .iter()
                .any(|(path, text)| path.extension().is_some_and(|it| it == "rs") && text.contains(&declared))
            {
                findings.push(Finding::new(
                    path,
                    line,
                    format!("{id} names the test {test}, which no source has"),
                    "name one that is there",
                ));
            }
        }
        if named.is_empty() && !answer.contains("](") && !WITHOUT.iter().any(|word| answer.starts_with(word)) {
            findings.push(Finding::new(
                path,
                line,
                format!("the answer to {id} names neither a test nor a page"),
                format!("name one, or begin with one of \"{}\"", WITHOUT.join("\", \"")),
            ));
        }
    }
    for (letter, last) in LAST {
        for id in (1..=last).map(|number| format!("{letter}{number}")) {
            if !seen.contains_key(id.as_str()) {
                findings.push(Finding::new(path, 1, format!("{id} has no answer"), "give it a row"));
            }
        }
    }
    findings
}

/// The id and the answer, which is the last cell.
fn row(line: &str) -> Option<(&str, &str)> {
    let cells: Vec<&str> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    let id = cells.first()?;
    let is_id = id.starts_with(['R', 'Q']) && id.len() > 1 && id[1..].chars().all(|it| it.is_ascii_digit());
    is_id.then(|| (*id, *cells.last().unwrap_or(&"")))
}

/// The name of a test: a sentence in lower case. Names of metrics are none.
fn is_test(word: &str) -> bool {
    let is_name = word.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    is_name && word.matches('_').count() >= 2 && !word.starts_with("headway_")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ids answered, with these rows in the place of their own.
    fn check_rows(rows: &[&str], expect: &[&str]) {
        let mut text = String::new();
        for (letter, last) in LAST {
            for number in 1..=last {
                let id = format!("{letter}{number}");
                if !rows.iter().any(|it| it.contains(&format!("| {id} |"))) {
                    text.push_str(&format!("| {id} | what | `the_test_is_there` |\n"));
                }
            }
        }
        text.push_str(&rows.join("\n"));
        let sources = BTreeMap::from([
            (Path::new("a.rs"), "    fn the_test_is_there() {}".to_owned()),
            (Path::new("a.md"), "fn only_in_a_page()".to_owned()),
        ]);
        let told: Vec<String> = check(&text, &sources).into_iter().map(|it| it.wrong).collect();
        assert_eq!(told, expect);
    }

    #[test]
    fn every_id_has_one_answer_of_substance() {
        check_rows(&[], &[]);
        check_rows(&["| R1 | what | [page](b.md) |", "| Q2 | what | Not yet: later |"], &[]);
        check_rows(
            &["| R1 | what | words, `--flag`, `headway_a_b` |"],
            &["the answer to R1 names neither a test nor a page"],
        );
        check_rows(&["| R1 | what | `only_in_a_page` |"], &["R1 names the test only_in_a_page, which no source has"]);
        check_rows(&["| R1 | a | [b](b.md) |", "| R1 | a | [b](b.md) |"], &["R1 is answered in line 83 too"]);
        check_rows(&["| R1 | what |"], &["the answer to R1 names neither a test nor a page"]);
        check_rows(&["text | Q51 | x"], &["Q51 has no answer"]);
    }
}
