//! Documents that ladder commands are given, each held to its schema before it is read.

use deed_app::AppError;
use deed_app::files;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, Report, Severity, codes};
use deed_ladder::{ContractFault, Ladder};
use deed_model::{LadderContract, schema_for};
use deed_schema::Shape;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;

/// Reads a document of a contract of ours, all that is wrong with it at once.
pub(super) fn read<T: DeserializeOwned + schemars::JsonSchema>(path: &Path) -> Result<(T, Document), AppError> {
    let document = files::document(path)?;
    Ok((parse(&document)?, document))
}

/// The same for a document that was read.
pub(super) fn parse<T: DeserializeOwned + schemars::JsonSchema>(document: &Document) -> Result<T, AppError> {
    let findings = Shape::new(schema_for::<T>()).findings(document);
    if !findings.is_empty() {
        return Err(report(document, findings));
    }
    match serde_json::from_value(document.value().clone()) {
        Ok(value) => Ok(value),
        // What a schema of JSON Schema cannot say: names of rungs and phases, and the form of hashes.
        Err(error) => {
            let words = error.to_string();
            let named = words.split('`').nth(1).and_then(|name| place_of(document.value(), name, ""));
            let place = named.map_or_else(|| document.place(""), |pointer| document.key_place(&pointer));
            let finding = Diagnostic::error(codes::LADDER_DOCUMENT_UNREADABLE, format!("it cannot be read: {words}"))
                .stage("ladder");
            Err(report(document, vec![finding.at(place)]))
        }
    }
}

/// Where a key, or a text, of this name stands.
fn place_of(value: &Value, name: &str, at: &str) -> Option<String> {
    match value {
        Value::Object(map) => map.iter().find_map(|(key, inner)| {
            let here = Pointer::push(at, key);
            if key == name { Some(here) } else { place_of(inner, name, &here) }
        }),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(index, inner)| place_of(inner, name, &format!("{at}/{index}")))
        }
        _ => None,
    }
}

/// Reads a contract and makes it ready.
pub(super) fn ladder(path: &Path) -> Result<Ladder, AppError> {
    Ok(checked(path)?.0)
}

/// The same, with all that is odd about it.
pub(super) fn checked(path: &Path) -> Result<(Ladder, Report), AppError> {
    let (contract, document) = read::<LadderContract>(path)?;
    let told = |severity: Severity, fault: &ContractFault| {
        Diagnostic::new(severity, fault.code, fault.message.clone())
            .stage("ladder")
            .at(document.place(&fault.pointer))
            .help_opt(fault.help.clone())
    };
    match Ladder::new(contract) {
        Ok(ladder) => {
            let remarks = ladder.remarks().iter().map(|remark| told(Severity::Warning, remark)).collect();
            Ok((ladder, listed(&document, remarks)))
        }
        Err(faults) => Err(report(&document, faults.iter().map(|fault| told(Severity::Error, fault)).collect())),
    }
}

fn report(document: &Document, findings: Vec<Diagnostic>) -> AppError {
    listed(document, findings).into()
}

fn listed(document: &Document, findings: Vec<Diagnostic>) -> Report {
    let mut report = Report::default();
    report.add_source(document.source().clone());
    findings.into_iter().for_each(|finding| report.push(finding));
    report
}
