//! Many rules or much data in one run: JSON Lines in, JSON Lines out, one answer for each line that is not blank.
//!
//! A line that fails is answered with its error and does not stop the others; the command then ends with 1.

use super::input::{compile_code, eval_code, shown};
use crate::lines::next_line;
use crate::output::Success;
use deed_app::AppError;
use deed_canon::{parse, to_canonical};
use deed_diag::{Code, MAX_DOCUMENT_BYTES, codes};
use deed_logic::{CompileError, Mode, Program};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// What is done with a rule and its data: an answer, or an error in its place.
pub(super) type Job = fn(&Program, &Value) -> Result<Value, Value>;

/// Applies one rule to every line of data.
pub(super) fn lines(program: &Program, path: &Path, job: Job) -> Result<Success, AppError> {
    each(path, |line| {
        let data = parse(line).map_err(|e| bad_line(&e.to_string()))?;
        job(program, &data)
    })
}

/// Applies the rule of every line to the data of that line.
pub(super) fn cases(path: &Path, mode: Mode, job: Job) -> Result<Success, AppError> {
    each(path, |line| {
        let case = parse(line).map_err(|e| bad_line(&e.to_string()))?;
        let Some(rule) = case.get("rule") else { return Err(bad_line("there is no `rule`")) };
        let data = case.get("data").cloned().unwrap_or(Value::Null);
        let program = Program::compile(rule, mode).map_err(|errors| does_not_compile(&errors))?;
        job(&program, &data)
    })
}

/// The value of a rule; one that has no canonical form is an error.
pub(super) fn value(program: &Program, data: &Value) -> Result<Value, Value> {
    let value = program.eval(data).map_err(|e| error(eval_code(), &e.to_string(), Some(&e.pointer)))?;
    match to_canonical(&value) {
        Ok(_) => Ok(json!({ "value": value })),
        Err(e) => Err(error(eval_code(), &e.to_string(), None)),
    }
}

fn does_not_compile(errors: &[CompileError]) -> Value {
    let first = errors.first();
    let message = first.map_or_else(String::new, ToString::to_string);
    error(compile_code(), &message, first.map(|e| e.pointer.as_str()))
}

fn bad_line(message: &str) -> Value {
    error(codes::BAD_RULE_LINE, message, None)
}

fn error(code: Code, message: &str, pointer: Option<&str>) -> Value {
    json!({ "code": code, "message": message, "at": pointer.map(shown) })
}

/// Reads line by line, so that memory does not grow with the file, and writes each answer at once.
fn each(path: &Path, mut answer: impl FnMut(&[u8]) -> Result<Value, Value>) -> Result<Success, AppError> {
    let mut reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(|e| AppError::reading(path, &e))?))
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut done, mut failed) = (0u64, 0u64);
    let mut line = Vec::new();
    while next_line(&mut reader, &mut line).map_err(|e| AppError::reading(path, &e))? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let too_long = line.len() as u64 > MAX_DOCUMENT_BYTES;
        let answered = if too_long { Err(bad_line("the line is too long")) } else { answer(&line) };
        done += 1;
        let record = answered.unwrap_or_else(|error| {
            failed += 1;
            json!({ "error": error })
        });
        match writeln!(out, "{record}") {
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
    let summary = format!("{done} lines, {failed} failed");
    Ok(Success { found: failed > 0, bulk: true, ..Success::default() }.remark(summary))
}
