//! `deed context replay`: equal, or the first stage that changed; and whether a correction holds.

use crate::args::Global;
use crate::output::Success;
use crate::text::{self, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::{Evaluation, ReplayRequest, ReplayResults, ReplayedBundles, replay};
use deed_app::packs::PackChoice;
use deed_app::registry::without_secret;
use deed_context::{DifferenceScope, ReplayReport, determinism_rate, visible};
use deed_diag::{Diagnostic, Place, codes, quote};
use deed_model::{ReplayResult, Stage};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Replay recorded compiles and name the first stage that changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed context replay recorded
  deed context replay recorded/1.json --pack ./support --save")]
pub(crate) struct Replay {
    /// Recorded compile, or a folder of them.
    #[arg(value_name = "BUNDLE|DIR")]
    path: PathBuf,
    /// Pack to replay with, in place of the recorded one: a published version, or a folder such as ./support.
    #[arg(long, value_name = "REF|DIR")]
    pack: Option<String>,
    /// Append the result to the life of each packet.
    #[arg(long)]
    save: bool,
    /// Evaluation run that judged the replay, to be saved with the result.
    #[arg(long, value_name = "ID", requires = "save")]
    eval_run: Option<String>,
    /// Score that the evaluation run gave, from 0 to 1.
    #[arg(long, value_name = "SCORE", requires = "eval_run")]
    score: Option<String>,
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
        /// The number of packets by result.
        results: BTreeMap<ReplayResult, usize>,
        /// Those that could not be read.
        unreadable: usize,
        /// The share that came out the same, from 0 to 1; null if nothing was judged.
        determinism_rate: Option<f64>,
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
            evaluation: self.evaluation()?,
        };
        let ReplayedBundles { replayed, unreadable, unsound, mut report } = replay(&global.session(), &request)?;
        let moved: Vec<_> = replayed.iter().filter(|(_, one)| !is_good(one.result)).collect();
        moved.iter().for_each(|(path, one)| report.push(finding(path, one)));
        let is_judged = |(_, one): &(PathBuf, ReplayReport)| one.result != ReplayResult::Superseded;
        let unjudged = self.path.is_dir() && unreadable == 0 && !replayed.iter().any(is_judged);
        if unjudged {
            report.push(
                Diagnostic::error(codes::NOTHING_JUDGED, "nothing was judged: every packet here is superseded")
                    .stage("replay")
                    .at(Place::file(self.path.display().to_string()))
                    .help("the packets that took their places belong into the same archive"),
            );
        }
        let found = moved.len() + unreadable + unsound > 0 || unjudged;
        let success = Success { found, ..self.conclude(&replayed, unreadable) };
        Ok(success.report(report))
    }

    fn evaluation(&self) -> Result<Option<Evaluation>, AppError> {
        let Some(run) = &self.eval_run else { return Ok(None) };
        let run_id = without_secret("--eval-run", run)?.to_owned();
        let score = self.score.as_deref().map(|text| {
            let score = text.parse::<f64>().ok().filter(|score| (0.0..=1.0).contains(score));
            score.ok_or_else(|| {
                let message = format!("{} is not a score from 0 to 1", quote(text));
                AppError::usage(
                    Diagnostic::error(codes::BAD_SCORE, message).stage("usage").help("write `--score 0.93`"),
                )
            })
        });
        Ok(Some(Evaluation { run_id, score: score.transpose()? }))
    }

    fn conclude(&self, replayed: &[(PathBuf, ReplayReport)], unreadable: usize) -> Success {
        let mut text = String::new();
        for (path, one) in replayed {
            let _ = write!(text, "{}", line(path, one));
        }
        // A bundle that cannot be read counts as different.
        let run: Vec<&ReplayReport> =
            replayed.iter().map(|(_, one)| one).filter(|one| one.result != ReplayResult::Superseded).collect();
        let all = (run.len() + unreadable) as u64;
        let readable = determinism_rate(run.iter().copied()).unwrap_or(0);
        let per_million = (readable * run.len() as u64).checked_div(all);
        let equal = run.iter().filter(|one| one.is_equal()).count();
        let mut results: BTreeMap<ReplayResult, usize> = BTreeMap::new();
        replayed.iter().for_each(|(_, one)| *results.entry(one.result).or_default() += 1);
        let summary = match per_million {
            None => "determinism rate not known: nothing was judged".to_owned(),
            Some(rate) => {
                let rate = format!("{}.{:04} %", rate / 10_000, rate % 10_000);
                format!("determinism rate {rate}: {equal} of {all} equal, {unreadable} not readable")
            }
        };
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
                results,
                unreadable,
                determinism_rate: per_million.map(|rate| rate as f64 / 1e6),
                reports: replayed.iter().map(entry).collect(),
            },
        };
        Success::new(data, text)
    }
}

fn line(path: &Path, report: &ReplayReport) -> String {
    let mut out = text::line(format_args!("{}  {}", path.display(), report.result));
    for unmet in &report.unmet {
        let (before, after) = (shown(unmet.before.as_ref()), shown(unmet.after.as_ref()));
        let _ = writeln!(
            out,
            "  unmet   {} {}: expected {before}, found {after}",
            unmet.stage.map_or("-", Stage::as_str),
            visible(&unmet.pointer)
        );
    }
    if let Some(moved) = &report.moved {
        let _ = writeln!(out, "  stage   {}", moved.stage);
        let _ = writeln!(out, "  kind    {}", moved.kind);
        let place = if moved.pointer.is_empty() { "(the whole)".into() } else { visible(&moved.pointer) };
        let within = match moved.within {
            DifferenceScope::Record => "",
            DifferenceScope::Pack => " of the pack",
            DifferenceScope::Calls => " of the calls",
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

/// Returns true if a packet has shown what it should show, or is not asked any more.
fn is_good(result: ReplayResult) -> bool {
    result.is_good() || result == ReplayResult::Superseded
}

fn finding(path: &Path, report: &ReplayReport) -> Diagnostic {
    let message = match (&report.result, &report.moved) {
        (ReplayResult::StillFailing, _) => "what an operator corrected does not come out as it should".to_owned(),
        (ReplayResult::Invalid, None) if report.outcome_after == "unreadable" => {
            "the bundle is not what was recorded, and can no longer be compiled".to_owned()
        }
        (ReplayResult::Invalid, None) => {
            "the bundle is not what was recorded, and every stage gave what it gave".to_owned()
        }
        (ReplayResult::Invalid, Some(moved)) => {
            format!("the bundle is not what was recorded; the first stage that moved is `{}`", moved.stage)
        }
        (_, Some(moved)) => format!("the first stage that moved is `{}`", moved.stage),
        (_, None) => "it came out differently".to_owned(),
    };
    let help = match &report.result {
        ReplayResult::StillFailing => "the parts that do not hold are on standard output".to_owned(),
        ReplayResult::Invalid => format!("changed since: {}; bring back the original", report.tampered.join(", ")),
        _ => "what stood there and what stands there now is on standard output".to_owned(),
    };
    Diagnostic::error(codes::REPLAY_DIFFERS, message)
        .stage("replay")
        .at(Place::file(path.display().to_string()))
        .help(help)
}
