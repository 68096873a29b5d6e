//! The schema of a contract: JSON Schema in the contract, or an operation of an API description beside it.

use super::contract::report_on;
use crate::error::AppError;
use crate::imprints;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, codes, did_you_mean, quote};
use deed_model::LadderContract;
use deed_schema::{IdleProblem, Part, idle_keywords};
use serde_json::Value;
use std::path::Path;

/// The keys of a schema that names an operation.
const KEYS: [&str; 3] = ["openapi", "operation", "part"];
/// The parts of a request, as they are written.
const PARTS: [(&str, Part); 2] = [("request", Part::Request), ("body", Part::Body)];
/// The form of a schema that names an operation.
const FORM: &str = "write `schema: { openapi: api.yaml, operation: ID, part: body }`";

/// Replaces a schema that names an operation of an API description by the schema of that operation.
///
/// # Errors
/// The schema names no operation, or the description cannot be read or lacks it.
pub(super) fn resolve(contract: &mut LadderContract, document: &Document, path: &Path) -> Result<(), AppError> {
    let Some(map) =
        contract.schema.as_object().filter(|map| map.contains_key("openapi") || map.contains_key("swagger"))
    else {
        return Ok(());
    };
    let refuse = |pointer: &str, message: String, help: String| -> AppError {
        let diagnostic = Diagnostic::error(codes::BAD_LADDER_CONTRACT, message).stage("ladder");
        report_on(document, vec![diagnostic.at(document.place(pointer)).help(help)]).into()
    };
    if map.contains_key("paths") {
        let message = "the schema is a whole API description, and a payload is a part of one request".to_owned();
        return Err(refuse("/schema", message, format!("put it into a file beside the contract, and {FORM}")));
    }
    if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let message = format!("unknown key {} in a schema that names an operation", quote(key));
        let help = did_you_mean(key, KEYS).unwrap_or_else(|| FORM.to_owned());
        return Err(refuse(&Pointer::push("/schema", key), message, help));
    }
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    let (Some(file), Some(operation)) = (text("openapi"), text("operation")) else {
        let message = "the schema must name the file of an API description and one of its operations".to_owned();
        return Err(refuse("/schema", message, FORM.to_owned()));
    };
    let part = match map.get("part") {
        None => Part::Request,
        Some(wanted) => match PARTS.iter().find(|(name, _)| wanted.as_str() == Some(name)) {
            Some((_, part)) => *part,
            None => {
                let message = format!("unknown part {} of a request", quote(&wanted.to_string()));
                return Err(refuse("/schema/part", message, "it is `body` or `request`".to_owned()));
            }
        },
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    contract.schema = imprints::standalone(&folder.join(file), operation, part)?;
    Ok(())
}

/// Warns of what a contract's schema was probably meant to state, and does not.
pub(super) fn idle(document: &Document) -> Vec<Diagnostic> {
    let Some(schema) = document.value().get("schema").filter(|schema| schema.get("openapi").is_none()) else {
        return Vec::new();
    };
    let warning = |pointer: &str, problem: &IdleProblem| match problem {
        IdleProblem::Misspelt { keyword, near } => {
            let message = format!("unknown schema keyword {}, which has no effect", quote(keyword));
            Diagnostic::warning(codes::SCHEMA_KEYWORD_MISSPELT, message)
                .at(document.key_place(&format!("/schema{pointer}")))
                .help(format!("did you mean `{near}`?"))
        }
        IdleProblem::StatesNothing => {
            let message = "the schema has no keyword that states anything, so it accepts every payload";
            Diagnostic::warning(codes::SCHEMA_STATES_NOTHING, message)
                .at(document.place("/schema"))
                .help(format!("write a JSON Schema; for an operation of an API description, {FORM}"))
        }
    };
    idle_keywords(schema).iter().map(|idle| warning(&idle.pointer, &idle.problem).stage("ladder")).collect()
}
