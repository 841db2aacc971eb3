//! Why an aim is missed, where it is and we know: printed beside the figure until it is met.

/// Figure and reason. A row is taken out when its aim is met.
pub(super) const REASONS: &[(&str, &str)] = &[
    (
        "reading-flat-yaml",
        "one file is read in 30 ms; a sixth of our time is the kernel clearing fresh memory for what is kept of the nodes",
    ),
    (
        "reading-flat-json",
        "one file is read in 30 to 50 ms; serde_json passes over each item three times, to find its end, its kind and its fields",
    ),
    ("peak-flat-json", "JSON lists are not read in pieces yet, so the file is in memory beside what is kept of it"),
    ("growth-peak", "an aim of our own; labels and the rows of the report are kept for every node"),
];

/// The reason for missing the aim of a figure, when one is known.
pub(super) fn reason(figure: &str) -> Option<&'static str> {
    REASONS.iter().find(|(name, _)| *name == figure).map(|(_, reason)| *reason)
}
