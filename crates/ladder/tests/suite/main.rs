//! The suites of the ladder: a test for each folder of cases, such as `payloads::l0_01_correct_compact`.
//!
//! A program with a main of its own, because its tests are found when it runs.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests"
)]

mod payloads;
mod texts;

use deed_testkit::Suite;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut suite = Suite::new();
    payloads::add(&mut suite);
    texts::add(&mut suite);
    suite.run()
}
