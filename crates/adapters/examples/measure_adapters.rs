//! Measures the adapters alone: the same rows as in `deed-bench`, without building the rest.
#![allow(clippy::disallowed_methods, reason = "a bench reads the clock")]

#[path = "../../../benches/src/adapters.rs"]
mod adapters;
#[path = "../../../benches/src/table.rs"]
mod table;

use std::error::Error;

/// As in the command itself.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut table = table::Table::default();
    adapters::measure(&mut table)?;
    table.print();
    Ok(())
}
