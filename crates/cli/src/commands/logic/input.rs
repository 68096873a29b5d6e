//! Where a rule and its data come from: a file, standard input, or the command line itself.

use crate::failure::Failure;
use crate::files;
use deed_canon::Pointer;
use deed_diag::{Code, Diagnostic, Document, Format, Report};
use deed_logic::{CompileError, EvalError, Mode, Program};
use std::path::Path;

const DOES_NOT_COMPILE: Code = Code::new("D1401");
const FAILS: Code = Code::new("D1402");

/// Reads JSON given inline (an object, an array, a text, or a plain value that is no file) or a file.
pub(super) fn document(argument: &str, name: &str) -> Result<Document, Failure> {
    let nested = argument.trim_start().starts_with(['{', '[', '"']);
    let plain = || deed_canon::parse(argument.as_bytes()).is_ok() && !Path::new(argument).exists();
    if nested || plain() {
        Ok(Document::read(name, argument.as_bytes(), Format::Json)?)
    } else {
        files::document(Path::new(argument))
    }
}

/// Compiles a rule, or reports everything that is wrong with it.
pub(super) fn compile(rule: &Document, mode: Mode) -> Result<Program, Failure> {
    Program::compile(rule.value(), mode).map_err(|errors| {
        let mut report = Report::default();
        report.add_source(rule.source().clone());
        errors.iter().for_each(|error| report.push(compile_diagnostic(rule, error)));
        report.into()
    })
}

fn compile_diagnostic(rule: &Document, error: &CompileError) -> Diagnostic {
    Diagnostic::error(DOES_NOT_COMPILE, error.to_string())
        .stage("compile")
        .at(rule.place(&error.pointer))
        .help_opt(error.kind.help())
}

/// The failure of an evaluation, at its place in the rule.
pub(super) fn eval_failure(rule: &Document, error: &EvalError) -> Failure {
    let diagnostic = Diagnostic::error(FAILS, error.to_string())
        .stage("eval")
        .at(rule.place(&error.pointer))
        .help("`deed logic explain` shows the value of every part");
    let mut report = Report::of(diagnostic);
    report.add_source(rule.source().clone());
    report.into()
}

/// The code of a failed evaluation, for bulk output.
pub(super) fn eval_code() -> Code {
    FAILS
}

/// The code of a rule that does not compile, for bulk output.
pub(super) fn compile_code() -> Code {
    DOES_NOT_COMPILE
}

/// A pointer as it is shown: the root has a name too.
pub(super) fn shown(pointer: &str) -> String {
    if Pointer::tokens(pointer).next().is_none() { "the rule".to_owned() } else { pointer.to_owned() }
}
