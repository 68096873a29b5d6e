//! `deed context replay`: equal, or the first stage that changed.

use crate::args::Global;
use crate::output::Success;
use crate::text::{self, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::{ReplayRequest, ReplayResults, ReplayedBundles, replay};
use deed_app::packs::PackChoice;
use deed_context::{DifferenceScope, ReplayReport, determinism_rate, visible};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::ReplayStatus;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Replay recorded compiles and name the first stage that changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed context replay recorded
  deed context replay recorded/1.json --pack ./support")]
pub(crate) struct Replay {
    /// Recorded compile, or a folder of them.
    #[arg(value_name = "BUNDLE|DIR")]
    path: PathBuf,
    /// Pack to replay with, in place of the recorded one: a published version, or a folder such as ./support.
    #[arg(long, value_name = "REF|DIR")]
    pack: Option<String>,
    /// Store the result in each bundle, as `packet.latest_result`.
    #[arg(long)]
    save: bool,
}

/// The result of a replay: of one bundle, or of a folder.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Replayed {
    /// A folder.
    Folder {
        /// Bundles that could be read.
        bundles: usize,
        /// Those that came out the same.
        equal: usize,
        /// Those that could not be read.
        unreadable: usize,
        /// The share that came out the same, from 0 to 1.
        determinism_rate: f64,
        /// Each of them.
        reports: Vec<ReplayedFile>,
    },
    /// One bundle.
    One(Box<ReplayReport>),
}

/// The replay of one file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplayedFile {
    /// The result.
    #[serde(flatten)]
    report: ReplayReport,
    /// The file.
    file: String,
}

impl Replay {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let request = ReplayRequest {
            path: self.path.clone(),
            pack: self.pack.as_deref().map(PackChoice::of),
            results: if self.save { ReplayResults::Saved } else { ReplayResults::Returned },
        };
        let ReplayedBundles { replayed, unreadable, mut report } = replay(&global.session(), &request)?;
        let moved: Vec<_> = replayed.iter().filter(|(_, one)| !one.is_equal()).collect();
        moved.iter().for_each(|(path, one)| report.push(finding(path, one)));
        let found = moved.len() + unreadable > 0;
        let success = Success { found, ..self.conclude(&replayed, unreadable) };
        Ok(success.report(report))
    }

    fn conclude(&self, replayed: &[(PathBuf, ReplayReport)], unreadable: usize) -> Success {
        let mut text = String::new();
        for (path, one) in replayed {
            let _ = write!(text, "{}", line(path, one));
        }
        // A bundle that cannot be read counts as different.
        let all = (replayed.len() + unreadable) as u64;
        let readable = determinism_rate(replayed.iter().map(|(_, one)| one));
        let per_million = (readable * replayed.len() as u64).checked_div(all).unwrap_or(readable);
        let equal = replayed.iter().filter(|(_, one)| one.is_equal()).count();
        let rate = format!("{}.{:04} %", per_million / 10_000, per_million % 10_000);
        let summary = format!("determinism rate {rate}: {equal} of {all} equal, {unreadable} not readable");
        if self.path.is_dir() {
            let _ = writeln!(text, "{summary}");
        }
        let entry = |(path, report): &(PathBuf, ReplayReport)| ReplayedFile {
            report: report.clone(),
            file: path.display().to_string(),
        };
        let data = match (self.path.is_dir(), replayed) {
            (false, [(_, one)]) => Replayed::One(Box::new(one.clone())),
            _ => Replayed::Folder {
                bundles: replayed.len(),
                equal,
                unreadable,
                determinism_rate: per_million as f64 / 1e6,
                reports: replayed.iter().map(entry).collect(),
            },
        };
        Success::new(data, text)
    }
}

fn line(path: &Path, report: &ReplayReport) -> String {
    let mut out = text::line(format_args!("{}  {}", path.display(), report.status));
    if let Some(moved) = &report.moved {
        let _ = writeln!(out, "  stage   {}", moved.stage);
        let _ = writeln!(out, "  kind    {}", moved.kind);
        let place = if moved.pointer.is_empty() { "(the whole)".into() } else { visible(&moved.pointer) };
        let within = match moved.within {
            DifferenceScope::Record => "",
            DifferenceScope::Pack => " of the pack",
        };
        let _ = writeln!(out, "  at      {place}{within}");
        let _ = writeln!(out, "  before  {}", shown(moved.before.as_ref()));
        let _ = writeln!(out, "  after   {}", shown(moved.after.as_ref()));
    }
    if report.outcome_before != report.outcome_after {
        let _ = writeln!(out, "  outcome {} -> {}", report.outcome_before, report.outcome_after);
    }
    if !report.tampered.is_empty() {
        let _ = writeln!(out, "  changed since it was recorded: {}", report.tampered.join(", "));
    }
    if !report.missing_overlays.is_empty() {
        let _ = writeln!(out, "  the other pack has no overlay {}", report.missing_overlays.join(", "));
    }
    out
}

fn shown(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    let text = visible(&text).into_owned();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn finding(path: &Path, report: &ReplayReport) -> Diagnostic {
    let message = match (&report.status, &report.moved) {
        (ReplayStatus::Tamper, None) if report.outcome_after == "unreadable" => {
            "the bundle is not what was recorded, and can no longer be compiled".to_owned()
        }
        (ReplayStatus::Tamper, None) => {
            "the bundle is not what was recorded, and every stage gave what it gave".to_owned()
        }
        (ReplayStatus::Tamper, Some(moved)) => {
            format!("the bundle is not what was recorded; the first stage that moved is `{}`", moved.stage)
        }
        (_, Some(moved)) => format!("the first stage that moved is `{}`", moved.stage),
        (_, None) => "it came out differently".to_owned(),
    };
    let help = match &report.status {
        ReplayStatus::Tamper => format!("changed since: {}; bring back the original", report.tampered.join(", ")),
        _ => "what stood there and what stands there now is on standard output".to_owned(),
    };
    Diagnostic::error(codes::REPLAY_DIFFERS, message)
        .stage("replay")
        .at(Place::file(path.display().to_string()))
        .help(help)
}
