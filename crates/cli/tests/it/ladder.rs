//! `deed ladder` at the shell: payloads are caught and corrected with every change on record, and bad input gets its
//! code, its place and its exit code.

mod bad_contracts;
mod bad_files;
mod check;
mod climb;
mod example;
mod findings;
mod lines;
mod map;
mod modes;
mod page;
mod proposals;
mod secrets;
mod settle;
mod undo;
mod usage;
