//! Tests of the readers: recordings, written objects, hostile texts, and a table per feature.

mod recordings;
