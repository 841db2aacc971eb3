//! Why an aim is missed, where it is and we know: printed beside the figure until it is met.

/// Figure and reason. A row is taken out when its aim is met.
pub(super) const REASONS: &[(&str, &str)] = &[];

/// The reason for missing the aim of a figure, when one is known.
pub(super) fn reason(figure: &str) -> Option<&'static str> {
    REASONS.iter().find(|(name, _)| *name == figure).map(|(_, reason)| *reason)
}
