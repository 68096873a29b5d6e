//! The integration tests of this crate, in one program.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

mod fixture;
mod laws;
mod paths;
mod people;
mod runs;
