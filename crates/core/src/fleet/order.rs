//! The order of a fleet's rows.

use std::cmp::{Ordering, Reverse};

use headway_api::fleet::Row;
use headway_api::report::{Activity, Form, Outcome};

use crate::version::KubeVersion;

/// What rows are sorted by: the columns of the table. Equal rows stay in the order of namespace and name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// By namespace, then name.
    #[default]
    Namespace,
    /// By name, then namespace.
    Name,
    /// By the kind of cluster.
    Form,
    /// By the version that was, the oldest first.
    From,
    /// By the version that is to be, the oldest first.
    To,
    /// By the step that is under way.
    Step,
    /// The least done first; those that are done, and then those of which it is not known, last.
    Progress,
    /// The gravest first, of equally grave ones the oldest.
    Worst,
    /// The oldest first.
    Since,
}

/// Sorts rows.
pub(super) fn sort(rows: &mut [Row], order: Order) {
    rows.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
    match order {
        Order::Namespace => {}
        Order::Name => rows.sort_by(|a, b| a.name.cmp(&b.name)),
        Order::Form => rows.sort_by_key(|row| form(row.form)),
        Order::From => rows.sort_by_cached_key(|row| version(row.from.as_deref())),
        Order::To => rows.sort_by_cached_key(|row| version(row.to.as_deref())),
        Order::Step => {
            rows.sort_by_key(|row| (row.position.is_none(), row.position.map(|position| (position.step, position.of))));
        }
        Order::Progress => rows.sort_by_key(progress),
        Order::Worst => rows.sort_by_key(|row| (Reverse(row.worst_level), row.since.is_none(), row.since)),
        Order::Since => rows.sort_by_key(|row| (row.since.is_none(), row.since)),
    }
}

fn form(form: Form) -> u8 {
    match form {
        Form::ClusterApi => 0,
        Form::Hosted => 1,
        Form::Standalone => 2,
        Form::Unknown => 3,
    }
}

/// What is under way by its percentage, then what is done, then what nobody knows.
fn progress(row: &Row) -> (u8, u8) {
    match (row.outcome, row.activity, row.completion_percent) {
        (Outcome::CannotTell, _, None) | (_, Activity::Unknown, None) => (2, 0),
        (_, Activity::NotUpdating, _) => (1, 0),
        (_, _, Some(percent)) => (0, percent),
        (_, Activity::Updating, None) => (0, 0),
    }
}

/// A version as a key. The order of versions is a partial one, and a table needs a whole one: among equal numbers a
/// pre-release comes first, and then the text decides.
fn version(text: Option<&str>) -> Key {
    let text = text.unwrap_or_default();
    Key { version: KubeVersion::parse(text).ok(), text: text.to_owned() }
}

#[derive(PartialEq, Eq)]
struct Key {
    version: Option<KubeVersion>,
    text: String,
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let texts = || self.text.cmp(&other.text);
        match (&self.version, &other.version) {
            (Some(a), Some(b)) => {
                let is_release = |version: &KubeVersion| version.prerelease().is_empty();
                a.compare_numbers(b).then(is_release(a).cmp(&is_release(b))).then_with(texts)
            }
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            // No version at all comes last.
            (None, None) => self.text.is_empty().cmp(&other.text.is_empty()).then_with(texts),
        }
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use headway_api::insight::Level;
    use headway_api::report::{Assessment, Position};

    use super::*;

    pub(in crate::fleet) fn of_outcome(outcome: Outcome) -> Row {
        Row { outcome, ..blank("n", "a") }
    }

    fn blank(namespace: &str, name: &str) -> Row {
        Row {
            namespace: namespace.into(),
            name: name.into(),
            form: Form::ClusterApi,
            outcome: Outcome::Updating,
            activity: Activity::Updating,
            assessment: Assessment::Progressing,
            from: None,
            to: None,
            plan: Vec::new(),
            position: None,
            completion_percent: None,
            machines_done: None,
            machines_desired: None,
            worst_level: None,
            worst_summary: None,
            attention: 0,
            waiting_on: None,
            started_at: None,
            since: None,
        }
    }

    fn check(order: Order, rows: Vec<Row>, expect: &[&str]) {
        let mut forwards = rows.clone();
        let mut backwards: Vec<Row> = rows.into_iter().rev().collect();
        sort(&mut forwards, order);
        sort(&mut backwards, order);
        assert_eq!(forwards, backwards, "the order of the input does not matter: {order:?}");
        let names: Vec<String> = forwards.iter().map(|row| format!("{}/{}", row.namespace, row.name)).collect();
        assert_eq!(names, expect, "{order:?}");
    }

    #[test]
    fn rows_are_sorted_by_each_column() {
        let named = || vec![blank("b", "x"), blank("a", "z"), blank("b", "a")];
        check(Order::Namespace, named(), &["a/z", "b/a", "b/x"]);
        check(Order::Name, named(), &["b/a", "b/x", "a/z"]);
        let to =
            |name: &str, to: &str| Row { to: Some(to.into()).filter(|to: &String| !to.is_empty()), ..blank("n", name) };
        let versions = || {
            vec![
                to("a", "v1.10.0"),
                to("b", "v1.9.0"),
                to("c", ""),
                to("d", "latest"),
                to("e", "v1.10.0-rc.1"),
                to("f", "v1.10.0+rke2r2"),
                to("g", "4.18.3"),
            ]
        };
        check(Order::To, versions(), &["n/b", "n/e", "n/a", "n/f", "n/g", "n/d", "n/c"]);
        let at = |name: &str, step: usize| Row { position: Some(Position { step, of: 3 }), ..blank("n", name) };
        check(Order::Step, vec![blank("n", "a"), at("b", 3), at("c", 1)], &["n/c", "n/b", "n/a"]);
        let percent = |name: &str, percent: u8| Row { completion_percent: Some(percent), ..blank("n", name) };
        let done = Row { activity: Activity::NotUpdating, outcome: Outcome::NotUpdating, ..percent("d", 100) };
        let unknown = Row { activity: Activity::Unknown, outcome: Outcome::CannotTell, ..blank("n", "u") };
        check(Order::Progress, vec![unknown, done, percent("a", 90), percent("b", 5)], &["n/b", "n/a", "n/d", "n/u"]);
        let form = |name: &str, form: Form| Row { form, ..blank("n", name) };
        check(Order::Form, vec![form("a", Form::Hosted), form("b", Form::ClusterApi)], &["n/b", "n/a"]);
    }

    #[test]
    fn the_worst_and_the_oldest_come_first() {
        let rows = || {
            let row = |name: &str, level: Option<Level>, since: Option<&str>| Row {
                worst_level: level,
                since: since.map(|since| since.parse().unwrap()),
                ..blank("n", name)
            };
            vec![
                row("well", None, Some("2026-05-04T06:00:00Z")),
                row("warned", Some(Level::Warning), Some("2026-05-04T07:00:00Z")),
                row("bad", Some(Level::Error), Some("2026-05-04T07:30:00Z")),
                row("worse", Some(Level::Error), Some("2026-05-04T07:10:00Z")),
                row("unknown", Some(Level::Error), None),
            ]
        };
        check(Order::Worst, rows(), &["n/worse", "n/bad", "n/unknown", "n/warned", "n/well"]);
        check(Order::Since, rows(), &["n/well", "n/warned", "n/worse", "n/bad", "n/unknown"]);
    }
}
