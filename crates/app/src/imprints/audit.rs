//! Tests templates on many schemas: instances are filled and lowered, and the results counted.

use super::template::counter;
use crate::error::AppError;
use crate::files::{self, display_name};
use crate::lines::Lines;
use deed_context::Tokenizer;
use deed_diag::{Diagnostic, Invariant as _, MAX_DOCUMENT_BYTES, Place, Report, codes};
use deed_imprint::{Audit, Case, Instance, Verdict};
use deed_schema::{Api, Part, Schema, read_foreign};
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Lines that are judged together.
const BATCH: usize = 256;
/// API descriptions may be larger than documents of our own.
const MOST_BYTES: u64 = 4 * MAX_DOCUMENT_BYTES;
/// The stack of a worker: schemas may be deep.
const STACK: usize = 64 * 1024 * 1024;

/// The result of an audit.
#[derive(Debug)]
pub struct AuditedSchemas {
    /// The counts.
    pub audit: Audit,
    /// The verdict on each schema, if they were to be kept.
    pub verdicts: Vec<Verdict>,
    /// Lines and files that could not be read.
    pub unreadable: usize,
    /// Operations that take no body.
    pub operations_without_body: usize,
    /// The errors of lines and files that could not be read.
    pub report: Report,
}

/// The handling of verdicts: there may be very many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdicts {
    /// Count them.
    Counted,
    /// Count them and return each.
    Kept,
}

/// The progress of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditProgress {
    /// A file of lines was opened.
    Opened {
        /// Its size in bytes; none for standard input.
        size: Option<u64>,
    },
    /// A line was read.
    Read {
        /// Its length in bytes.
        bytes: u64,
    },
    /// Schemas were judged.
    Judged {
        /// The number of schemas since the audit began.
        schemas: usize,
    },
    /// The file was read to its end.
    Closed,
}

/// Judges all schemas of the files: JSON Lines of `{id, schema, tests: [{valid, data}]}`, API descriptions, or schemas.
///
/// # Errors
/// A file cannot be opened or read. A line or a document that is malformed is counted and reported, and does not stop it.
pub fn audit(
    paths: &[PathBuf],
    keep: Verdicts,
    observe: &mut dyn FnMut(AuditProgress),
) -> Result<AuditedSchemas, AppError> {
    let mut auditor = Auditor {
        table: Audit::default(),
        keep,
        verdicts: Vec::new(),
        report: Report::default(),
        counter: counter()?,
        unreadable: 0,
        without_body: 0,
    };
    // A missing file is reported before the first is judged, which may take long.
    for path in paths.iter().filter(|path| *path != Path::new("-")) {
        files::open(path)?;
    }
    for path in paths {
        if path == Path::new("-") || Lines::are_in(path) {
            auditor.lines(path, observe)?;
        } else {
            auditor.document(path)?;
        }
    }
    Ok(AuditedSchemas {
        audit: auditor.table.finish(),
        verdicts: auditor.verdicts,
        unreadable: auditor.unreadable,
        operations_without_body: auditor.without_body,
        report: auditor.report,
    })
}

/// The counts of an audit that is running.
struct Auditor {
    table: Audit,
    keep: Verdicts,
    verdicts: Vec<Verdict>,
    report: Report,
    counter: Arc<dyn Tokenizer>,
    unreadable: usize,
    without_body: usize,
}

impl Auditor {
    fn lines(&mut self, path: &Path, observe: &mut dyn FnMut(AuditProgress)) -> Result<(), AppError> {
        let mut lines = Lines::open(path)?;
        let name = lines.name();
        observe(AuditProgress::Opened { size: lines.size() });
        let mut batch: Vec<(u64, Vec<u8>)> = Vec::new();
        while let Some(line) = lines.read_next()? {
            observe(AuditProgress::Read { bytes: line.bytes.len() as u64 });
            if !line.is_blank() {
                batch.push((line.number, line.bytes.to_vec()));
            }
            if batch.len() >= BATCH {
                self.judge(&name, &std::mem::take(&mut batch), |(number, line)| case(*number, line));
                observe(AuditProgress::Judged { schemas: self.table.schemas });
            }
        }
        self.judge(&name, &batch, |(number, line)| case(*number, line));
        observe(AuditProgress::Closed);
        Ok(())
    }

    /// Judges items on all cores, and adds the verdicts in the order of the items.
    fn judge<T: Sync>(&mut self, name: &str, items: &[T], read: impl Fn(&T) -> Result<Case, String> + Sync) {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let share = items.len().div_ceil(cores).max(1);
        let counter = &self.counter;
        let one = |item: &T| read(item).map(|case| case.judge(&|text| counter.count(text) as usize));
        let judged: Vec<Result<Verdict, String>> = std::thread::scope(|scope| {
            let spawn = |chunk| {
                let all = move || -> Vec<Result<Verdict, String>> { <[T]>::iter(chunk).map(one).collect() };
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, all)
            };
            let workers: Vec<_> = items.chunks(share).map(spawn).collect();
            // Verdicts of a worker that could not start, or panicked, are missing: the count below reports it.
            workers.into_iter().flatten().flat_map(|worker| worker.join().unwrap_or_default()).collect()
        });
        if judged.len() != items.len() {
            self.complain(name, "some schemas could not be judged: a worker thread failed".to_owned());
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
        if self.keep == Verdicts::Kept {
            self.verdicts.push(verdict);
        }
    }

    /// Judges the bodies of an API description, or one schema.
    fn document(&mut self, path: &Path) -> Result<(), AppError> {
        let name = display_name(path);
        let document = match read(path)? {
            Ok(document) => document,
            Err(message) => {
                self.complain(&name, message);
                return Ok(());
            }
        };
        if !Api::looks_like(&document) {
            let minified = document.to_string();
            let case = Case { id: name, schema: Schema::new(document), minified, instances: Vec::new() };
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
        let mut operations = api.operations();
        let all = operations.len();
        operations.retain(|operation| api.schema(operation, Part::Body).is_some());
        self.without_body += all - operations.len();
        self.judge(&name, &operations, |operation| {
            let schema = api.schema(operation, Part::Body).invariant("operations without a body were removed");
            // A schema that is refused has no size to compare with.
            let minified = schema.as_ref().map(Schema::minified).unwrap_or_default();
            Ok(Case { id: format!("{name}#{}", operation.id), schema, minified, instances: Vec::new() })
        });
        Ok(())
    }
}

/// Reads a schema or an API description. The inner error is about its content.
fn read(path: &Path) -> Result<Result<Value, String>, AppError> {
    let mut bytes = Vec::new();
    let file = files::open(path)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|e| AppError::reading(path, &e))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Ok(Err(format!("it is larger than {} MiB", MOST_BYTES / 1024 / 1024)));
    }
    let Ok(text) = String::from_utf8(bytes) else { return Ok(Err("it is not UTF-8 text".to_owned())) };
    Ok(read_foreign(&text).map_err(|error| format!("line {}: {}", error.line, error.message)))
}

/// The schema and instances of a line.
fn case(number: u64, line: &[u8]) -> Result<Case, String> {
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
    Ok(Case { id, schema: Schema::new(schema.clone()), minified: schema.to_string(), instances })
}
