//! `deed context` at the shell: what it says of good input, and that bad input gets its code and exit code, and leaves
//! nothing behind.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

mod common;

#[path = "context/archive.rs"]
mod archive;
#[path = "context/bad_bundles.rs"]
mod bad_bundles;
#[path = "context/bad_files.rs"]
mod bad_files;
#[path = "context/budget.rs"]
mod budget;
#[path = "context/compile.rs"]
mod compile;
#[path = "context/example.rs"]
mod example;
#[path = "context/explain.rs"]
mod explain;
#[path = "context/hostile.rs"]
mod hostile;
#[path = "context/items.rs"]
mod items;
#[path = "context/large.rs"]
mod large;
#[path = "context/policy.rs"]
mod policy;
#[path = "context/registry.rs"]
mod registry;
#[path = "context/resolve.rs"]
mod resolve;
#[path = "context/secrets.rs"]
mod secrets;
