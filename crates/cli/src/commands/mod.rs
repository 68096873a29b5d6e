//! One file for each command.

mod artifacts;
mod canon;
mod catalog;
mod completions;
mod context;
mod decision;
mod dev;
mod doctor;
mod endpoint;
pub(crate) mod execution;
mod explain;
mod files;
mod gate;
mod golden;
mod history;
mod imprint;
mod init;
mod journal;
mod keys;
mod ladder;
mod logic;
mod memory;
mod models;
mod new;
mod pack;
mod packet;
mod people;
mod plan;
mod profile;
mod prompt;
mod receipts;
mod recorded;
mod registry;
mod run;
mod runs;
mod sandbox;
mod schema;
mod transcript;
mod valpack;
pub(crate) mod workspace;

use crate::args::{Cli, Global};
use crate::conceal;
use crate::exit::Exit;
use crate::output::{Output, Success};
use crate::schema::Described;
use crate::terminal;
use clap::Subcommand;
use deed_app::AppError;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(new::New),
    Init(init::Init),
    Doctor(doctor::Doctor),
    /// Make keys, and trust keys to sign and review.
    #[command(
        subcommand,
        after_help = "Examples:
  deed keys generate acme
  deed keys trust acme --issuer tenant_acme --sign"
    )]
    Keys(keys::Keys),
    /// Write, check, sign, publish and pin Context Packs.
    #[command(
        subcommand,
        after_help = "Examples:
  deed pack new ctxpack.support
  deed pack lint ctxpack.support"
    )]
    Pack(pack::Pack),
    /// Show or set the reviews that the registry demands, and manage its archives of recordings.
    #[command(
        subcommand,
        after_help = "Examples:
  deed registry policy show"
    )]
    Registry(registry::Registry),
    /// Register where the adapters of packs are reached in each environment.
    #[command(
        subcommand,
        after_help = "Examples:
  deed endpoint add internal://orders --env prod --type OPENAPI \\
      --url https://orders.acme.example/v1
  deed endpoint list"
    )]
    Endpoint(endpoint::Endpoint),
    /// Compile what a model sees; explain, record and replay it.
    #[command(
        subcommand,
        after_help = "Examples:
  deed context compile --pack ./support --request request.yaml --run run.yaml
  deed context replay recorded"
    )]
    Context(context::Context),
    /// Check, approve, record and verify decisions.
    #[command(
        subcommand,
        after_help = "Examples:
  deed decision check decision.yaml --context recorded/1.json
  deed decision record decision.yaml --context recorded/1.json"
    )]
    Decision(decision::Decision),
    /// Propose, review, promote and revoke what is remembered.
    #[command(
        subcommand,
        after_help = "Examples:
  deed memory propose preference.yaml --pack ./support
  deed memory list"
    )]
    Memory(memory::Memory),
    /// Run golden cases, accept what moved in them, and make them from recordings.
    #[command(
        subcommand,
        after_help = "Examples:
  deed golden run ./support
  deed golden accept ./support --yes"
    )]
    Golden(golden::Golden),
    /// Show recordings with their replay results; mark them superseded.
    #[command(
        subcommand,
        after_help = "Examples:
  deed packet list recorded
  deed packet show recorded/1.json"
    )]
    Packet(packet::Packet),
    /// List the providers of models, and try a model with one question.
    #[command(
        subcommand,
        after_help = "Examples:
  deed models list
  deed models test ollama:qwen2.5-coder:1.5b"
    )]
    Models(models::Models),
    /// Show, verify and merge recorded calls of models.
    #[command(
        subcommand,
        after_help = "Examples:
  deed transcript show ready.transcript
  deed transcript verify ready.transcript"
    )]
    Transcript(transcript::Transcript),
    /// Turn schemas into templates for models, and filled templates into payloads.
    #[command(
        subcommand,
        after_help = "Examples:
  deed imprint template ticket.schema.json
  deed imprint lower ticket.schema.json ticket.filled.json"
    )]
    Imprint(imprint::Imprint),
    /// Check and correct payloads of models, with a record of every change.
    #[command(
        subcommand,
        after_help = "Examples:
  deed ladder check order.contract.yaml
  deed ladder climb --contract order.contract.yaml answer.txt"
    )]
    Ladder(ladder::Ladder),
    /// Show the types that plans are checked with, and add your own.
    #[command(
        subcommand,
        after_help = "Examples:
  deed catalog list
  deed catalog infer orders.csv --name sales.order"
    )]
    Catalog(catalog::Catalog),
    /// Write, check, explain and compile plans.
    #[command(
        subcommand,
        after_help = "Examples:
  deed plan new weekly
  deed plan check weekly.plan.yaml"
    )]
    Plan(plan::Plan),
    /// Write, check, explain and compare execution profiles.
    #[command(
        subcommand,
        after_help = "Examples:
  deed profile new team-default
  deed profile explain strict-compliance"
    )]
    Profile(profile::Profile),
    /// List and show the prompts that profiles bind.
    #[command(
        subcommand,
        after_help = "Examples:
  deed prompt list
  deed prompt show workspace.operator.planner.system@v1"
    )]
    Prompt(prompt::Prompt),
    /// Write, check and show the validation packs that judge the artifacts of runs.
    #[command(
        subcommand,
        after_help = "Examples:
  deed valpack list
  deed valpack show valpack.operator.html-report@v1"
    )]
    Valpack(valpack::Valpack),
    Run(Box<run::Run>),
    /// Make, show and use workspaces: files in versions, people with roles, settings.
    #[command(
        subcommand,
        after_help = "Examples:
  deed workspace new reports --use
  deed workspace show"
    )]
    Workspace(workspace::Workspace),
    /// Add, list and read the files of a workspace, in versions.
    #[command(
        subcommand,
        after_help = "Examples:
  deed files put hours.csv
  deed files list"
    )]
    Files(files::Files),
    /// Add, list and remove the people of a workspace.
    #[command(
        subcommand,
        after_help = "Examples:
  deed people add rosa --role finance
  deed people list"
    )]
    People(people::People),
    /// List, show, follow, resume and cancel runs.
    #[command(
        subcommand,
        after_help = "Examples:
  deed runs list
  deed runs show last"
    )]
    Runs(runs::Runs),
    /// Review and decide what waits for a person.
    #[command(
        subcommand,
        after_help = "Examples:
  deed gate show last
  deed gate approve last --as finance --resume"
    )]
    Gate(gate::Gate),
    /// List, print and export the files of runs.
    #[command(
        subcommand,
        after_help = "Examples:
  deed artifacts list last
  deed artifacts cat last output/report.html"
    )]
    Artifacts(artifacts::Artifacts),
    /// Show and verify the signed receipts of runs.
    #[command(
        subcommand,
        after_help = "Examples:
  deed receipts show last
  deed receipts verify last"
    )]
    Receipts(receipts::Receipts),
    /// Verify the hash-chained journal of all runs.
    #[command(
        subcommand,
        after_help = "Examples:
  deed journal verify"
    )]
    Journal(journal::Journal),
    /// Probe the sandbox of this machine, and print the sandbox of a step.
    #[command(
        subcommand,
        after_help = "Examples:
  deed sandbox probe
  deed sandbox plan plan.yaml fetch"
    )]
    Sandbox(sandbox::Sandbox),
    /// Evaluate, explain and check JsonLogic rules.
    #[command(
        subcommand,
        after_help = "Examples:
  deed logic eval rule.json data.json
  deed logic check rule.json sample.json"
    )]
    Logic(logic::Logic),
    Canon(canon::Canon),
    Explain(explain::Explain),
    Schema(schema::Schema),
    Completions(completions::Completions),
    /// Tools for developing Deed itself.
    #[command(subcommand, hide = true)]
    Dev(dev::Dev),
}

