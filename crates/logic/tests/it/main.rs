//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unused_imports,
    reason = "tests"
)]

mod common;
mod differential;
mod laws;
mod official;
mod strict;
