//! What could not be observed, as a value: a gap is told, and is never a reason to report success.

use serde::Serialize;

/// Something that was looked for and not seen, or not seen whole.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// What kind of gap it is.
    pub kind: GapKind,
    /// The file, archive entry or other place; empty when the gap is of the whole input.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The object as `Kind/name` or `Kind/namespace/name`; empty when it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub object: String,
    /// The field as a path, such as `status.conditions[3].status`; empty when the gap is the whole object.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field: String,
    /// What is wrong, in one line.
    pub message: String,
}

/// Kinds of gaps, the most serious first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum GapKind {
    /// A kind that the report rests on was not found at all.
    Missing,
    /// A file or object could not be read.
    Unreadable,
    /// A file or archive entry was refused: too large, or with a name that leads elsewhere.
    Refused,
    /// A field of an object had a wrong type and was left out.
    Field,
    /// The same object was found more than once; one was taken.
    Duplicate,
    /// A kind that only some rules need was not found.
    Optional,
}

impl GapKind {
    /// Whether what is missing can change the answer to "is it updating, and is it done?".
    #[must_use]
    pub fn is_serious(self) -> bool {
        match self {
            Self::Missing | Self::Unreadable | Self::Refused | Self::Field => true,
            Self::Duplicate | Self::Optional => false,
        }
    }
}

impl Gap {
    /// A gap of the whole input.
    #[must_use]
    pub fn of_input(kind: GapKind, message: impl Into<String>) -> Self {
        Self { kind, place: String::new(), object: String::new(), field: String::new(), message: message.into() }
    }

    /// A gap of one place.
    #[must_use]
    pub fn of_place(kind: GapKind, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), ..Self::of_input(kind, message) }
    }
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind: _, place, object, field, message } = self;
        for part in [place, object, field] {
            if !part.is_empty() {
                write!(f, "{part}: ")?;
            }
        }
        f.write_str(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_names_place_object_and_field() {
        let gap = Gap {
            object: "Node/w-1".into(),
            field: "status.conditions".into(),
            ..Gap::of_place(GapKind::Field, "n.yaml", "expected a list")
        };
        assert_eq!(gap.to_string(), "n.yaml: Node/w-1: status.conditions: expected a list");
        assert_eq!(Gap::of_input(GapKind::Missing, "no Nodes").to_string(), "no Nodes");
    }
}