/// The data of every command.
pub(crate) fn outputs() -> impl Iterator<Item = &'static Described> {
    const OWN: &[Described] = &[
        Described::of::<new::NewJob>("new"),
        Described::of::<init::Initialized>("init"),
        Described::of::<deed_app::doctor::Examination>("doctor"),
        Described::of::<execution::shown::RunData>("run"),
        Described::of::<canon::Canonical>("canon"),
        Described::of::<explain::Explained>("explain"),
        Described::of::<schema::Schemas>("schema"),
        Described::of::<completions::Script>("completions"),
    ];
    let groups = [
        OWN,
        artifacts::OUTPUTS,
        catalog::OUTPUTS,
        context::OUTPUTS,
        decision::OUTPUTS,
        endpoint::OUTPUTS,
        files::OUTPUTS,
        gate::OUTPUTS,
        golden::OUTPUTS,
        imprint::OUTPUTS,
        journal::OUTPUTS,
        keys::OUTPUTS,
        ladder::OUTPUTS,
        logic::OUTPUTS,
        memory::OUTPUTS,
        models::OUTPUTS,
        pack::OUTPUTS,
        packet::OUTPUTS,
        people::OUTPUTS,
        plan::OUTPUTS,
        profile::OUTPUTS,
        prompt::OUTPUTS,
        receipts::OUTPUTS,
        registry::OUTPUTS,
        runs::OUTPUTS,
        sandbox::OUTPUTS,
        transcript::OUTPUTS,
        valpack::OUTPUTS,
        workspace::OUTPUTS,
    ];
    groups.into_iter().flatten()
}

/// Runs a command and prints its result.
pub(crate) fn run(cli: Cli) -> Exit {
    terminal::set_colour(cli.global.color);
    let output = Output::new(cli.global.json, cli.global.lines);
    output.conclude(cli.global.log.install().and_then(|()| dispatch(&cli.command, &cli.global)))
}

fn dispatch(command: &Command, global: &Global) -> Result<Success, AppError> {
    // A time that is none is refused by every command, also by those that record nothing.
    if global.now.is_some() {
        global.session().stamp()?;
    }
    match command {
        Command::New(c) => c.run(global),
        Command::Init(c) => c.run(global),
        Command::Doctor(c) => c.run(global),
        Command::Keys(c) => c.run(global),
        Command::Pack(c) => c.run(global),
        Command::Registry(c) => c.run(global),
        Command::Endpoint(c) => c.run(global),
        Command::Context(c) => c.run(global),
        Command::Decision(c) => conceal::outcome(c.run(global)),
        Command::Memory(c) => conceal::outcome(c.run(global)),
        Command::Golden(c) => c.run(global),
        Command::Packet(c) => c.run(global),
        Command::Models(c) => conceal::outcome(c.run(global)),
        Command::Transcript(c) => conceal::outcome(c.run()),
        Command::Imprint(c) => c.run(global),
        Command::Ladder(c) => c.run(global),
        Command::Catalog(c) => c.run(global),
        Command::Plan(c) => c.run(global),
        Command::Profile(c) => c.run(global),
        Command::Prompt(c) => c.run(global),
        Command::Valpack(c) => c.run(global),
        Command::Workspace(c) => c.run(global),
        Command::Files(c) => c.run(global),
        Command::People(c) => c.run(global),
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
        Command::Schema(c) => c.run(),
        Command::Completions(c) => c.run(),
        Command::Dev(c) => c.run(),
    }
}
