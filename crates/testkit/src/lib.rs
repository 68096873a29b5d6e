//! Tools for the tests of deed. Only ever a dev-dependency.
//!
//! [`Suite`] makes a test of every folder of cases, [`Random`] is the seeded generator of tests that draw their own
//! inputs, [`repository`] and [`corpus`] are the folders that tests read. `loopback` has scripted servers, `conformance`
//! the cases that every engine passes.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "for tests, which fail by panicking"
)]

#[cfg(feature = "conformance")]
pub mod conformance;
mod folders;
#[cfg(feature = "loopback")]
pub mod loopback;
mod random;
mod suite;

pub use folders::{corpus, repository};
pub use random::Random;
pub use suite::Suite;
