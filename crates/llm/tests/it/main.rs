//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

mod bad_input;
mod common;
mod cuts;
mod faults;
mod habits;
mod limits;
mod matrix;
mod money;
mod protocols;
mod requests;
mod retries;
mod transcripts;
