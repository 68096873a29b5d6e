//! `deed logic eval`: the value of a rule.

use super::bulk;
use super::input::RuleAndData;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
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
        let (value, text) = single.rule.evaluate(single.data()?.value())?;
        Ok(Success::new(EvaluatedRule { value }, text + "\n").document())
    }
}
