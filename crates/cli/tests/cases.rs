//! What people see, as case folders: the real binary on recordings, against what it is expected to say.
//!
//! `examples` runs our own folders below `examples/` and compares every line; `shared` runs the small public cases that
//! lie beside a checkout of the project and asserts what their `expected.md` asks. How the binary is run is in
//! `program`.

// Clippy takes what is shared between tests for test code only below this attribute.
#[cfg(test)]
mod cases {
    mod examples;
    mod program;
    mod shared;
}
