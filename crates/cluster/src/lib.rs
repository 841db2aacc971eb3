//! Real worlds: what is recorded in files, read into objects and gathered into a snapshot; extensions that are asked;
//! and upgrades that are walked.

pub mod approval;
mod cause;
pub mod drive;
pub mod gather;
pub mod hook_client;
pub mod object;
pub mod terminal;
