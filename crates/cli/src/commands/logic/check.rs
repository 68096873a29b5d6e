//! `deed logic check`: what can be known about a rule before it runs.

use super::input::{compile, document};
use crate::failure::Failure;
use crate::files;
use crate::output::Success;
use clap::Args;
use deed_diag::{Code, Diagnostic, Report};
use deed_logic::{Mode, Severity, Ty, check_value};
use serde_json::json;
use std::path::PathBuf;

const TYPE_ERROR: Code = Code::new("D1404");
const TYPE_WARNING: Code = Code::new("D1405");

/// Check a rule before it runs: operators, arity, variables and types, depth and cost.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The rule: JSON itself, a file, or `-`.
    rule: String,
    /// Sample data whose shape the rule may rely on: JSON itself, a file, or `-`.
    data: Option<String>,
    /// A JSON Schema of the data, instead of a sample.
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    schema: Option<PathBuf>,
    /// How the rule is read.
    #[arg(long, default_value = "strict", value_name = "strict|compat")]
    mode: Mode,
}

impl Check {
    pub(crate) fn run(&self) -> Result<Success, Failure> {
        let rule = document(&self.rule, "<rule>")?;
        let program = compile(&rule, self.mode)?;
        let context = match (&self.data, &self.schema) {
            (Some(data), _) => Ty::infer(document(data, "<data>")?.value()),
            (None, Some(schema)) => Ty::from_schema(files::document(schema)?.value()),
            (None, None) => Ty::Any,
        };
        let mut report = Report::default();
        report.add_source(rule.source().clone());
        for finding in check_value(&program, &context) {
            let diagnostic = match finding.severity {
                Severity::Error => Diagnostic::error(TYPE_ERROR, finding.to_string()),
                Severity::Warning => Diagnostic::warning(TYPE_WARNING, finding.to_string()),
            };
            report.push(diagnostic.stage("check").at(rule.place(&finding.pointer)).help_opt(finding.kind.help()));
        }
        let variables: Vec<_> =
            program.variables().iter().map(|v| json!({ "path": v.path, "at": v.pointer })).collect();
        let data = json!({
            "mode": program.mode().to_string(),
            "depth": program.depth(),
            "nodes": program.nodes(),
            "cost": program.static_cost(),
            "variables": variables,
        });
        let text = format!("depth {}, {} nodes, cost {}\n", program.depth(), program.nodes(), program.static_cost());
        Ok(Success { found: report.has_errors(), ..Success::new(data, text).report(report) })
    }
}
