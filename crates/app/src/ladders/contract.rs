//! Reads contracts and the other documents of ladders. Each is held to its schema first.

use super::schema;
use crate::error::AppError;
use crate::files;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, Report, Severity, codes};
use deed_ladder::{ContractFault, Ladder};
use deed_model::{LadderContract, schema_for};
use deed_schema::Shape;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;

/// Reads a document of one of our contracts, or reports everything that is wrong with it.
pub(super) fn read<T: DeserializeOwned + schemars::JsonSchema>(path: &Path) -> Result<(T, Document), AppError> {
    let document = files::document(path)?;
    Ok((parse(&document)?, document))
}

/// Turns a document into its type, or reports everything that is wrong with it.
pub(super) fn parse<T: DeserializeOwned + schemars::JsonSchema>(document: &Document) -> Result<T, AppError> {
    let findings = Shape::new(schema_for::<T>()).findings(document);
    if !findings.is_empty() {
        return Err(report_on(document, findings).into());
    }
    match serde_json::from_value(document.value().clone()) {
        Ok(value) => Ok(value),
        // JSON Schema cannot express the names of rungs and phases, or the form of hashes.
        Err(error) => {
            let message = error.to_string();
            let named = message.split('`').nth(1).and_then(|name| place_of(document.value(), name, ""));
            let place = named.map_or_else(|| document.place(""), |pointer| document.key_place(&pointer));
            let finding = Diagnostic::error(codes::LADDER_DOCUMENT_UNREADABLE, format!("it cannot be read: {message}"))
                .stage("ladder");
            Err(report_on(document, vec![finding.at(place)]).into())
        }
    }
}

/// Finds the pointer of a key with this name.
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

/// Reads a contract, with the schema of the operation that it names.
///
/// # Errors
/// A file cannot be read, or the contract is faulty.
pub(super) fn read_contract(path: &Path) -> Result<(LadderContract, Document), AppError> {
    let (mut contract, document) = read::<LadderContract>(path)?;
    schema::resolve(&mut contract, &document, path)?;
    Ok((contract, document))
}

/// Reads a contract and makes a ladder of it. The report has warnings about the contract.
///
/// # Errors
/// The file cannot be read, or the contract is faulty.
pub fn load(path: &Path) -> Result<(Ladder, Report), AppError> {
    let (contract, document) = read_contract(path)?;
    let diagnostic = |severity: Severity, fault: &ContractFault| {
        Diagnostic::new(severity, fault.code, fault.message.clone())
            .stage("ladder")
            .at(document.place(&fault.pointer))
            .help_opt(fault.help.clone())
    };
    match Ladder::new(contract) {
        Ok(ladder) => {
            let mut warnings = schema::idle(&document);
            warnings.extend(ladder.remarks().iter().map(|remark| diagnostic(Severity::Warning, remark)));
            Ok((ladder, report_on(&document, warnings)))
        }
        Err(faults) => {
            let errors = faults.iter().map(|fault| diagnostic(Severity::Error, fault)).collect();
            Err(report_on(&document, errors).into())
        }
    }
}

/// A report with the source that its findings are about.
pub(super) fn report_on(document: &Document, findings: Vec<Diagnostic>) -> Report {
    let mut report = Report::default();
    report.add_source(document.source().clone());
    findings.into_iter().for_each(|finding| report.push(finding));
    report
}
