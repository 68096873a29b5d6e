//! `deed dev imprint-audit`: templates tested on many schemas.

use crate::output::Success;
use crate::progress;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_app::imprints::{AuditProgress, Verdicts, audit};
use deed_imprint::{Audit as Table, Spread, Verdict};
use indicatif::ProgressBar;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// Test templates on many schemas: fill and lower instances, and count what comes back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed dev imprint-audit schemas.jsonl --failures")]
pub(crate) struct Audit {
    /// JSON Lines of {id, schema, tests: [{valid, data}]}, API descriptions or schemas; `-` for standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// File to write the table and a verdict on each schema to, as JSON.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// List each schema that was refused or went wrong.
    #[arg(long)]
    failures: bool,
}

/// The result of testing templates on many schemas.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AuditedSchemas {
    /// The counts.
    audit: Table,
    /// Lines and files that could not be read.
    unreadable: usize,
    /// Operations that take no body.
    operations_without_body: usize,
    /// The duration in seconds.
    seconds: f64,
    /// Schemas that were refused or went wrong, with `--failures`.
    #[serde(skip_serializing_if = "Option::is_none")]
    failures: Option<Vec<Verdict>>,
    /// The verdict on each schema; in the file of `--report` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdicts: Option<Vec<Verdict>>,
}

impl Audit {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let started = Instant::now();
        let keep = if self.report.is_some() || self.failures { Verdicts::Kept } else { Verdicts::Counted };
        let audited = audit(&self.files, keep, &mut progress())?;
        let seconds = started.elapsed().as_secs_f64();
        let verdicts = audited.verdicts;
        let mut data = AuditedSchemas {
            audit: audited.audit,
            unreadable: audited.unreadable,
            operations_without_body: audited.operations_without_body,
            seconds: (seconds * 100.0).round() / 100.0,
            failures: None,
            verdicts: None,
        };
        if let Some(path) = &self.report {
            data.verdicts = Some(verdicts.clone());
            let text = serde_json::to_vec_pretty(&data).map_err(AppError::internal)?;
            files::write(path, &text, Existing::Replace, Access::Shared)?;
            data.verdicts = None;
        }
        let mut text = shown(&data.audit, data.unreadable, data.operations_without_body, seconds);
        if self.failures {
            failures(&mut text, &verdicts);
            data.failures = Some(verdicts.into_iter().filter(|verdict| failure(verdict).is_some()).collect());
        }
        let found = !data.audit.holds() || audited.report.has_errors();
        Ok(Success { found, ..Success::new(data, text).report(audited.report) })
    }
}

/// Shows the progress of an audit, with a bar for each file of lines.
fn progress() -> impl FnMut(AuditProgress) {
    let mut bar = ProgressBar::hidden();
    move |event| match event {
        AuditProgress::Opened { size } => bar = progress::bar(size),
        AuditProgress::Read { bytes } => bar.inc(bytes),
        AuditProgress::Judged { schemas } => bar.set_message(format!("{schemas} schemas")),
        AuditProgress::Closed => bar.finish_and_clear(),
    }
}

fn shown(table: &Table, unreadable: usize, without_body: usize, seconds: f64) -> String {
    let mut out = String::new();
    let refused: usize = table.refused.values().sum();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "{name:<34}{value:>10}");
    };
    row("schemas", table.schemas.to_string());
    row("accepted", table.accepted.to_string());
    row("refused", refused.to_string());
    for (reason, count) in table.reasons().into_iter().filter(|(_, count)| *count > 0) {
        row(&format!("  {reason}"), count.to_string());
    }
    for (what, count) in [("unreadable", unreadable), ("operations without a body", without_body)] {
        if count > 0 {
            row(what, count.to_string());
        }
    }
    row("instances round-tripped", table.round_tripped.to_string());
    row("wrong", table.wrong.to_string());
    row("valid instances rejected", table.valid_rejected.to_string());
    row("invalid instances refused", table.invalid_refused.to_string());
    row("invalid instances accepted", table.invalid_accepted.to_string());
    row("instances without canonical form", table.not_canonical.to_string());
    row("template stricter than schema", table.template_too_strict.to_string());
    row("invalid caught by template alone", table.caught_by_template.to_string());
    row("templates not rewritten alike", table.not_rewritten.to_string());
    let spread = |s: &Spread| {
        format!("{:.1}% ({:.1} / {:.1} … {:.1} / {:.1}, max {:.1})", s.median, s.p5, s.p25, s.p75, s.p95, s.max)
    };
    let _ = writeln!(out, "tokens against the minified schema, median (5th / 25th … 75th / 95th percentile):");
    let _ = writeln!(out, "  skeleton           {}", spread(&table.skeleton_percent));
    let _ = writeln!(out, "  with head          {}", spread(&table.template_percent));
    if !table.unshown.is_empty() {
        let names: Vec<String> = table.unshown.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let _ = writeln!(out, "not shown, enforced all the same (schemas): {}", names.join(", "));
    }
    let _ = writeln!(out, "{seconds:.2} s");
    out
}

fn failures(out: &mut String, verdicts: &[Verdict]) {
    for verdict in verdicts {
        let Some(what) = failure(verdict) else { continue };
        let said = verdict.message.as_deref().or(verdict.first_fault.as_deref()).unwrap_or_default();
        let _ = writeln!(out, "{}: {what}  {said}", verdict.id);
    }
}

/// The failure of a schema, if it has one.
fn failure(verdict: &Verdict) -> Option<String> {
    match (verdict.refused, verdict.wrong, verdict.valid_rejected, verdict.invalid_accepted) {
        (Some(reason), ..) => Some(format!("refused, {reason}")),
        (None, 0, 0, 0) if verdict.template_too_strict == 0 && verdict.rewritten => None,
        (None, wrong, rejected, accepted) => Some(format!(
            "{wrong} wrong, {rejected} valid rejected, {accepted} invalid accepted, {} too strict{}",
            verdict.template_too_strict,
            if verdict.rewritten { "" } else { ", not rewritten" }
        )),
    }
}
