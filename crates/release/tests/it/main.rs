//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests"
)]

mod checklist;
mod common;
mod formats;
mod golden;
mod recheck;
mod regressions;
mod unproven;
mod worse;
