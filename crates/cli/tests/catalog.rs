//! `deed catalog` at the shell: types are listed, shown, linted and added, adapters are run, and bad input gets its code,
//! its place and its exit code.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

mod common;
#[path = "common/console.rs"]
#[allow(dead_code, reason = "pages of plans are walked through, with files between the commands")]
mod console;

#[path = "catalog/adapt.rs"]
mod adapt;
#[path = "catalog/add.rs"]
mod add;
#[path = "catalog/bad_folders.rs"]
mod bad_folders;
#[path = "catalog/example.rs"]
mod example;
#[path = "catalog/hostile.rs"]
mod hostile;
#[path = "catalog/lint.rs"]
mod lint;
#[path = "catalog/list.rs"]
mod list;
#[path = "catalog/new.rs"]
mod new;
#[path = "catalog/own.rs"]
mod own;
#[path = "catalog/page.rs"]
mod page;
#[path = "catalog/usage.rs"]
mod usage;
#[path = "plan/walk.rs"]
mod walk;
#[path = "catalog/zip.rs"]
mod zip;
