//! Reads a rule and its data from a file, standard input or the command line.

use super::bulk::{self, Job};
use crate::output::Success;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deed_app::AppError;
use deed_app::files;
use deed_canon::Pointer;
use deed_diag::{Code, Diagnostic, Document, Format, Report, codes};
use deed_logic::{CompileError, Mode, Program};
use std::path::{Path, PathBuf};

/// Reads JSON given inline (an object, an array, a text, or a plain value that is no file) or a file.
pub(super) fn document(argument: &str, name: &str) -> Result<Document, AppError> {
    let nested = argument.trim_start().starts_with(['{', '[', '"']);
    let plain = || deed_canon::parse(argument.as_bytes()).is_ok() && !Path::new(argument).exists();
    if nested || plain() {
        Ok(Document::read(name, argument.as_bytes(), Format::Json)?)
    } else {
        files::document(Path::new(argument))
    }
}

/// Compiles a rule, or reports everything that is wrong with it.
pub(super) fn compile(rule: &Document, mode: Mode) -> Result<Program, AppError> {
    Program::compile(rule.value(), mode).map_err(|errors| {
        let mut report = Report::default();
        report.add_source(rule.source().clone());
        errors.iter().for_each(|error| report.push(compile_diagnostic(rule, error)));
        report.into()
    })
}

fn compile_diagnostic(rule: &Document, error: &CompileError) -> Diagnostic {
    Diagnostic::error(codes::RULE_DOES_NOT_COMPILE, error.to_string())
        .stage("compile")
        .at(rule.operation_place(&error.pointer))
        .help_opt(error.kind.help())
}

/// The report of a failed evaluation, at its place in the rule.
pub(super) fn eval_report(rule: &Document, pointer: &str, message: String) -> Report {
    let diagnostic = Diagnostic::error(codes::RULE_FAILS, message)
        .stage("eval")
        .at(rule.operation_place(pointer))
        .help("`deed logic explain` shows the value of every part");
    let mut report = Report::of(diagnostic);
    report.add_source(rule.source().clone());
    report
}

/// The code of a failed evaluation, for bulk output.
pub(super) fn eval_code() -> Code {
    codes::RULE_FAILS
}

/// The code of a rule that does not compile, for bulk output.
pub(super) fn compile_code() -> Code {
    codes::RULE_DOES_NOT_COMPILE
}

/// A pointer as it is shown: the root has a name too.
pub(super) fn shown(pointer: &str) -> String {
    if Pointer::tokens(pointer).next().is_none() { "the rule".to_owned() } else { pointer.to_owned() }
}

/// The rule and the data, in all three commands.
#[derive(Debug, Args)]
pub(crate) struct RuleAndData {
    /// Rule: JSON, a file, or `-` for standard input.
    #[arg(required_unless_present = "cases")]
    rule: Option<String>,
    /// Data: JSON, a file, `-`, or a .jsonl file with one document a line.
    data: Option<String>,
    /// Reading of the rule: strict, or with the results of json-logic-js.
    #[arg(long, default_value = "strict", value_parser = PossibleValuesParser::new(["strict", "compat"]).map(mode))]
    mode: Mode,
    /// File (or `-`) of many rules: one {"rule": …, "data": …} a line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rule", "data"])]
    cases: Option<PathBuf>,
    /// Read DATA line by line, whatever its name.
    #[arg(long)]
    jsonl: bool,
}

fn mode(name: String) -> Mode {
    name.parse().unwrap_or_default()
}

/// A rule with at most one document of data.
pub(super) struct Single {
    pub(super) rule: Document,
    pub(super) program: Program,
    pub(super) data: Option<Document>,
}

impl RuleAndData {
    /// Runs the job in bulk where that is asked for, and otherwise hands over the rule and its data.
    pub(super) fn read(&self, job: Job) -> Result<Result<Success, Single>, AppError> {
        if let Some(cases) = &self.cases {
            return bulk::cases(cases, self.mode, job).map(Ok);
        }
        let rule = document(self.rule.as_deref().unwrap_or_default(), "<rule>")?;
        let program = compile(&rule, self.mode)?;
        match &self.data {
            Some(data) if self.jsonl || data.ends_with(".jsonl") => bulk::lines(&program, data.as_ref(), job).map(Ok),
            Some(data) => Ok(Err(Single { rule, program, data: Some(document(data, "<data>")?) })),
            None => Ok(Err(Single { rule, program, data: None })),
        }
    }
}

impl Single {
    /// The data, which this command cannot do without.
    pub(super) fn data(&self) -> Result<&Document, AppError> {
        self.data.as_ref().ok_or_else(|| {
            AppError::usage(
                Diagnostic::error(codes::DATA_MISSING, "there is no data to evaluate the rule over")
                    .stage("usage")
                    .help("give DATA after RULE"),
            )
        })
    }
}
