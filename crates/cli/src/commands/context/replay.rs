//! `deed context replay`: equal, or the first stage that moved.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::contexts as archive;
use deed_app::files::{self, Access, Existing};
use deed_app::{AppError, packs};
use deed_context::{Hydrations, PackMaterial, ReplayReport, Within, determinism_rate, replay, replay_against, visible};
use deed_diag::{Code, Diagnostic, Place, Report};
use deed_model::{ReplayBundle, ReplayStatus};
use deed_pack::Purpose;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const MOVED: Code = Code::new("D1532");

/// Run recorded compiles again and name the first stage that moved.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// A recorded compile, or a folder of them.
    #[arg(value_name = "BUNDLE|DIR")]
    path: PathBuf,
    /// Replay with this pack in the place of the recorded one.
    #[arg(long, value_name = "REF|DIR")]
    pack: Option<String>,
    /// Write the result into each bundle, as `packet.latest_result`.
    #[arg(long)]
    save: bool,
}

impl Replay {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let mut report = Report::default();
        let candidate = match &self.pack {
            None => None,
            Some(pack) => {
                let bundle = packs::usable(&global.session(), pack, Purpose::Replay, &mut report)?;
                Some(PackMaterial::of_bundle(&bundle, &[]))
            }
        };
        let paths = archive::bundles(&self.path)?;
        let cache = Hydrations::new();
        let mut replayed: Vec<(PathBuf, ReplayReport)> = Vec::new();
        let mut unreadable = 0;
        for path in paths {
            match self.one(&path, candidate.as_ref(), &cache) {
                Ok(one) => replayed.push((path, one)),
                // One that cannot be read does not hide what became of the others.
                Err(failure) if self.path.is_dir() => {
                    unreadable += 1;
                    report.merge(failure.report);
                }
                Err(failure) => return Err(failure),
            }
        }
        let moved = replayed.iter().filter(|(_, one)| !one.is_equal()).count();
        replayed.iter().filter(|(_, one)| !one.is_equal()).for_each(|(path, one)| report.push(finding(path, one)));
        let found = moved + unreadable > 0;
        let success = Success { found, ..self.conclude(&replayed, unreadable) };
        Ok(success.report(report))
    }

    fn one(&self, path: &Path, candidate: Option<&PackMaterial>, cache: &Hydrations) -> Result<ReplayReport, AppError> {
        let mut archived = archive::read(path)?;
        let replayed = match candidate {
            None => replay(&archived.bundle, cache),
            Some(pack) => replay_against(&archived.bundle, pack, cache),
        };
        let report = replayed.map_err(|report| archived.refused(&report))?;
        if self.save {
            save(path, &mut archived.bundle, &report)?;
        }
        Ok(report)
    }

    fn conclude(&self, replayed: &[(PathBuf, ReplayReport)], unreadable: usize) -> Success {
        let mut text = String::new();
        for (path, one) in replayed {
            let _ = write!(text, "{}", line(path, one));
        }
        // One that cannot be read did not give what it gave.
        let all = (replayed.len() + unreadable) as u64;
        let readable = determinism_rate(replayed.iter().map(|(_, one)| one));
        let per_million = (readable * replayed.len() as u64).checked_div(all).unwrap_or(readable);
        let equal = replayed.iter().filter(|(_, one)| one.is_equal()).count();
        let rate = format!("{}.{:04} %", per_million / 10_000, per_million % 10_000);
        let summary = format!("determinism rate {rate}: {equal} of {all} equal, {unreadable} not readable");
        if self.path.is_dir() {
            let _ = writeln!(text, "{summary}");
        }
        let each: Vec<Value> = replayed.iter().map(|(path, one)| entry(path, one)).collect();
        let data = match (self.path.is_dir(), replayed) {
            (false, [(_, one)]) => json!(one),
            _ => json!({
                "bundles": replayed.len(),
                "equal": equal,
                "unreadable": unreadable,
                "determinism_rate": per_million as f64 / 1e6,
                "reports": each,
            }),
        };
        Success::new(data, text)
    }
}

fn save(path: &Path, bundle: &mut ReplayBundle, report: &ReplayReport) -> Result<(), AppError> {
    // Through a link, to the file that it leads to.
    let path = &std::fs::canonicalize(path).map_err(|e| AppError::writing(path, &e))?;
    bundle.packet.latest_result = Some(report.result());
    let document = serde_json::to_value(&*bundle).map_err(AppError::internal)?;
    files::write(path, format!("{document:#}\n").as_bytes(), Existing::Replace, Access::Private)
}

fn entry(path: &Path, report: &ReplayReport) -> Value {
    let mut value = json!(report);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("file".to_owned(), json!(path.display().to_string()));
    }
    value
}

fn line(path: &Path, report: &ReplayReport) -> String {
    let mut out = format!("{}  {}\n", path.display(), report.status);
    if let Some(moved) = &report.moved {
        let _ = writeln!(out, "  stage   {}", moved.stage);
        let _ = writeln!(out, "  kind    {}", moved.kind);
        let place = if moved.pointer.is_empty() { "(the whole)".into() } else { visible(&moved.pointer) };
        let within = match moved.within {
            Within::Record => "",
            Within::Pack => " of the pack",
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
    Diagnostic::error(MOVED, message).stage("replay").at(Place::file(path.display().to_string())).help(help)
}
