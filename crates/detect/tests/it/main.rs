//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests"
)]

mod alarms;
mod coverage;
mod properties;
mod seeds;
