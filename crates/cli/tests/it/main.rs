//! The integration tests of this crate, in one program.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests"
)]

mod bad_input;
#[cfg(unix)]
mod catalog;
mod codes;
mod common;
#[cfg(unix)]
mod context;
#[cfg(target_os = "linux")]
mod crash;
#[cfg(unix)]
mod decisions;
mod docs;
mod doctor;
#[cfg(target_os = "linux")]
mod endpoint;
mod help;
#[cfg(unix)]
mod imprint;
#[cfg(unix)]
mod ladder;
mod logic;
#[cfg(unix)]
mod memory;
#[cfg(target_os = "linux")]
mod models;
#[cfg(target_os = "linux")]
mod models_local;
mod objects_registry;
mod options;
mod packs;
#[cfg(unix)]
mod pages;
#[cfg(unix)]
mod plan;
mod printed;
#[cfg(unix)]
mod profiles;
mod profiles_registry;
mod run;
mod schemas;
mod secrets;
#[cfg(unix)]
mod typescript;
mod width;
#[cfg(target_os = "linux")]
mod workspaces;
