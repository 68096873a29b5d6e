//! `deed plan` at the shell: plans are checked as a compiler would, and bad input gets its code, its place and its exit
//! code.

mod bad_files;
mod check;
mod compile;
mod diff;
mod example;
mod explain;
mod graph;
mod hostile;
mod new;
mod page;
mod secrets;
mod syntax;
mod usage;
