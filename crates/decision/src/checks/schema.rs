//! Schema: inputs and outputs are valid under the schemas that the spec names and the pack holds.

use super::Cx;
use crate::sheet::Sheet;
use deed_model::{CriticCheck, CriticVerdict, SchemaJudgement, SchemaStatus};
use deed_schema::Schema;
use serde_json::{Map, Value};

/// Violations that are listed of each document.
const MOST: usize = 20;

pub(crate) fn check(cx: Cx<'_>) -> (Sheet, SchemaJudgement) {
    let mut sheet = Sheet::of(CriticCheck::Schema);
    let (inputs, outputs) = match cx.spec {
        Some(spec) => (spec.inputs_schema_ref.as_deref(), spec.outputs_schema_ref.as_deref()),
        None => (None, None),
    };
    let judgement = SchemaJudgement {
        inputs: judge(cx, &mut sheet, "/inputs", inputs, &cx.claim.inputs),
        outputs: judge(cx, &mut sheet, "/outputs", outputs, &cx.claim.outputs),
    };
    (sheet, judgement)
}

fn judge(
    cx: Cx<'_>,
    sheet: &mut Sheet,
    pointer: &str,
    reference: Option<&str>,
    fields: &Map<String, Value>,
) -> SchemaStatus {
    let Some(reference) = reference else { return SchemaStatus::NotDeclared };
    let schemas = &cx.inputs.pack.decision_layer.schemas;
    let Some(schema) = reference.strip_prefix("schema://").and_then(|name| schemas.get(name)) else {
        sheet.note(pointer, format!("not checked: the pack does not hold `{reference}`"));
        return SchemaStatus::NotFound;
    };
    let value = Value::Object(fields.clone());
    let found = Schema::new(schema.clone()).and_then(|schema| {
        Ok(if schema.is_valid(&value)? { Vec::new() } else { schema.violations_up_to(&value, MOST)? })
    });
    match found {
        Err(refused) => {
            sheet.require(false, CriticVerdict::Escalate, pointer, || {
                format!("the schema `{reference}` cannot be used: {}", refused.message)
            });
            SchemaStatus::NotUsable
        }
        Ok(violations) => {
            let mut places = violations.iter();
            let first = places.next();
            sheet.require(first.is_none(), CriticVerdict::Replan, at(pointer, first), || words(first));
            for violation in places {
                sheet.require(false, CriticVerdict::Replan, at(pointer, Some(violation)), || words(Some(violation)));
            }
            SchemaStatus::Checked
        }
    }
}

fn at(pointer: &str, violation: Option<&deed_schema::Violation>) -> String {
    format!("{pointer}{}", violation.map(|violation| violation.pointer.as_str()).unwrap_or_default())
}

fn words(violation: Option<&deed_schema::Violation>) -> String {
    violation.map(|violation| violation.message.clone()).unwrap_or_default()
}
