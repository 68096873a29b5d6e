//! Asks a real model on the loopback through the clients, the schemas, the templates, the tools and the evaluator of Deed, and
//! prints the rates against their floors.
//!
//! usage: deed-bench-models URL MODEL, with a server of `deed models local serve`; `make test-model` runs it. Texts of models
//! are never compared, besides with the facts that the task states: what counts are properties that Deed promises for every
//! reply, which must always hold, and shares of right answers, which have a floor for each model.
#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "a measurement: it reads the clock and its own documents"
)]

mod client;
mod evaluator;
mod extraction;
mod floors;
mod notes;
mod protocol;
mod tools;

use client::Asker;
use floors::Rates;
use std::error::Error;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, model] = arguments.as_slice() else {
        return Err("usage: deed-bench-models URL MODEL".into());
    };
    let asker = Asker::new(url, model)?;
    let mut rates = Rates::new(model);
    protocol::measure(&asker, &mut rates)?;
    extraction::measure(&asker, &mut rates)?;
    tools::measure(&asker, &mut rates)?;
    evaluator::measure(&asker, &mut rates)?;
    Ok(if rates.print() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
