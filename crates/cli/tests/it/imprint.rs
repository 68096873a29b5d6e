//! `deed imprint` at the shell: schemas become templates, filled templates become payloads, and bad input gets its code,
//! its place and its exit code.

mod api;
mod audit;
mod bad_files;
mod choices;
mod contract;
mod corpus;
mod example;
mod fill;
mod large;
mod lower;
mod page;
mod refused;
mod sections;
mod supplied;
mod template;
mod usage;
mod written;
