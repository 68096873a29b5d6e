//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    unused_imports,
    reason = "tests"
)]

mod bad_schemas;
mod common;
mod corpus;
mod laws;
mod lower;
mod regressions;
mod sections;
mod shows;
