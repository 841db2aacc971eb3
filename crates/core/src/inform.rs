//! How facts of a live cluster come to the one who judges them: informers on one side, a store on the other, messages
//! one way in between (update-status-api.md, 3.7).
//!
//! An informer watches one kind of object and tells what it sees in [`Msg`]s. The [`Store`] keeps the newest fact of
//! each object and makes a `Snapshot` of all of them. Nothing here waits, reads a clock or knows a client: how the
//! messages travel and when the store is asked is the business of who holds both ends.

mod channel;
mod message;
mod store;

pub(crate) use self::channel::{Channel, Entry};
pub use self::message::{Epoch, Fact, Failure, FailureKind, Kind, Msg, Source, Uid};
pub use self::store::{Informer, InformerState, Store, Timing};
