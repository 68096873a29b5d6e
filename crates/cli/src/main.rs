//! The `deed` command. Data goes to stdout, everything else to stderr.
#![allow(
    clippy::disallowed_methods,
    reason = "the edge of the system: files, the clock and the environment are read here"
)]
// These macros panic where the stream is closed.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod commands;
mod conceal;
mod exit;
mod help;
mod log;
mod output;
mod progress;
mod schema;
mod terminal;
mod text;

use args::Cli;
use deed_app::AppError;
use exit::Exit;
use output::Output;
use std::process::ExitCode;

/// Reading and dropping documents is mostly asking for memory.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
        let said = info.payload_as_str().filter(|said| said.starts_with("invariant broken"));
        let said = said.map_or_else(String::new, |said| format!(": {said}"));
        output::aside(&format!("error[D0004] internal error{place}{said}; please report it"));
    }));
    deed_app::report_large_writes();
    let outcome = std::panic::catch_unwind(|| match Cli::from_command_line() {
        Ok(cli) => commands::run(cli),
        Err(error) => args::report_usage(&error),
    });
    let exit = outcome.unwrap_or_else(|_| {
        // Programs that asked for JSON get JSON; people have read the line above.
        let json = std::env::args_os().any(|argument| argument == "--json");
        if json {
            Output::new(true, true).conclude(Err(AppError::internal("an operation ended unexpectedly")))
        } else {
            Exit::Internal
        }
    });
    ExitCode::from(exit as u8)
}
