//! Prints the peak of memory during compiles, against the bytes of their inputs. It is a program of its own because the
//! allocator that counts would slow the others down.
#![allow(clippy::disallowed_methods, reason = "a bench reads files")]

mod packs;
mod scenario;

use deed_context::compile;
use peak_alloc::PeakAlloc;
use scenario::{Given, examples, hydrated, large_given, large_pack};
use serde_json::Value;
use std::error::Error;
use std::hint::black_box;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:<58} {:>12} {:>12} {:>8}  {:<14} met", "what", "inputs", "peak", "ratio", "aim");
    for given in examples(1)? {
        row("compile the worked example", &packs::support()?, &given)?;
    }
    let few_rules = large_pack(10, 10)?;
    row("1,024 pieces of evidence of 1 KB", &few_rules, &large_given(1_024)?)?;
    row("10,240 pieces of evidence of 1 KB", &few_rules, &large_given(10_240)?)?;
    row("10,000 rules, 1,000 capabilities, 1,024 pieces of 1 KB", &large_pack(10_000, 1_000)?, &large_given(1_024)?)
}

/// The inputs are the pack, the run, the request, evidence and memory, as JSON.
fn row(what: &str, pack: &Value, given: &Given) -> Result<(), Box<dyn Error>> {
    let inputs = pack.to_string().len() + given.json.len();
    let pack = hydrated(pack)?;
    // The vocabulary and what a thread remembers are loaded before.
    black_box(compile(&pack, given.inputs()));
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    black_box(compile(&pack, given.inputs()));
    let peak = MEMORY.peak_usage().saturating_sub(before);
    let ratio = peak as f64 / inputs as f64;
    let met = if ratio <= 4.0 { "yes" } else { "NO" };
    println!("{what:<58} {inputs:>12} {peak:>12} {ratio:>7.2}x  {:<14} {met}", "at most 4x");
    Ok(())
}
