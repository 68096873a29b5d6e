//! `deed logic eval`: the value of a rule.

use super::bulk;
use super::input::{RuleAndData, eval_report};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_canon::canonical_string;
use serde_json::json;

/// Evaluate a rule over data, or many at once.
#[derive(Debug, Args)]
pub(crate) struct Eval {
    #[command(flatten)]
    input: RuleAndData,
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
        Ok(Success::new(json!({ "value": value }), text + "\n"))
    }
}
