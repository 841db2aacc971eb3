//! The parts of object metadata, conditions and selectors that every slice shares.
//!
//! All slices are lenient: an absent or null field is its default. A field of a wrong type is an error of that field,
//! which the reader in `headway-cluster` leaves out and names.

use std::fmt;

use jiff::Timestamp;
use serde::de::{self, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Metadata of an object of which only the identity is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Identity {
    /// `metadata.name`.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// `metadata.namespace`, empty for cluster-scoped objects.
    #[serde(deserialize_with = "null_as_default")]
    pub namespace: String,
    /// `metadata.labels`.
    #[serde(deserialize_with = "null_as_default")]
    pub labels: Labels,
}

/// Who owns an object (`metadata.ownerReferences[]`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct OwnerReference {
    /// The owner's kind, such as `DaemonSet`.
    #[serde(deserialize_with = "null_as_default")]
    pub kind: String,
    /// The owner's name.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// Whether this owner manages the object.
    #[serde(deserialize_with = "null_as_default")]
    pub controller: bool,
}

/// Labels of an object.
///
/// They are one text, since there are many objects with many labels: keys and values take turns, each ended by a NUL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels(Box<str>);

impl Labels {
    /// The value of a label; of two values of one key the last one counts, as in a JSON object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        if key.contains('\0') {
            return None;
        }
        let text = self.0.as_bytes();
        let ends = |at: usize| text.get(at) == Some(&0);
        // One search in the whole text: whoever watches asks this of thousands of nodes several times a second.
        let is_key = |at: &usize| {
            let is_word = (*at == 0 || ends(*at - 1)) && ends(*at + key.len());
            // Keys and values take turns: before a key stands an even number of words.
            is_word && memchr::memchr_iter(0, &text[..*at]).count().is_multiple_of(2)
        };
        let found = memchr::memmem::find_iter(text, key).filter(is_key).last()?;
        self.0.get(found + key.len() + 1..)?.split('\0').next()
    }

    /// Whether a label is present, whatever its value.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Keys and values, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut words = self.0.split_terminator('\0');
        std::iter::from_fn(move || Some((words.next()?, words.next()?)))
    }
}

impl<K: AsRef<str>, V: AsRef<str>> FromIterator<(K, V)> for Labels {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Self {
        let mut text = String::new();
        for (key, value) in iter {
            append(&mut text, key.as_ref());
            append(&mut text, value.as_ref());
        }
        Self(text.into())
    }
}

/// Appends a word of labels. No word of Kubernetes holds a NUL; one that does is not let through.
fn append(text: &mut String, word: &str) {
    if word.contains('\0') {
        text.push_str(&word.replace('\0', "\u{fffd}"));
    } else {
        text.push_str(word);
    }
    text.push('\0');
}

impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LabelsVisitor;
        impl<'de> Visitor<'de> for LabelsVisitor {
            type Value = Labels;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of text to text")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Labels, A::Error> {
                let mut text = String::new();
                while map.next_key_seed(Key(&mut text))?.is_some() {
                    map.next_value_seed(Word(&mut text))?;
                }
                Ok(Labels(text.into()))
            }
        }
        deserializer.deserialize_map(LabelsVisitor)
    }
}

/// Reads a key onto the end of a text, without a text of its own in between.
struct Key<'a>(&'a mut String);

impl<'de> de::DeserializeSeed<'de> for Key<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(Word(self.0))
    }
}

/// The same for a value. Null is the empty word.
struct Word<'a>(&'a mut String);

impl<'de> de::DeserializeSeed<'de> for Word<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Word<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }
    fn visit_str<E: de::Error>(self, word: &str) -> Result<(), E> {
        append(self.0, word);
        Ok(())
    }
    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.visit_str("")
    }
    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.visit_str("")
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

/// Whether a map has a key that starts with one of a type's prefixes; values are not looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlatformMark(pub bool);

/// Prefixes of the annotations by which a release payload marks its own objects (status-openshift.md, 6.1).
const PAYLOAD_PREFIXES: [&str; 2] = ["include.release.openshift.io/", "exclude.release.openshift.io/"];

impl<'de> Deserialize<'de> for PlatformMark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MarkVisitor;
        impl<'de> Visitor<'de> for MarkVisitor {
            type Value = PlatformMark;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of annotations")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PlatformMark, A::Error> {
                let mut marked = false;
                while let Some((key, _)) = map.next_entry::<String, IgnoredAny>()? {
                    marked |= PAYLOAD_PREFIXES.iter().any(|prefix| key.starts_with(prefix));
                }
                Ok(PlatformMark(marked))
            }
        }
        deserializer.deserialize_map(MarkVisitor)
    }
}

/// Status of a condition. Anything that is not one of the three words of the Kubernetes API is `Other`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionStatus {
    /// `True`.
    True,
    /// `False`.
    False,
    /// `Unknown`.
    Unknown,
    /// Absent, empty or any other text.
    #[default]
    Other,
}

