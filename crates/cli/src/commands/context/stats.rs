//! `deed context stats`: fourteen metrics over an archive, and what got worse between two versions.

use crate::args::Global;
use crate::output::Success;
use crate::text::{count, writeln};
use clap::{ArgAction, Args};
use deed_app::AppError;
use deed_app::contexts::{ArchiveStatistics, StatsRequest, stats};
use deed_context::{Measured, MetricChange, MetricReport, MetricRow, MetricUnit, PackComparison, RowChange, visible};
use deed_diag::{Diagnostic, Invariant as _, Place, Report, codes};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Print metrics over an archive of recorded compiles, by pack version and intent.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed context stats recorded
  deed context stats recorded \\
      --compare ctxpack.support@1.0.0 ctxpack.support@1.1.0")]
pub(crate) struct Stats {
    /// Folder of recorded compiles, or one of them.
    #[arg(value_name = "DIR")]
    path: PathBuf,
    /// Two versions of one pack to compare, the earlier one first [default: the two newest of every pack].
    #[arg(long, num_args = 2, action = ArgAction::Set, value_names = ["BEFORE", "AFTER"])]
    compare: Option<Vec<String>>,
}

impl Stats {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let pair = |names: Vec<String>| <[String; 2]>::try_from(names).ok().invariant("clap takes two names");
        let compare = self.compare.clone().map(pair).map(|[before, after]| (before, after));
        let request = StatsRequest { path: self.path.clone(), compare };
        let (found, mut report) = stats(&global.session(), &request)?;
        findings(&found, &mut report);
        let (found_any, text) = (found.has_findings(), text(&found));
        let regressions: u64 = found.statistics.comparisons.iter().map(|one| one.regressions).sum();
        let remark = format!(
            "{}: {} counted, {} not readable, {} changed since, {} superseded, {}; {}",
            count(found.files, "file"),
            found.recordings - found.tampered.len() as u64,
            found.unreadable.len(),
            found.tampered.len(),
            found.superseded.len(),
            count(found.duplicates.len() as u64, "duplicate"),
            count(regressions, "regression"),
        );
        let success = Success::new(found, text).report(report).remark(remark);
        Ok(Success { found: found_any, ..success })
    }
}

fn findings(found: &ArchiveStatistics, report: &mut Report) {
    for comparison in &found.statistics.comparisons {
        for change in regressions(comparison) {
            let of = change.of.as_ref().map(|of| format!(" of `{}`", visible(of))).unwrap_or_default();
            let of = match &change.intent {
                Some(intent) => format!("{of} for the intent `{}`", visible(intent)),
                None => of,
            };
            let metric = change.metric.as_str();
            let message = format!("`{metric}`{of} got worse from `{}` to `{}`", comparison.before, comparison.after);
            let help = format!("{}; the values are on standard output", change.why);
            report.push(Diagnostic::error(codes::METRIC_REGRESSED, message).stage("stats").help(help));
        }
        for removed in &comparison.removed {
            let (kind, name) = (removed.kind.as_str(), visible(&removed.name));
            let message =
                format!("the {kind} `{name}` was removed from `{}` to `{}`", comparison.before, comparison.after);
            let help = format!("it acted in {} of {} compiles; a rename is a removal too", removed.active, removed.of);
            report.push(Diagnostic::error(codes::METRIC_REGRESSED, message).stage("stats").help(help));
        }
    }
    for file in &found.tampered {
        report.push(
            Diagnostic::error(codes::RECORDING_TAMPERED, "the bundle is not what was recorded")
                .stage("stats")
                .at(Place::file(file.clone()))
                .help("run `deed context replay` for details; it counts as not deterministic and nowhere else"),
        );
    }
}

fn text(found: &ArchiveStatistics) -> String {
    let mut out = String::new();
    for pack in &found.statistics.packs {
        let contents =
            if pack.contents > 1 { format!(", {} different documents", pack.contents) } else { String::new() };
        let plural = if pack.recordings == 1 { "" } else { "s" };
        let (recordings, intents) = (pack.recordings, pack.intents.join(", "));
        let _ =
            writeln!(out, "pack    {}  {recordings} recording{plural}{contents}: {}", pack.pack_ref, visible(&intents));
    }
    for file in &found.superseded {
        let _ = writeln!(out, "superseded  {}  (counted nowhere)", visible(file));
    }
    for copy in &found.duplicates {
        let _ = writeln!(out, "duplicate   {}  of {}", visible(&copy.file), visible(&copy.of));
    }
    for report in &found.statistics.metrics {
        let _ = writeln!(out, "{}", report.definition.metric.as_str());
        // Where all requests have one intent, its values are those of all.
        let several = |row: &&MetricRow| {
            found.statistics.packs.iter().any(|pack| pack.pack_ref == row.pack_ref && pack.intents.len() > 1)
        };
        for row in report.rows.iter().filter(|row| row.intent.is_none() || several(row)) {
            let _ = writeln!(
                out,
                "  {:<28} {:<36} {}",
                row.pack_ref.to_string(),
                named(row.intent.as_deref(), row.of.as_deref()),
                value(report, row)
            );
        }
    }
    found.statistics.comparisons.iter().for_each(|comparison| compared(&mut out, found, comparison));
    out
}

