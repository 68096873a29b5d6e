//! Environments, golden cases, duties and exchange of packs.

mod duties;
mod environments;
mod exchange;
mod golden;
mod pipeline;
mod read_only;
mod release;
