//! `deed ladder` at the shell: payloads are caught and corrected with every change on record, and bad input gets its
//! code, its place and its exit code.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

mod common;
#[path = "common/console.rs"]
mod console;

#[path = "ladder/bad_contracts.rs"]
mod bad_contracts;
#[path = "ladder/bad_files.rs"]
mod bad_files;
#[path = "ladder/check.rs"]
mod check;
#[path = "ladder/climb.rs"]
mod climb;
#[path = "ladder/example.rs"]
mod example;
#[path = "ladder/findings.rs"]
mod findings;
#[path = "ladder/lines.rs"]
mod lines;
#[path = "ladder/map.rs"]
mod map;
#[path = "ladder/modes.rs"]
mod modes;
#[path = "ladder/page.rs"]
mod page;
#[path = "ladder/proposals.rs"]
mod proposals;
#[path = "ladder/secrets.rs"]
mod secrets;
#[path = "ladder/settle.rs"]
mod settle;
#[path = "ladder/undo.rs"]
mod undo;
#[path = "ladder/usage.rs"]
mod usage;
