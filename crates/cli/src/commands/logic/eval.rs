//! `deed logic eval`: the value of a rule.

use super::bulk;
use super::input::{RuleAndData, eval_report};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_canon::canonical_string;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Evaluate a JsonLogic rule over data, or many at once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed logic eval '{\">\": [{\"var\": \"amount\"}, 1000]}' '{\"amount\": 1200}'
  deed logic eval rule.json data.jsonl")]
pub(crate) struct Eval {
    #[command(flatten)]
    input: RuleAndData,
}

/// The value of a rule.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EvaluatedRule {
    /// The value.
    value: Value,
}

impl Eval {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let single = match self.input.read(bulk::value)? {
            Ok(done) => return Ok(done),
            Err(single) => single,
        };
        let failed = |pointer: &str, message: String| AppError::from(eval_report(&single.rule, pointer, message));
        let value = single.program.eval(single.data()?.value()).map_err(|e| failed(&e.pointer, e.to_string()))?;
        let text = canonical_string(&value).map_err(|e| failed("", e.to_string()))?;
        Ok(Success::new(EvaluatedRule { value }, text + "\n"))
    }
}