impl<'de> Deserialize<'de> for ConditionStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StatusVisitor;
        impl Visitor<'_> for StatusVisitor {
            type Value = ConditionStatus;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("True, False or Unknown")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<ConditionStatus, E> {
                Ok(match text {
                    "True" => ConditionStatus::True,
                    "False" => ConditionStatus::False,
                    "Unknown" => ConditionStatus::Unknown,
                    _ => ConditionStatus::Other,
                })
            }
        }
        deserializer.deserialize_str(StatusVisitor)
    }
}

/// A condition of a foreign object (`status.conditions[]`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Condition {
    /// The condition's type, such as `Progressing`.
    #[serde(rename = "type", deserialize_with = "null_as_default")]
    pub kind: String,
    /// Its status.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ConditionStatus,
    /// A word for why.
    #[serde(deserialize_with = "null_as_default")]
    pub reason: String,
    /// A sentence for why; any length, may hold line breaks.
    #[serde(deserialize_with = "null_as_default")]
    pub message: String,
    /// When the status last changed; `None` when absent, null or Go's zero time.
    #[serde(deserialize_with = "time")]
    pub last_transition_time: Option<Timestamp>,
}

/// A label selector as in the Kubernetes API.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct LabelSelector {
    /// Labels that must have these values.
    #[serde(deserialize_with = "null_as_default")]
    pub match_labels: Labels,
    /// Further requirements, all of which must hold.
    #[serde(deserialize_with = "null_as_default")]
    pub match_expressions: Vec<LabelRequirement>,
}

/// One requirement of a label selector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct LabelRequirement {
    /// The label's key.
    #[serde(deserialize_with = "null_as_default")]
    pub key: String,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
    #[serde(deserialize_with = "null_as_default")]
    pub operator: String,
    /// Values for `In` and `NotIn`.
    #[serde(deserialize_with = "null_as_default")]
    pub values: Vec<String>,
}

/// Why a label selector cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSelector(pub String);

impl fmt::Display for BadSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl LabelSelector {
    /// Checks the requirements as the API server would.
    ///
    /// # Errors
    /// An unknown operator, `In` or `NotIn` without values, `Exists` or `DoesNotExist` with values, or an empty key.
    pub fn check(&self) -> Result<(), BadSelector> {
        self.match_expressions.iter().try_for_each(LabelRequirement::check)
    }
    /// Whether the selector holds for these labels. An empty selector holds for all.
    ///
    /// A selector with a requirement that [`LabelSelector::check`] refuses holds for none.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        self.match_labels.iter().all(|(key, value)| labels.get(key) == Some(value))
            && self.match_expressions.iter().all(|requirement| requirement.holds(labels))
    }
}

impl LabelRequirement {
    fn check(&self) -> Result<(), BadSelector> {
        let Self { key, operator, values } = self;
        if key.is_empty() {
            return Err(BadSelector("a requirement without a key".into()));
        }
        match (operator.as_str(), values.is_empty()) {
            ("In" | "NotIn", false) | ("Exists" | "DoesNotExist", true) => Ok(()),
            ("In" | "NotIn", true) => Err(BadSelector(format!("{key}: operator {operator} needs values"))),
            ("Exists" | "DoesNotExist", false) => {
                Err(BadSelector(format!("{key}: operator {operator} takes no values")))
            }
            (other, _) => Err(BadSelector(format!("{key}: {other:?} is not an operator of label selectors"))),
        }
    }

    fn holds(&self, labels: &Labels) -> bool {
        let value = labels.get(&self.key);
        let listed = value.is_some_and(|value| self.values.iter().any(|known| known == value));
        let met = match self.operator.as_str() {
            "In" => listed,
            "NotIn" => !listed,
            "Exists" => value.is_some(),
            "DoesNotExist" => value.is_none(),
            _ => false,
        };
        met && self.check().is_ok()
    }
}

/// Reads a field whose null counts as absent.
///
/// # Errors
/// Those of the field's own type.
pub fn null_as_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reads a list whose null counts as absent, and keeps no room for more than is in it: of many objects, such as the
/// Machines of a fleet, the room would be a third of what is kept.
///
/// # Errors
/// Those of what is in the list.
pub fn tight_list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let mut list: Vec<T> = null_as_default(deserializer)?;
    list.shrink_to_fit();
    Ok(list)
}

/// Reads an RFC 3339 time; null, absent and Go's zero time (year 1) are `None`.
///
/// # Errors
/// Text that is not an RFC 3339 time.
pub fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    struct TimeVisitor;
    impl<'de> Visitor<'de> for TimeVisitor {
        type Value = Option<Timestamp>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an RFC 3339 time")
        }
        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            let time: Timestamp =
                text.parse().map_err(|_| E::invalid_value(de::Unexpected::Str(text), &"an RFC 3339 time"))?;
            Ok((time >= ZERO_TIME_ENDS).then_some(time))
        }
        fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
            deserializer.deserialize_str(Self)
        }
    }
    deserializer.deserialize_option(TimeVisitor)
}

/// 0002-01-01T00:00:00Z: times before it are Go's zero time, written out by tools that do not write null.
const ZERO_TIME_ENDS: Timestamp = Timestamp::constant(-62_104_060_800, 0);

