//! Reads drafted decisions and approvals.

use crate::error::AppError;
use crate::files;
use deed_detect::SecretScanner;
use deed_diag::{Diagnostic, Document, Place, Report, codes};
use deed_model::{DecisionDraft, SignedApproval, schema_for};
use deed_schema::Shape;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;

/// Reads a drafted decision. One that holds a secret is refused before anything of it is shown: the log would keep it.
pub(super) fn draft(path: &Path) -> Result<(DecisionDraft, Document), AppError> {
    let document = files::document(path)?;
    without_secrets(&document)?;
    let draft = typed::<DecisionDraft>(
        &document,
        "a drafted decision",
        "an example is `examples/decision.yaml` of the support pack",
    )?;
    Ok((draft, document))
}

/// Reads an approval, as `deed decision approve` writes it.
pub(super) fn approval(path: &Path) -> Result<SignedApproval, AppError> {
    let document = files::document(path)?;
    without_secrets(&document)?;
    typed(&document, "an approval", "`deed decision approve --out FILE` writes one")
}

fn typed<T: DeserializeOwned + JsonSchema>(document: &Document, what: &str, help: &str) -> Result<T, AppError> {
    let mut report = Report::default();
    report.add_source(document.source().clone());
    let findings = Shape::new(schema_for::<T>()).findings(document);
    let read = T::deserialize(document.value());
    match (findings.is_empty(), read) {
        (true, Ok(value)) => return Ok(value),
        (true, Err(error)) => {
            let message = format!("this is not {what}: {error}");
            let diagnostic = Diagnostic::error(codes::BAD_DECISION, message).stage("decision");
            report.push(diagnostic.at(document.place("")).help(help));
        }
        (false, _) => findings.into_iter().for_each(|finding| report.push(finding.stage("decision"))),
    }
    Err(report.into())
}

/// Refuses a document with a secret. The finding has a place and no snippet.
fn without_secrets(document: &Document) -> Result<(), AppError> {
    let Some(pointer) = secret_at(document.value(), "") else { return Ok(()) };
    let place = Place { pointer: Some(pointer), ..Place::file(document.source().name()) };
    Err(AppError::refused(
        Diagnostic::error(codes::DECISION_HOLDS_SECRET, "it holds a secret, and the log would keep it forever")
            .stage("decision")
            .at(place)
            .help("refer to the data by its evidence reference; if the secret is a real one, treat it as leaked"),
    ))
}

/// Returns the place of the first text with a secret. A name that is one is not repeated.
fn secret_at(value: &Value, at: &str) -> Option<String> {
    let holds = |text: &str| !SecretScanner::standard().scan(text).is_empty();
    match value {
        Value::String(text) => holds(text).then(|| at.to_owned()),
        Value::Array(items) => items.iter().enumerate().find_map(|(i, item)| secret_at(item, &format!("{at}/{i}"))),
        Value::Object(members) => members.iter().find_map(|(name, member)| match holds(name) {
            true => Some(at.to_owned()),
            // A text counts with its name: `password: …` is a secret, and the text alone may not be.
            false if member.as_str().is_some_and(|text| holds(&format!("{name}: {text}"))) => {
                Some(format!("{at}/{name}"))
            }
            false => secret_at(member, &format!("{at}/{name}")),
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}
