//! `deed logic explain`: the value of every part of a rule.

use super::input::{RuleAndData, eval_report};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_diag::Report;
use deed_logic::{Outcome, Program};
use serde_json::{Value, json};

/// Show how a rule came to its value: every part, its value or its error, and what was not evaluated.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    #[command(flatten)]
    input: RuleAndData,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let single = match self.input.read(explained)? {
            Ok(done) => return Ok(done),
            Err(single) => single,
        };
        let explanation = single.program.explain(single.data()?.value());
        let report = match &explanation.outcome {
            Outcome::Error(error) => eval_report(&single.rule, &error.pointer, error.to_string()),
            Outcome::Value(_) | Outcome::Other(_) | Outcome::NotEvaluated => Report::default(),
        };
        let found = report.has_errors();
        Ok(Success { found, ..Success::new(explanation.to_value(), explanation.to_string()).report(report) })
    }
}

/// The explanation of one line; that the rule failed is part of it.
fn explained(program: &Program, data: &Value) -> Result<Value, Value> {
    Ok(json!({ "explanation": program.explain(data).to_value() }))
}
