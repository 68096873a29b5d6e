//! The command line.

use crate::commands::Command;
use crate::exit::Exit;
use crate::help;
use crate::log::LogOptions;
use crate::output::Output;
use crate::terminal::{self, Stream, When};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser};
use deed_app::AppError;
use deed_app::Session;
use deed_diag::{Diagnostic, codes};
use std::path::PathBuf;

/// Run audited jobs: plans with contracts, sandboxes, approval gates and signed receipts.
#[derive(Debug, Parser)]
#[command(
    name = "deed",
    version,
    after_help = "Exit codes:
  0 done, 1 findings or refusal, 2 usage, 3 environment, 4 internal error,
  5 waits for a person, 6 verified but not sealed or not in full

Examples:
  deed new demo && cd demo && deed run plan.yaml
  deed gate show last
  deed gate approve last --as finance --resume"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses the command line. Help and usage errors are as wide as the output.
    ///
    /// # Errors
    /// The command line asks for help or the version, or cannot be parsed.
    pub(crate) fn from_command_line() -> Result<Self, clap::Error> {
        let mut command = help::fitted(Self::command(), terminal::help_width());
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

/// Options that every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Print one JSON document: {version, ok, data, diagnostics}. Commands that stream print one line for each event
    /// or payload instead: that object with `version`.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print diagnostics as one line each.
    #[arg(long, global = true)]
    pub(crate) lines: bool,
    /// Use of colour.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_possible_values = false)]
    pub(crate) color: When,
    /// Folder with registry, runs and keys [default: the nearest `.deed`].
    #[arg(long, global = true, value_name = "DIR", env = "DEED_HOME")]
    pub(crate) home: Option<PathBuf>,
    /// Actor to record in logs and journals [default: your user name].
    #[arg(long, global = true, value_name = "NAME", env = "DEED_ACTOR")]
    pub(crate) actor: Option<String>,
    /// Time to record, as RFC 3339 [default: now].
    #[arg(long, global = true, value_name = "TIME", env = "DEED_NOW")]
    pub(crate) now: Option<String>,
    #[command(flatten)]
    pub(crate) log: LogOptions,
}

impl Global {
    /// The session that the options describe.
    pub(crate) fn session(&self) -> Session {
        Session { home: self.home.clone(), actor: self.actor.clone(), now: self.now.clone() }
    }
}

/// Prints help or a usage error; the latter as JSON too, where the command line asks for it.
pub(crate) fn report_usage(error: &clap::Error) -> Exit {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match print_styled(error, Stream::Stdout) {
            // A closed pipe is the reader's business.
            Err(closed) if closed.kind() == std::io::ErrorKind::BrokenPipe => Exit::Done,
            Err(failed) => Output::new(false, true).conclude(Err(AppError::printing(&failed))),
            Ok(()) => Exit::Done,
        };
    }
    let asked = |option: &str| std::env::args_os().any(|argument| argument == option);
    let (json, lines) = (asked("--json"), asked("--lines"));
    if !json && !lines {
        let _ = print_styled(error, Stream::Stderr);
        return Exit::Usage;
    }
    let (message, help) = in_a_line(&error.to_string());
    let diagnostic = Diagnostic::error(codes::USAGE, message).stage("usage").help(help);
    Output::new(json, true).conclude(Err(AppError::usage(diagnostic)))
}

/// Prints a help text, the version or a usage error.
fn print_styled(error: &clap::Error, stream: Stream) -> std::io::Result<()> {
    let styled = error.render();
    let text = match terminal::is_coloured(stream) {
        true => styled.ansi().to_string(),
        false => styled.to_string(),
    };
    // Of help only the usage is left longer than its lines; a usage error for a pipe stays whole.
    let text = terminal::fit(stream, &text);
    match stream {
        Stream::Stdout => written(std::io::stdout().lock(), &text),
        Stream::Stderr => written(std::io::stderr().lock(), &text),
    }
}

fn written(mut out: impl std::io::Write, text: &str) -> std::io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The message of a usage error in one line, with the arguments that it lists, and its tip.
fn in_a_line(text: &str) -> (String, String) {
    let end = text.find("\n\nUsage:").unwrap_or(text.len());
    let (told, _) = text.split_at(end);
    let mut message = String::new();
    let mut tips = Vec::new();
    for line in told.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("For more information"))
    {
        match line.strip_prefix("tip: ") {
            Some(tip) => tips.push(tip.to_owned()),
            None if message.is_empty() => message.push_str(line.trim_start_matches("error: ")),
            None if message.ends_with(':') => message.extend([" ", line]),
            None => message.extend([", ", line]),
        }
    }
    tips.push("see `--help`".to_owned());
    (message, tips.join("; "))
}
