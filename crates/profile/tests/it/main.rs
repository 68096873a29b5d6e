//! The integration tests of this crate, in one program.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests"
)]

mod chain;
mod diffs;
mod filters;
mod gates;
mod power;
mod prompts;
mod snapshots;
