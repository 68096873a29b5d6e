//! Many rules or much data in one command: JSON Lines in, JSON Lines out, one answer for each line that is not blank.
//!
//! A line that fails is answered with its error and does not stop the others; the command then ends with 1.

use crate::output::{Success, versioned};
use crate::text::count;
use deed_app::AppError;
use deed_app::lines::{Line, Lines};
use deed_app::rules::{LineError, line_case, line_data, line_value};
use deed_canon::Pointer;
use deed_logic::{Mode, Program};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The work on a rule and its data.
pub(super) type Job = fn(&Program, &Value) -> Result<Value, LineError>;

/// Applies one rule to every line of data.
pub(super) fn lines(program: &Program, path: &Path, job: Job) -> Result<Success, AppError> {
    each(path, |line| job(program, &line_data(line)?))
}

/// Applies the rule of every line to the data of that line.
pub(super) fn cases(path: &Path, mode: Mode, job: Job) -> Result<Success, AppError> {
    each(path, |line| {
        let (program, data) = line_case(line, mode)?;
        job(&program, &data)
    })
}

/// The value of a rule.
pub(super) fn value(program: &Program, data: &Value) -> Result<Value, LineError> {
    Ok(json!({ "value": line_value(program, data)? }))
}

/// Answers line by line, so that memory does not grow with the file.
fn each(path: &Path, mut answer: impl FnMut(&Line<'_>) -> Result<Value, LineError>) -> Result<Success, AppError> {
    let mut lines = Lines::open(path)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut done, mut failed) = (0u64, 0u64);
    while let Some(line) = lines.read_next()? {
        if line.is_blank() {
            continue;
        }
        done += 1;
        let record = answer(&line).unwrap_or_else(|error| {
            failed += 1;
            json!({ "error": shown(&error) })
        });
        match writeln!(out, "{}", versioned(record)) {
            Ok(()) => {}
            // The reader has closed the pipe.
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => break,
            Err(e) => return Err(AppError::printing(&e)),
        }
    }
    match out.flush() {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => return Err(AppError::printing(&e)),
        Ok(()) | Err(_) => {}
    }
    let summary = format!("{}, {failed} failed", count(done, "line"));
    Ok(Success { found: failed > 0, bulk: true, ..Success::default() }.remark(summary))
}

/// An error as JSON. The root of a rule has a name too.
fn shown(error: &LineError) -> Value {
    let at = error.pointer.as_deref().map(|pointer| match Pointer::tokens(pointer).next() {
        None => "the rule",
        Some(_) => pointer,
    });
    json!({ "code": error.code, "message": error.message, "at": at })
}
