//! Real worlds: what is recorded in files, read into objects and gathered into a snapshot; extensions that are asked.

mod cause;
pub mod gather;
pub mod hook_client;
pub mod object;
