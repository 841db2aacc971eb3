//! Any bytes: the fast reader agrees with the library or hands over, and both end.

#![no_main]
#![allow(clippy::panic, reason = "a panic is how a fuzz target reports")]

use headway_cluster::object::differential;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Err(told) = differential::check(text) {
        panic!("{told}");
    }
});
