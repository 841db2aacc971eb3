//! Real worlds: what is recorded in files, read into objects.

pub mod object;
