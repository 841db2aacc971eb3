//! Tests of the readers: recordings, written objects, hostile texts, and a table per feature.

mod hostile;
mod recordings;
mod tables;
mod tolerance;
mod writer;
mod written;
