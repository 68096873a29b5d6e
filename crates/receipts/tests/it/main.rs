//! The integration tests of this crate, in one program.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

mod binaries;
mod common;
mod delimited;
mod hostile;
mod json;
mod naive;
mod parquet;
mod texts;
