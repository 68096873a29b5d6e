//! `deed plan` at the shell: plans are checked as a compiler would, and bad input gets its code, its place and its exit
//! code.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

mod common;
#[path = "common/console.rs"]
#[allow(dead_code, reason = "pages of plans are walked through, with files between the commands")]
mod console;

#[path = "plan/bad_files.rs"]
mod bad_files;
#[path = "plan/check.rs"]
mod check;
#[path = "plan/compile.rs"]
mod compile;
#[path = "plan/diff.rs"]
mod diff;
#[path = "plan/example.rs"]
mod example;
#[path = "plan/explain.rs"]
mod explain;
#[path = "plan/graph.rs"]
mod graph;
#[path = "plan/hostile.rs"]
mod hostile;
#[path = "plan/new.rs"]
mod new;
#[path = "plan/page.rs"]
mod page;
#[path = "plan/secrets.rs"]
mod secrets;
#[path = "plan/syntax.rs"]
mod syntax;
#[path = "plan/usage.rs"]
mod usage;
#[path = "plan/walk.rs"]
mod walk;
