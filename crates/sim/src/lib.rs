//! A rehearsal world: clusters of plain data that are driven as real ones are.
//!
//! A [`Script`] says what is there, what is asked for and what goes wrong, line by line; [`rehearse`] plays it and
//! answers with the transcript. What decides is [`headway_core::drive::decide`], the same as for real clusters; what is
//! made up here is the rest: machines that take their time, extensions that answer, a store that refuses, a process
//! that dies. Nothing here reads a clock: time is what the script says.
//!
//! [`Watcher`] sees every event and holds the promises of an upgrade against it (chained-upgrades.md, section 11).

mod driver;
mod event;
mod extension;
mod machines;
mod play;
mod rehearse;
mod script;
mod watcher;
mod words;
mod world;

pub use driver::{Driver, Fault, Turn};
pub use event::{Event, Moment, Mover};
pub use extension::{Behaviour, Extensions, Reply};
pub use machines::{Machine, Machines};
pub use play::{PlayError, Stage};
pub use rehearse::{RehearsalError, rehearse, rehearse_with};
pub use script::{Command, LineFault, Script, ScriptError};
pub use watcher::{Broken, Watcher};
pub use world::{Planner, Pool, World};
