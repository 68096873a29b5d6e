//! Many evaluations in one run: JSON Lines in, JSON Lines out, one for one and in order.
//!
//! A line that fails is answered with its error and does not stop the others; the command then ends with 1.

use super::input::{compile_code, eval_code, shown};
use crate::failure::Failure;
use crate::output::Success;
use deed_canon::parse;
use deed_diag::{Code, MAX_DOCUMENT_BYTES};
use deed_logic::{CompileError, Mode, Program};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

const BAD_LINE: Code = Code::new("D1403");

/// Evaluates one rule over every line of data.
pub(super) fn lines(program: &Program, path: &Path) -> Result<Success, Failure> {
    each(path, |line| {
        let data = parse(line).map_err(|e| bad_line(&e.to_string()))?;
        evaluate(program, &data)
    })
}

/// Evaluates a rule and its data on every line.
pub(super) fn cases(path: &Path, mode: Mode) -> Result<Success, Failure> {
    each(path, |line| {
        let case = parse(line).map_err(|e| bad_line(&e.to_string()))?;
        let Some(rule) = case.get("rule") else { return Err(bad_line("there is no `rule`")) };
        let data = case.get("data").cloned().unwrap_or(Value::Null);
        let program = Program::compile(rule, mode).map_err(|errors| does_not_compile(&errors))?;
        evaluate(&program, &data)
    })
}

fn evaluate(program: &Program, data: &Value) -> Result<Value, Value> {
    program.eval(data).map_err(|e| error(eval_code(), &e.to_string(), Some(&e.pointer)))
}

fn does_not_compile(errors: &[CompileError]) -> Value {
    let first = errors.first();
    let message = first.map_or_else(String::new, ToString::to_string);
    error(compile_code(), &message, first.map(|e| e.pointer.as_str()))
}

fn bad_line(message: &str) -> Value {
    error(BAD_LINE, message, None)
}

fn error(code: Code, message: &str, pointer: Option<&str>) -> Value {
    json!({ "code": code, "message": message, "at": pointer.map(shown) })
}

/// Reads line by line, so that memory does not grow with the file, and writes each answer at once.
fn each(path: &Path, mut answer: impl FnMut(&[u8]) -> Result<Value, Value>) -> Result<Success, Failure> {
    let mut reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(|e| Failure::reading(path, &e))?))
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut done, mut failed) = (0u64, 0u64);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader
            .by_ref()
            .take(MAX_DOCUMENT_BYTES + 1)
            .read_until(b'\n', &mut line)
            .map_err(|e| Failure::reading(path, &e))?;
        if read == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let record =
            if line.len() as u64 > MAX_DOCUMENT_BYTES { Err(bad_line("the line is too long")) } else { answer(&line) };
        done += 1;
        let record = match record {
            Ok(value) => json!({ "value": value }),
            Err(error) => {
                failed += 1;
                json!({ "error": error })
            }
        };
        match writeln!(out, "{record}") {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => return Ok(Success::default()),
            Err(e) => return Err(Failure::writing(Path::new("<stdout>"), &e)),
        }
    }
    out.flush().map_err(|e| Failure::writing(Path::new("<stdout>"), &e))?;
    Ok(Success { found: failed > 0, bulk: true, ..Success::default() }
        .remark(format!("{done} evaluated, {failed} failed")))
}
