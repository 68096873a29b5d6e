//! `deed catalog` at the shell: types are listed, shown, linted and added, adapters are run, and bad input gets its code,
//! its place and its exit code.

mod adapt;
mod add;
mod bad_folders;
mod example;
mod hostile;
mod infer;
mod lint;
mod list;
mod new;
mod own;
mod page;
mod usage;
mod zip;
