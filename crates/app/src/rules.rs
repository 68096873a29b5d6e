//! JsonLogic rules: reading, compiling and evaluating them, one by one or many in one file.

use crate::error::AppError;
use crate::files;
use crate::lines::Line;
use deed_canon::{canonical_string, parse, to_canonical};
use deed_diag::{Code, Diagnostic, Document, Format, Report, codes};
use deed_logic::{CompileError, EvalError, Explanation, Finding, Mode, Outcome, Program, Severity, Ty, check_value};
use serde_json::Value;
use std::path::Path;

/// Reads JSON that is given inline (an object, a list, a text, or a plain value that is not a file), or a file.
///
/// # Errors
/// The file cannot be read, or the text is malformed.
pub fn document(argument: &str, name: &str) -> Result<Document, AppError> {
    let nested = argument.trim_start().starts_with(['{', '[', '"']);
    let plain = || parse(argument.as_bytes()).is_ok() && !Path::new(argument).exists();
    if nested || plain() {
        Ok(Document::read(name, argument.as_bytes(), Format::Json)?)
    } else {
        files::document(Path::new(argument))
    }
}

/// A rule that was compiled.
#[derive(Debug)]
pub struct Rule {
    /// Its document.
    pub document: Document,
    /// The program.
    pub program: Program,
}

impl Rule {
    /// Reads and compiles a rule: JSON, a file, or `-` for standard input.
    ///
    /// # Errors
    /// It cannot be read, or does not compile: the report has every fault.
    pub fn load(argument: &str, mode: Mode) -> Result<Self, AppError> {
        let document = document(argument, "<rule>")?;
        match Program::compile(document.value(), mode) {
            Ok(program) => Ok(Self { document, program }),
            Err(errors) => {
                let mut report = Report::default();
                report.add_source(document.source().clone());
                errors.iter().for_each(|error| report.push(compile_diagnostic(&document, error)));
                Err(report.into())
            }
        }
    }

    /// Evaluates the rule. Also returns the value as canonical text.
    ///
    /// # Errors
    /// The rule fails, or its value has no canonical form.
    pub fn evaluate(&self, data: &Value) -> Result<(Value, String), AppError> {
        let value = self.program.eval(data).map_err(|error| self.failure(&error.pointer, error.to_string()))?;
        let text = canonical_string(&value).map_err(|error| self.failure("", error.to_string()))?;
        Ok((value, text))
    }

    /// Explains the value of every part of the rule. The report has the error, if the rule fails.
    pub fn explain(&self, data: &Value) -> (Explanation, Report) {
        let explanation = self.program.explain(data);
        let report = match &explanation.outcome {
            Outcome::Error(error) => self.failure(&error.pointer, error.to_string()).report,
            Outcome::Value(_) | Outcome::Other(_) | Outcome::NotEvaluated => Report::default(),
        };
        (explanation, report)
    }

    /// Checks the rule against the type of its data, without evaluating it.
    pub fn check(&self, data: &Ty) -> Report {
        let mut report = Report::default();
        report.add_source(self.document.source().clone());
        for finding in check_value(&self.program, data) {
            let (severity, code) = severity_and_code(&finding);
            report.push(
                Diagnostic::new(severity, code, finding.to_string())
                    .stage("check")
                    .at(self.document.operation_place(&finding.pointer))
                    .help_opt(finding.kind.help()),
            );
        }
        report
    }

    /// The error of an evaluation, at its place in the rule.
    fn failure(&self, pointer: &str, message: String) -> AppError {
        let diagnostic = Diagnostic::error(codes::RULE_FAILS, message)
            .stage("eval")
            .at(self.document.operation_place(pointer))
            .help("`deed logic explain` shows the value of every part");
        let mut report = Report::of(diagnostic);
        report.add_source(self.document.source().clone());
        report.into()
    }
}

fn compile_diagnostic(rule: &Document, error: &CompileError) -> Diagnostic {
    Diagnostic::error(codes::RULE_DOES_NOT_COMPILE, error.to_string())
        .stage("compile")
        .at(rule.operation_place(&error.pointer))
        .help_opt(error.kind.help())
}

/// The severity and the code of a finding.
pub fn severity_and_code(finding: &Finding) -> (deed_diag::Severity, Code) {
    match finding.severity {
        Severity::Error => (deed_diag::Severity::Error, codes::RULE_TYPE_ERROR),
        Severity::Warning => (deed_diag::Severity::Warning, codes::RULE_TYPE_WARNING),
    }
}

/// The type of data that a JSON Schema describes.
///
/// # Errors
/// The file cannot be read.
pub fn schema_type(path: &Path) -> Result<Ty, AppError> {
    Ok(Ty::from_schema(files::document(path)?.value()))
}

/// The error of one line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// Its code.
    pub code: Code,
    /// Its message.
    pub message: String,
    /// The place in the rule, as a JSON pointer; none if it is not about the rule.
    pub pointer: Option<String>,
}

impl LineError {
    fn malformed(message: impl Into<String>) -> Self {
        Self { code: codes::BAD_RULE_LINE, message: message.into(), pointer: None }
    }
}

/// Reads the data of a line.
///
/// # Errors
/// The line is too long or malformed.
pub fn line_data(line: &Line<'_>) -> Result<Value, LineError> {
    let bytes = line.document().map_err(LineError::malformed)?;
    parse(bytes).map_err(|error| LineError::malformed(error.to_string()))
}

/// Reads the rule and the data of a line, `{"rule": …, "data": …}`. Data that is absent is null.
///
/// # Errors
/// The line is malformed, or its rule does not compile.
pub fn line_case(line: &Line<'_>, mode: Mode) -> Result<(Program, Value), LineError> {
    let case = line_data(line)?;
    let rule = case.get("rule").ok_or_else(|| LineError::malformed("there is no `rule`"))?;
    let data = case.get("data").cloned().unwrap_or(Value::Null);
    let program = Program::compile(rule, mode).map_err(|errors| {
        let first = errors.first();
        LineError {
            code: codes::RULE_DOES_NOT_COMPILE,
            message: first.map_or_else(|| "the rule does not compile".to_owned(), ToString::to_string),
            pointer: first.map(|error| error.pointer.clone()),
        }
    })?;
    Ok((program, data))
}

/// Evaluates a rule for one line.
///
/// # Errors
/// The rule fails, or its value has no canonical form.
pub fn line_value(program: &Program, data: &Value) -> Result<Value, LineError> {
    let failed = |error: EvalError| LineError {
        code: codes::RULE_FAILS,
        message: error.to_string(),
        pointer: Some(error.pointer),
    };
    let value = program.eval(data).map_err(failed)?;
    match to_canonical(&value) {
        Ok(_) => Ok(value),
        Err(error) => Err(LineError { code: codes::RULE_FAILS, message: error.to_string(), pointer: None }),
    }
}
