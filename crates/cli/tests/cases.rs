//! What people see, as case folders: the real binary on recordings, against what it is expected to say.
//!
//! `examples`, `management` and `plans` run our own folders below `examples/` and compare every line; `shared`, `shared_plans` and `shared_status` run
//! the small public cases that lie beside a checkout of the project and assert what their `expected.md` asks. How the
//! binary is run is in `program`.

// Clippy takes what is shared between tests for test code only below this attribute.
#[cfg(test)]
mod cases {
    mod examples;
    mod management;
    mod plans;
    mod program;
    mod shared;
    mod shared_case;
    mod shared_plans;
    mod shared_status;
}
