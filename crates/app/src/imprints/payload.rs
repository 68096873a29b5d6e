//! Fills templates with payloads, joins filled parts, and lowers filled templates to payloads.

use super::near::near_keys;
use super::source::SchemaSource;
use crate::error::AppError;
use crate::files;
use deed_diag::{Diagnostic, Place, Report, codes, quote};
use deed_imprint::{Filled, Supplied};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Fills the template of a schema with a payload, as a model would have to write it.
///
/// # Errors
/// A file cannot be read, or the schema is refused.
pub fn fill(source: &SchemaSource, payload: &Path) -> Result<Filled, AppError> {
    let imprint = source.load()?;
    Ok(imprint.fill(files::document(payload)?.value()))
}

/// A payload that is valid under its schema.
#[derive(Debug, Clone)]
pub struct LoweredPayload {
    /// The payload.
    pub payload: Value,
    /// Optional places that were left untouched, and are left out.
    pub dropped: Vec<String>,
    /// Warnings about keys that the schema lets pass, and that resemble declared ones.
    pub warnings: Report,
}

/// Turns a filled template into a payload. `supplied` is a file with the values of `AUTO` places.
///
/// # Errors
/// A file cannot be read, the schema is refused, or the filled template is faulty: the report has all faults.
pub fn lower(source: &SchemaSource, filled: &Path, supplied: Option<&Path>) -> Result<LoweredPayload, AppError> {
    let imprint = source.load()?;
    let supplied = supplied.map(supplied_values).transpose()?.unwrap_or_default();
    let document = files::document(filled)?;
    let lowered = imprint.lower(document.value(), &supplied);
    if let Some(payload) = lowered.payload {
        let warnings = near_keys(&imprint, &payload, &document);
        return Ok(LoweredPayload { payload, dropped: lowered.dropped, warnings });
    }
    let mut report = Report::default();
    report.add_source(document.source().clone());
    let mut findings: Vec<Diagnostic> = lowered.findings.iter().map(|finding| finding.diagnostic(&document)).collect();
    findings.sort_by_key(|finding| finding.place.as_ref().and_then(|place| place.span));
    findings.into_iter().for_each(|finding| report.push(finding));
    Err(report.into())
}

fn supplied_values(path: &Path) -> Result<Supplied, AppError> {
    let document = files::document(path)?;
    match document.value().as_object() {
        Some(map) => Ok(map.iter().map(|(pointer, value)| (pointer.clone(), value.clone())).collect()),
        None => Err(AppError::refused(
            Diagnostic::error(
                codes::BAD_SUPPLIED_VALUES,
                "values for `AUTO` places are an object from JSON pointer to value",
            )
            .stage("imprint")
            .at(document.place("")),
        )),
    }
}

/// A filled section of a template that was split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The name of the section, such as `/lines`.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
}

/// Joins filled sections with the filled spine that they were split from.
///
/// # Errors
/// A file cannot be read, a section is given twice, or the parts do not belong together.
pub fn join(spine: &Path, sections: &[Section]) -> Result<Value, AppError> {
    let mut parts: BTreeMap<String, Value> = BTreeMap::new();
    parts.insert(String::new(), files::document(spine)?.value().clone());
    for section in sections {
        let part = files::document(&section.file)?.value().clone();
        if parts.insert(section.name.clone(), part).is_some() {
            let message = format!("the section {} is given twice", quote(&section.name));
            return Err(AppError::usage(Diagnostic::error(codes::BAD_SECTION, message).stage("imprint")));
        }
    }
    deed_imprint::join(&parts).map_err(|error| {
        AppError::refused(
            Diagnostic::error(codes::CANNOT_JOIN, error.to_string())
                .stage("imprint")
                .at(Place::file(spine.display().to_string()))
                .help("leave the `{…|section|of:…}` token of the spine as it is, and name sections as they were named"),
        )
    })
}
