//! `deed logic check`: what can be known about a rule before it runs.

use super::input::RuleAndData;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_diag::{Code, Diagnostic, Report};
use deed_logic::{Finding, Program, Severity, Ty, check_value};
use serde_json::{Value, json};
use std::path::PathBuf;

const TYPE_ERROR: Code = Code::new("D1404");
const TYPE_WARNING: Code = Code::new("D1405");

/// Check a rule before it runs: operators, arity, variables and types, depth and cost. DATA is a sample whose
/// shape the rule may rely on.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    input: RuleAndData,
    /// A JSON Schema of the data, instead of a sample.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["data", "cases"])]
    schema: Option<PathBuf>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let single = match self.input.read(checked)? {
            Ok(done) => return Ok(done),
            Err(single) => single,
        };
        let context = match (&single.data, &self.schema) {
            (Some(data), _) => Ty::infer(data.value()),
            (None, Some(schema)) => Ty::from_schema(files::document(schema)?.value()),
            (None, None) => Ty::Any,
        };
        let mut report = Report::default();
        report.add_source(single.rule.source().clone());
        for finding in check_value(&single.program, &context) {
            let diagnostic = Diagnostic::new(weight(&finding), code(&finding), finding.to_string());
            report.push(
                diagnostic
                    .stage("check")
                    .at(single.rule.operation_place(&finding.pointer))
                    .help_opt(finding.kind.help()),
            );
        }
        let program = &single.program;
        let text = format!("depth {}, {} nodes, cost {}\n", program.depth(), program.nodes(), program.static_cost());
        Ok(Success { found: report.has_errors(), ..Success::new(measured(program), text).report(report) })
    }
}

fn weight(finding: &Finding) -> deed_diag::Severity {
    match finding.severity {
        Severity::Error => deed_diag::Severity::Error,
        Severity::Warning => deed_diag::Severity::Warning,
    }
}

fn code(finding: &Finding) -> Code {
    match finding.severity {
        Severity::Error => TYPE_ERROR,
        Severity::Warning => TYPE_WARNING,
    }
}

fn measured(program: &Program) -> Value {
    let variables: Vec<_> = program.variables().iter().map(|v| json!({ "path": v.path, "at": v.pointer })).collect();
    json!({
        "mode": program.mode().to_string(),
        "depth": program.depth(),
        "nodes": program.nodes(),
        "cost": program.static_cost(),
        "variables": variables,
    })
}

/// The findings of one line, against the shape of its data.
fn checked(program: &Program, data: &Value) -> Result<Value, Value> {
    let findings: Vec<Value> = check_value(program, &Ty::infer(data))
        .iter()
        .map(|f| json!({ "code": code(f), "severity": weight(f), "message": f.to_string(), "at": f.pointer }))
        .collect();
    Ok(json!({ "findings": findings, "measured": measured(program) }))
}