#[cfg(test)]
mod tests {
    use super::*;

    fn selector(json: &str) -> LabelSelector {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn selectors_match_as_in_the_api() {
        let labels: Labels = [("app", "shop"), ("tier", "web")].into_iter().collect();
        let check = |json: &str, expect: bool| assert_eq!(selector(json).matches(&labels), expect, "{json}");
        check("{}", true);
        check(r#"{"matchLabels":{"app":"shop"}}"#, true);
        check(r#"{"matchLabels":{"app":"other"}}"#, false);
        check(r#"{"matchLabels":{"app":"shop","x":""}}"#, false);
        check(r#"{"matchExpressions":[{"key":"app","operator":"In","values":["a","shop"]}]}"#, true);
        check(r#"{"matchExpressions":[{"key":"gone","operator":"In","values":["a"]}]}"#, false);
        check(r#"{"matchExpressions":[{"key":"gone","operator":"NotIn","values":["a"]}]}"#, true);
        check(r#"{"matchExpressions":[{"key":"app","operator":"NotIn","values":["shop"]}]}"#, false);
        check(r#"{"matchExpressions":[{"key":"app","operator":"Exists"}]}"#, true);
        check(r#"{"matchExpressions":[{"key":"app","operator":"DoesNotExist"}]}"#, false);
        check(r#"{"matchExpressions":[{"key":"app","operator":"Near"}]}"#, false);
        // What the API would refuse holds for none.
        check(r#"{"matchExpressions":[{"key":"app","operator":"Exists","values":["shop"]}]}"#, false);
        check(r#"{"matchExpressions":[{"key":"app","operator":"NotIn"}]}"#, false);
        check(r#"{"matchExpressions":[{"operator":"DoesNotExist"}]}"#, false);
    }

    #[test]
    fn bad_selectors_are_named() {
        let check = |json: &str, expect: &str| {
            assert_eq!(selector(json).check().map_err(|e| e.to_string()), Err(expect.to_string()));
        };
        check(r#"{"matchExpressions":[{"key":"a","operator":"In"}]}"#, "a: operator In needs values");
        check(
            r#"{"matchExpressions":[{"key":"a","operator":"Exists","values":["x"]}]}"#,
            "a: operator Exists takes no values",
        );
        check(
            r#"{"matchExpressions":[{"key":"a","operator":"Near"}]}"#,
            "a: \"Near\" is not an operator of label selectors",
        );
        check(r#"{"matchExpressions":[{"operator":"Exists"}]}"#, "a requirement without a key");
    }

    #[test]
    fn times_and_nulls_are_read() {
        let read = |json: &str| serde_json::from_str::<Condition>(json).map(|c| c.last_transition_time);
        let some = |text: &str| Some(text.parse::<Timestamp>().unwrap());
        assert_eq!(read("{}").unwrap(), None);
        assert_eq!(read(r#"{"lastTransitionTime":null,"message":null,"status":null}"#).unwrap(), None);
        assert_eq!(read(r#"{"lastTransitionTime":"0001-01-01T00:00:00Z"}"#).unwrap(), None);
        assert_eq!(
            read(r#"{"lastTransitionTime":"2026-05-04T10:00:00.5+02:00"}"#).unwrap(),
            some("2026-05-04T08:00:00.5Z")
        );
        assert!(read(r#"{"lastTransitionTime":"yesterday"}"#).is_err());
        assert!(read(r#"{"lastTransitionTime":5}"#).is_err());
    }

    #[test]
    fn the_last_of_two_equal_labels_counts() {
        let labels: Labels = [("a", "1"), ("b", "2"), ("a", "3")].into_iter().collect();
        assert_eq!(labels.get("a"), Some("3"));
        assert!(labels.has("b") && !labels.has("c"));
    }

    #[test]
    fn only_whole_keys_are_found() {
        let labels: Labels =
            [("role/worker", ""), ("zone", "role"), ("x", "zone"), ("", "empty")].into_iter().collect();
        let check = |key: &str, expect: Option<&str>| assert_eq!(labels.get(key), expect, "{key}");
        check("role/worker", Some(""));
        check("role/work", None);
        check("ole/worker", None);
        check("role", None);
        check("zone", Some("role"));
        check("x", Some("zone"));
        check("", Some("empty"));
        check("x\0zone", None);
        assert_eq!(Labels::default().get(""), None);
        assert_eq!(Labels::default().get("zone"), None);
    }

    #[test]
    fn labels_are_read_with_nulls_and_refused_with_numbers() {
        let read = |json: &str| serde_json::from_str::<Labels>(json);
        let labels = read(r#"{"a":"1","b":"","c":null,"d\u0000e":"x"}"#).unwrap();
        let all: Vec<_> = labels.iter().collect();
        assert_eq!(all, [("a", "1"), ("b", ""), ("c", ""), ("d\u{fffd}e", "x")]);
        assert!(read(r#"{"a":1}"#).is_err());
        assert_eq!(read("{}").unwrap(), Labels::default());
    }
}
