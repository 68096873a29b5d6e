//! One file for each command.

mod artifacts;
mod canon;
mod catalog;
mod completions;
mod context;
pub(crate) mod execution;
mod explain;
mod gate;
mod imprint;
mod init;
mod journal;
mod keys;
mod ladder;
mod logic;
mod pack;
mod plan;
mod receipts;
mod recorded;
mod run;
mod runs;
mod sandbox;

use crate::args::{Cli, Global};
use crate::conceal;
use crate::exit::Exit;
use crate::output::{Output, Success};
use clap::Subcommand;
use deed_app::AppError;

/// What deed can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(init::Init),
    /// Make keys, and say which key may sign for whom.
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Author, check, sign, publish and pin Context Packs.
    #[command(subcommand)]
    Pack(pack::Pack),
    /// Compile what a model sees, explain it, record and replay it.
    #[command(subcommand)]
    Context(context::Context),
    /// Show a model what to write, and turn what it wrote into a payload.
    #[command(subcommand)]
    Imprint(imprint::Imprint),
    /// Send payloads up eleven rungs that catch and correct, with a record of every change.
    #[command(subcommand)]
    Ladder(ladder::Ladder),
    /// Look at the types that plans are checked with, and add your own.
    #[command(subcommand)]
    Catalog(catalog::Catalog),
    /// Check plans as a compiler would, and compile them to step contracts.
    #[command(subcommand)]
    Plan(plan::Plan),
    Run(Box<run::Run>),
    /// Look at runs, go on with them, end them.
    #[command(subcommand)]
    Runs(runs::Runs),
    /// Answer what waits for a person.
    #[command(subcommand)]
    Gate(gate::Gate),
    /// List and export the files of runs.
    #[command(subcommand)]
    Artifacts(artifacts::Artifacts),
    /// Show and check again what the system found out about each step.
    #[command(subcommand)]
    Receipts(receipts::Receipts),
    /// Check the hash-chained record of all runs.
    #[command(subcommand)]
    Journal(journal::Journal),
    /// Find out how well code can be walled in here, and what a step would be started with.
    #[command(subcommand)]
    Sandbox(sandbox::Sandbox),
    /// Evaluate, explain and check JsonLogic rules.
    #[command(subcommand)]
    Logic(logic::Logic),
    Canon(canon::Canon),
    Explain(explain::Explain),
    Completions(completions::Completions),
}

/// Runs a command and says how it ended.
pub(crate) fn run(cli: Cli) -> Exit {
    let output = Output::new(cli.global.json, cli.global.lines);
    output.conclude(dispatch(&cli.command, &cli.global))
}

fn dispatch(command: &Command, global: &Global) -> Result<Success, AppError> {
    // A time that is none is refused by every command, also by those that record nothing.
    if global.now.is_some() {
        global.session().stamp()?;
    }
    match command {
        Command::Init(c) => c.run(global),
        Command::Keys(c) => c.run(global),
        Command::Pack(c) => c.run(global),
        Command::Context(c) => c.run(global),
        Command::Imprint(c) => c.run(global),
        Command::Ladder(c) => c.run(),
        Command::Catalog(c) => c.run(global),
        Command::Plan(c) => c.run(global),
        Command::Run(c) => conceal::outcome(c.run(global)),
        Command::Runs(c) => conceal::outcome(c.run(global)),
        Command::Gate(c) => conceal::outcome(c.run(global)),
        Command::Artifacts(c) => conceal::outcome(c.run(global)),
        Command::Receipts(c) => conceal::outcome(c.run(global)),
        Command::Journal(c) => conceal::outcome(c.run(global)),
        Command::Sandbox(c) => c.run(global),
        Command::Logic(c) => c.run(),
        Command::Canon(c) => c.run(),
        Command::Explain(c) => c.run(),
        Command::Completions(c) => c.run(),
    }
}
