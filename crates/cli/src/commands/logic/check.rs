//! `deed logic check`: a rule checked without evaluating it.

use super::input::RuleAndData;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::rules::{LineError, schema_type, severity_and_code};
use deed_logic::{Finding, Program, Ty, check_value};
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
            (None, Some(schema)) => schema_type(schema)?,
            (None, None) => Ty::Any,
        };
        let report = single.rule.check(&context);
        let program = &single.rule.program;
        let text = format!("depth {}, {} nodes, cost {}\n", program.depth(), program.nodes(), program.static_cost());
        Ok(Success { found: report.has_errors(), ..Success::new(measured(program), text).report(report) })
    }
}

/// A rule, measured without evaluating it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MeasuredRule {
    /// The reading of the rule: `strict` or `compat`.
    mode: String,
    /// The depth of nesting.
    depth: usize,
    /// The number of nodes.
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
fn checked(program: &Program, data: &Value) -> Result<Value, LineError> {
    let shown = |finding: &Finding| {
        let (severity, code) = severity_and_code(finding);
        json!({ "code": code, "severity": severity, "message": finding.to_string(), "at": finding.pointer })
    };
    let findings: Vec<Value> = check_value(program, &Ty::infer(data)).iter().map(shown).collect();
    Ok(json!({ "findings": findings, "measured": measured(program) }))
}
