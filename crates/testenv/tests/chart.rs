//! The Helm chart of `deploy/helm`: that it renders, is accepted by a real API server, and asks for no right too many.
//!
//! Here because this crate has helm, kubectl and an API server at hand, and no other client is needed.

#![expect(clippy::unwrap_used, reason = "a test says what it means by failing")]

mod chart {
    mod installed;
    mod rendered;
    mod rights;
    mod values;
}