fn compared(out: &mut String, found: &ArchiveStatistics, comparison: &PackComparison) {
    let _ = writeln!(out, "compare {} with {}", comparison.before, comparison.after);
    for removed in &comparison.removed {
        let (kind, name) = (removed.kind.as_str(), visible(&removed.name));
        let _ = writeln!(out, "  REGRESSION  removed {kind} {name}: acted in {} of {}", removed.active, removed.of);
    }
    let worse = regressions(comparison);
    let shown = |change: &&MetricChange| match change.change {
        RowChange::Same | RowChange::NotComparable => false,
        RowChange::Regression => worse.iter().any(|one| std::ptr::eq(*one, *change)),
        RowChange::Shift | RowChange::Improvement => change.intent.is_none(),
    };
    let mut moved = comparison.changes.iter().filter(shown).collect::<Vec<_>>();
    moved.sort_by_key(|change| change.change);
    for change in moved {
        let mark = match change.change {
            RowChange::Regression => "REGRESSION",
            RowChange::Shift => "shift",
            RowChange::Improvement => "improvement",
            RowChange::Same | RowChange::NotComparable => continue,
        };
        let unit = found.statistics.metrics.iter().find(|one| one.definition.metric == change.metric);
        let unit = unit.map_or(MetricUnit::Share, |one| one.definition.unit);
        let of = named(change.intent.as_deref(), change.of.as_deref());
        let words = |side: &Option<Measured>| side.as_ref().map_or_else(|| "none".to_owned(), |one| words(one, unit));
        let (metric, before, after) = (change.metric.as_str(), words(&change.before), words(&change.after));
        let _ = writeln!(out, "  {mark:<11} {metric} {of}: {before} -> {after} ({})", change.why);
    }
}

/// The regressions of a comparison. One of an intent is left out where it is one of all intents too.
fn regressions(comparison: &PackComparison) -> Vec<&MetricChange> {
    let worse = || comparison.changes.iter().filter(|change| change.change == RowChange::Regression);
    let overall = |change: &MetricChange| {
        worse().any(|other| other.intent.is_none() && other.metric == change.metric && other.of == change.of)
    };
    worse().filter(|change| change.intent.is_none() || !overall(change)).collect()
}

/// Names a value by its intent and by what it is of.
fn named(intent: Option<&str>, of: Option<&str>) -> String {
    let parts: Vec<&str> = [intent, of].into_iter().flatten().collect();
    if parts.is_empty() { "all".to_owned() } else { visible(&parts.join(" ")).into_owned() }
}

fn value(report: &MetricReport, row: &MetricRow) -> String {
    words(&row.measured, report.definition.unit)
}

fn words(measured: &Measured, unit: MetricUnit) -> String {
    match (measured, unit) {
        (Measured::Rate { part, of, rate }, _) => format!("{:.2} % ({part} of {of})", rate * 100.0),
        (Measured::Distribution { samples, mean, max, .. }, MetricUnit::Capabilities | MetricUnit::Share) => {
            format!("mean {mean:.2}, at most {max} ({samples} compiles)")
        }
        (Measured::Distribution { samples, unrecorded, p50, p95, p99, .. }, MetricUnit::Microseconds) => {
            let without = if *unrecorded > 0 { format!(", {unrecorded} without a time") } else { String::new() };
            format!("p50 {p50} µs, p95 {p95} µs, p99 {p99} µs ({samples} compiles{without})")
        }
        (Measured::Distribution { samples, unrecorded, p50, max, .. }, MetricUnit::Milliseconds) => {
            let without = if *unrecorded > 0 { format!(", {unrecorded} without a time") } else { String::new() };
            format!("median {p50} ms, at most {max} ms ({samples} rollbacks{without})")
        }
        (Measured::NotKnown { reason }, _) => format!("not known: {reason}"),
    }
}
