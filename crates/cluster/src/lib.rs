//! Real worlds: what is recorded in files, read into objects and gathered into a snapshot.

pub mod gather;
pub mod object;
