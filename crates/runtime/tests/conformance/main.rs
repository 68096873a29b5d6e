//! The embedded engine in the suite that every engine passes: each case is in `crates/testkit/src/conformance/cases`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod local;

use std::process::ExitCode;

fn main() -> ExitCode {
    deed_testkit::conformance::main(&local::Local)
}
