//! Prints one table of measurements, each against a floor or a peer measured in the same run.
//!
//! The machine is noisy: every figure is the median of many rounds, and what counts is the ratio.
#![allow(clippy::disallowed_methods, reason = "a bench reads the clock")]

mod adapters;
mod canon;
mod context;
mod imprint;
mod ladder;
mod lint;
mod load;
mod logic;
mod packs;
mod plan;
mod release;
mod runtime;
mod scenario;
mod table;

use std::error::Error;
use table::Table;

/// As in the command itself.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Measure = fn(&mut Table) -> Result<(), Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut table = Table::default();
    let measures: [(&str, Measure); 17] = [
        ("canon", canon::measure),
        ("logic", logic::measure),
        ("lint", lint::measure),
        ("release", release::measure),
        ("load", load::measure),
        ("context", context::measure),
        ("imprint", imprint::measure),
        ("ladder", ladder::measure),
        ("plan", plan::measure),
        ("adapters", adapters::measure),
        ("sandbox", runtime::sandbox),
        ("steps", runtime::steps),
        ("bridge", runtime::bridge),
        ("calls", runtime::calls),
        ("resume", runtime::resume),
        ("growth", runtime::growth),
        ("receipts", runtime::receipts),
    ];
    // Without names, everything is measured.
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (name, measure) in measures {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            measure(&mut table)?;
        }
    }
    table.print();
    Ok(())
}
