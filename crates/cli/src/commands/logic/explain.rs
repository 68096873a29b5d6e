//! `deed logic explain`: the value of every part of a rule.

use super::input::RuleAndData;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::rules::LineError;
use deed_logic::Program;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Value, json};

/// Show the value or error of every part of a rule, and what was not evaluated.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed logic explain rule.json data.json")]
pub(crate) struct Explain {
    #[command(flatten)]
    input: RuleAndData,
}

/// The value of every part of a rule, as a tree.
#[derive(Debug, Serialize)]
pub(crate) struct ExplainedExpression(Value);

impl JsonSchema for ExplainedExpression {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ExplainedExpression".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "required": ["pointer", "expression"],
            "additionalProperties": false,
            "properties": {
                "pointer": { "type": "string", "description": "Place in the rule." },
                "expression": { "type": "string", "description": "Operator or literal." },
                "value": { "description": "Value, where it has one in JSON." },
                "other": { "type": "string", "description": "Value that has no form in JSON." },
                "error": {
                    "type": "object",
                    "required": ["pointer", "message"],
                    "additionalProperties": false,
                    "properties": { "pointer": { "type": "string" }, "message": { "type": "string" } },
                },
                "not_evaluated": { "const": true },
                "element": { "type": "integer", "description": "Index of the element that it was evaluated for." },
                "elided": { "type": "integer", "description": "Children that are left out." },
                "children": { "type": "array", "items": generator.subschema_for::<Self>() },
            },
        })
    }
}

impl Explain {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let single = match self.input.read(explained)? {
            Ok(done) => return Ok(done),
            Err(single) => single,
        };
        let (explanation, report) = single.rule.explain(single.data()?.value());
        let found = report.has_errors();
        Ok(Success {
            found,
            ..Success::new(ExplainedExpression(explanation.to_value()), explanation.to_string()).report(report)
        })
    }
}

/// The explanation of one line; that the rule failed is part of it.
fn explained(program: &Program, data: &Value) -> Result<Value, LineError> {
    Ok(json!({ "explanation": program.explain(data).to_value() }))
}
