//! The `deed` command. Data goes to stdout, everything else to stderr.
#![allow(
    clippy::disallowed_methods,
    reason = "the edge of the system: files, the clock and the environment are read here"
)]
// These macros panic where nobody can hear them.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod commands;
mod conceal;
mod exit;
mod lines;
mod output;
mod progress;

use args::Cli;
use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

/// Reading and dropping documents is mostly asking for memory.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
        let line =
            format!("error[D0004] internal error{place}; nothing was changed after this point, please report it");
        output::aside(&line);
    }));
    let outcome = std::panic::catch_unwind(|| match Cli::try_parse() {
        Ok(cli) => commands::run(cli),
        Err(error) => args::report_usage(&error),
    });
    ExitCode::from(outcome.unwrap_or(Exit::Internal) as u8)
}
