//! The integration tests of this crate, in one program.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used, reason = "tests")]

mod documents;
mod rendering;
