//! A stream of which only so much may be read until more is allowed.
//!
//! The names of a tar's entries may stand in entries of their own, which the library reads whole and without a bound:
//! a few compressed kilobytes could ask for any amount of memory.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// The stream.
pub(super) struct Metered<R> {
    inner: R,
    allowance: Allowance,
}

/// How many bytes may still be read, and whether there were more.
#[derive(Clone, Default)]
pub(super) struct Allowance {
    bytes: Rc<Cell<u64>>,
    ended: Rc<Cell<bool>>,
}

impl Allowance {
    pub(super) fn set(&self, bytes: u64) {
        self.bytes.set(bytes);
    }

    pub(super) fn left(&self) -> u64 {
        self.bytes.get()
    }

    /// Whether more was asked for than there was.
    pub(super) fn has_ended(&self) -> bool {
        self.ended.get()
    }
}

impl<R: Read> Metered<R> {
    pub(super) fn new(inner: R, allowance: Allowance) -> Self {
        Self { inner, allowance }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.allowance.left();
        if left == 0 && !buffer.is_empty() {
            return Err(io::Error::other("what describes an entry is too long"));
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.inner.read(buffer.get_mut(..most).unwrap_or_default())?;
        if read == 0 && most > 0 {
            self.allowance.ended.set(true);
        }
        self.allowance.set(left.saturating_sub(u64::try_from(read).unwrap_or(u64::MAX)));
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_allowed() {
        let check = |allowed: u64, wanted: usize, expect: Option<usize>| {
            let allowance = Allowance::default();
            allowance.set(allowed);
            let mut stream = Metered::new(io::repeat(7).take(100), allowance.clone());
            let mut buffer = vec![0; wanted];
            assert_eq!(stream.read(&mut buffer).ok(), expect, "{wanted} of {allowed}");
            let used = u64::try_from(expect.unwrap_or(0)).unwrap();
            assert_eq!(allowance.left(), allowed - used, "{wanted} of {allowed}");
        };
        check(10, 4, Some(4));
        check(10, 20, Some(10));
        check(0, 20, None);
        check(0, 0, Some(0));
        check(u64::MAX, 200, Some(100));
    }
}
