//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
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
