//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod conflicts;
mod diff_classes;
mod diff_property;
mod fixtures;
mod overlay_property;
mod overlay_rules;
