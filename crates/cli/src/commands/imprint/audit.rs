//! `deed dev imprint-audit`: the law of templates, tried on many schemas.

use super::template::counter;
use crate::lines::next_line;
use crate::output::Success;
use crate::progress;
use clap::Args;
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_context::Tokenizer;
use deed_diag::{Diagnostic, MAX_DOCUMENT_BYTES, Place, Report, codes};
use deed_imprint::{Audit as Table, Case, Instance, Spread, Verdict};
use deed_schema::{Api, Part, Refused, Schema, read_foreign};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Lines that are judged together.
const BATCH: usize = 256;
/// API descriptions may be larger than documents of our own.
const MOST_BYTES: u64 = 4 * MAX_DOCUMENT_BYTES;
/// Schemas may be deep; what walks them has room.
const STACK: usize = 64 * 1024 * 1024;

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

/// The law of templates, tried on many schemas.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AuditedSchemas {
    /// The table.
    audit: Table,
    /// Lines and files that could not be read.
    unreadable: usize,
    /// Operations that take no body.
    operations_without_body: usize,
    /// How long it took.
    seconds: f64,
    /// Schemas that were refused or went wrong, with `--failures`.
    #[serde(skip_serializing_if = "Option::is_none")]
    failures: Option<Vec<Verdict>>,
    /// The verdict on each schema; in the file of `--report` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdicts: Option<Vec<Verdict>>,
}

/// What is counted on the way.
struct Running {
    table: Table,
    verdicts: Vec<Verdict>,
    keep: bool,
    report: Report,
    counter: Arc<dyn Tokenizer>,
    /// Lines and files that could not be read.
    unreadable: usize,
    /// Operations that take no body.
    without_body: usize,
}

impl Audit {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let started = Instant::now();
        let mut running = Running {
            table: Table::default(),
            verdicts: Vec::new(),
            keep: self.report.is_some() || self.failures,
            report: Report::default(),
            counter: counter()?,
            unreadable: 0,
            without_body: 0,
        };
        // A name that leads nowhere is said before the work of an hour is done, and not after.
        for path in self.files.iter().filter(|path| *path != Path::new("-")) {
            File::open(path).map_err(|e| AppError::reading(path, &e))?;
        }
        for path in &self.files {
            running.file(path)?;
        }
        let seconds = started.elapsed().as_secs_f64();
        let Running { table, verdicts, report, unreadable, without_body, .. } = running;
        let table = table.finish();
        let mut data = AuditedSchemas {
            audit: table,
            unreadable,
            operations_without_body: without_body,
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
        let mut text = shown(&data.audit, unreadable, without_body, seconds);
        if self.failures {
            failures(&mut text, &verdicts);
            data.failures = Some(verdicts.into_iter().filter(|verdict| what_failed(verdict).is_some()).collect());
        }
        let found = !data.audit.holds() || report.has_errors();
        let mut success = Success::new(data, text).report(report);
        success.found = found;
        Ok(success)
    }
}

impl Running {
    fn file(&mut self, path: &Path) -> Result<(), AppError> {
        let stdin = path == Path::new("-");
        let lines = stdin || path.extension().is_some_and(|e| e == "jsonl" || e == "ndjson");
        if !lines {
            return self.document(path);
        }
        let (mut reader, size): (Box<dyn BufRead>, Option<u64>) = if stdin {
            (Box::new(io::stdin().lock()), None)
        } else {
            let file = File::open(path).map_err(|e| AppError::reading(path, &e))?;
            let size = file.metadata().ok().map(|meta| meta.len());
            (Box::new(BufReader::new(file)), size)
        };
        let name = if stdin { files::STDIN.to_owned() } else { path.display().to_string() };
        let bar = progress::bar(size);
        let (mut batch, mut line, mut number) = (Vec::new(), Vec::new(), 0_usize);
        while next_line(&mut reader, &mut line).map_err(|e| AppError::reading(path, &e))? {
            number += 1;
            bar.inc(line.len() as u64);
            if !line.trim_ascii().is_empty() {
                batch.push((number, std::mem::take(&mut line)));
            }
            if batch.len() >= BATCH {
                self.batch(&name, std::mem::take(&mut batch));
                bar.set_message(format!("{} schemas", self.table.schemas));
            }
        }
        self.batch(&name, batch);
        bar.finish_and_clear();
        Ok(())
    }

    /// Judges lines on all cores, and takes the verdicts in the order of the lines.
    fn batch(&mut self, name: &str, lines: Vec<(usize, Vec<u8>)>) {
        let work = |line: &(usize, Vec<u8>)| case(line.0, &line.1);
        self.judge(name, &lines, work);
    }

