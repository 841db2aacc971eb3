//! What an informer watches: where its objects are, and how one is read.

use headway_core::inform::{Fact, Source, Uid};
use kube::core::request::Error;

use super::super::super::Limits;
use super::super::super::collect::parse_page;
use super::super::fault::{self, Fault};
use super::super::resource::{Asked, Listing};
use super::outbox::Known;

/// A kind of object that can be watched.
pub(super) trait Subject {
    /// Who is informed of it.
    type Source: Clone;
    /// What is known of one object.
    type Fact: Clone + PartialEq;

    /// The list, sent object by object as the beginning of a watch.
    fn stream(&self) -> Result<Asked, Error>;

    /// What changes after a version.
    fn watch(&self, version: &str) -> Result<Asked, Error>;

    /// A page of the list.
    fn page(&self, limit: Option<u32>, token: Option<&str>) -> Result<Asked, Error>;

    /// Reads an object, or a page of them.
    fn read(&self, text: &[u8], limits: &Limits) -> Vec<(Uid, Known<Self::Fact>)>;

    /// Moves on to the next version whose fields are known; from the last back to the first, and says `false` then.
    fn next_version(&mut self) -> bool;

    /// What stands in the way of reading it.
    fn obstacle(&self, verb: &str, fault: &Fault) -> String;
}

impl Subject for Listing {
    type Source = Source;
    type Fact = Fact;

    fn stream(&self) -> Result<Asked, Error> {
        self.stream()
    }

    fn watch(&self, version: &str) -> Result<Asked, Error> {
        self.watch(version)
    }

    fn page(&self, limit: Option<u32>, token: Option<&str>) -> Result<Asked, Error> {
        self.page(limit, token)
    }

    fn read(&self, text: &[u8], limits: &Limits) -> Vec<(Uid, Known)> {
        parse_page(&self.place(), text, self.kind, limits).into_known().collect()
    }

    fn next_version(&mut self) -> bool {
        self.next_version()
    }

    fn obstacle(&self, verb: &str, fault: &Fault) -> String {
        fault::told(self.kind, verb, fault)
    }
}
