//! `deed context` at the shell: what it says of good input, and that bad input gets its code and exit code, and leaves
//! nothing behind.

mod archive;
mod bad_bundles;
mod bad_files;
mod budget;
mod call;
mod compile;
pub(crate) mod example;
mod explain;
mod hostile;
mod items;
mod large;
mod packets;
mod policy;
mod registry;
mod resolve;
mod secrets;
mod stated;
mod stats;
mod sweep;