    fn judge<T: Sync>(&mut self, name: &str, items: &[T], work: impl Fn(&T) -> Result<Case, String> + Sync) {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let share = items.len().div_ceil(cores).max(1);
        let counter = &self.counter;
        let one = |item: &T| work(item).map(|case| case.judge(&|text| counter.count(text) as usize));
        let judged: Vec<Result<Verdict, String>> = std::thread::scope(|scope| {
            let spawn = |chunk| {
                let all = move || -> Vec<Result<Verdict, String>> { <[T]>::iter(chunk).map(one).collect() };
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, all)
            };
            let workers: Vec<_> = items.chunks(share).map(spawn).collect();
            workers.into_iter().flatten().flat_map(|worker| worker.join().unwrap_or_default()).collect()
        });
        if judged.len() != items.len() {
            self.complain(name, "some schemas could not be judged: a worker ended before its time".to_owned());
        }
        for verdict in judged {
            match verdict {
                Ok(verdict) => self.add(verdict),
                Err(message) => self.complain(name, message),
            }
        }
    }

    fn complain(&mut self, name: &str, message: String) {
        self.unreadable += 1;
        self.report.push(Diagnostic::error(codes::BAD_AUDIT_LINE, message).stage("audit").at(Place::file(name)));
    }

    fn add(&mut self, verdict: Verdict) {
        self.table.add(&verdict);
        if self.keep {
            self.verdicts.push(verdict);
        }
    }

    /// An API description, or one schema.
    fn document(&mut self, path: &Path) -> Result<(), AppError> {
        let name = path.display().to_string();
        let document = match read(path)? {
            Ok(document) => document,
            Err(message) => {
                self.complain(&name, message);
                return Ok(());
            }
        };
        if !Api::looks_like(&document) {
            let minified = document.to_string();
            let case = Case { id: name.clone(), schema: Schema::new(document), minified, instances: Vec::new() };
            let counter = Arc::clone(&self.counter);
            self.add(case.judge(&|text| counter.count(text) as usize));
            return Ok(());
        }
        let api = match Api::new(document) {
            Ok(api) => api,
            Err(refused) => {
                self.complain(&name, refused.to_string());
                return Ok(());
            }
        };
        let mut wanted: Vec<_> = api.operations().into_iter().map(|operation| (operation, Part::Body)).collect();
        let all = wanted.len();
        wanted.retain(|(operation, part)| api.schema(operation, *part).is_some());
        self.without_body += all - wanted.len();
        self.judge(&name, &wanted, |(operation, part)| {
            let schema = api.schema(operation, *part).unwrap_or_else(|| Schema::new(Value::Bool(true)));
            let minified = schema.as_ref().map(Schema::minified).unwrap_or_default();
            Ok(Case { id: format!("{name}#{}", operation.id), schema, minified, instances: Vec::new() })
        });
        Ok(())
    }
}

fn read(path: &Path) -> Result<Result<Value, String>, AppError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|e| AppError::reading(path, &e))?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|e| AppError::reading(path, &e))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Ok(Err(format!("it is larger than {} MiB", MOST_BYTES / 1024 / 1024)));
    }
    let Ok(text) = String::from_utf8(bytes) else { return Ok(Err("it is not UTF-8 text".to_owned())) };
    Ok(read_foreign(&text).map_err(|error| format!("line {}: {}", error.line, error.message)))
}

/// The schema and instances of a line.
fn case(number: usize, line: &[u8]) -> Result<Case, String> {
    let value: Value = serde_json::from_slice(line).map_err(|error| format!("line {number}: {error}"))?;
    let schema = value.get("schema").ok_or_else(|| format!("line {number} has no `schema`"))?;
    let id = match value.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(other) => other.to_string(),
        None => format!("line {number}"),
    };
    let mut instances = Vec::new();
    for test in value.get("tests").and_then(Value::as_array).into_iter().flatten() {
        let valid = test
            .get("valid")
            .and_then(Value::as_bool)
            .ok_or_else(|| format!("line {number}: a test without `valid`"))?;
        let data = test.get("data").cloned().ok_or_else(|| format!("line {number}: a test without `data`"))?;
        instances.push(Instance { valid, data });
    }
    let read: Result<Schema, Refused> = Schema::new(schema.clone());
    Ok(Case { id, schema: read, minified: schema.to_string(), instances })
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
        let Some(what) = what_failed(verdict) else { continue };
        let said = verdict.message.as_deref().or(verdict.first_fault.as_deref()).unwrap_or_default();
        let _ = writeln!(out, "{}: {what}  {said}", verdict.id);
    }
}

/// What went wrong with a schema, if anything did.
fn what_failed(verdict: &Verdict) -> Option<String> {
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
