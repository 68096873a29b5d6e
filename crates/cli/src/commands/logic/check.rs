//! `deed logic check`: what can be known about a rule before it runs.

use super::input::RuleAndData;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_diag::{Code, Diagnostic, Report, codes};
use deed_logic::{Finding, Program, Severity, Ty, check_value};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Check a rule without evaluating it: operators, variables, types, depth and cost.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed logic check rule.json sample.json
  deed logic check rule.json --schema data.schema.json")]
pub(crate) struct Check {
    #[command(flatten)]
    input: RuleAndData,
    /// JSON Schema of the data, instead of a sample.
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
        Severity::Error => codes::RULE_TYPE_ERROR,
        Severity::Warning => codes::RULE_TYPE_WARNING,
    }
}

/// A rule, measured without evaluating it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MeasuredRule {
    /// How it is read: `strict` or `compat`.
    mode: String,
    /// How deep it is nested.
    depth: usize,
    /// How many nodes it has.
    nodes: usize,
    /// The most that evaluating it can cost.
    cost: u64,
    /// The variables that it reads.
    variables: Vec<RuleVariable>,
}

/// A variable of a rule.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RuleVariable {
    /// Its path in the data.
    path: Vec<String>,
    /// Its place in the rule.
    at: String,
}

fn measured(program: &Program) -> MeasuredRule {
    let variable = |v: &deed_logic::VarUse| RuleVariable { path: v.path.clone(), at: v.pointer.clone() };
    MeasuredRule {
        mode: program.mode().to_string(),
        depth: program.depth(),
        nodes: program.nodes(),
        cost: program.static_cost(),
        variables: program.variables().iter().map(variable).collect(),
    }
}

/// The findings of one line, against the shape of its data.
fn checked(program: &Program, data: &Value) -> Result<Value, Value> {
    let findings: Vec<Value> = check_value(program, &Ty::infer(data))
        .iter()
        .map(|f| json!({ "code": code(f), "severity": weight(f), "message": f.to_string(), "at": f.pointer }))
        .collect();
    Ok(json!({ "findings": findings, "measured": measured(program) }))
}
