//! Translates a document from one schema to another.

use super::contract::{read, read_contract};
use crate::error::AppError;
use crate::files;
use crate::imprints::foreign;
use deed_detect::{Guard, Secrets};
use deed_diag::{Diagnostic, Invariant as _, Place, Report, codes};
use deed_ladder::{TranslateError, Translated, Translation};
use deed_model::LadderMapping;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A document, its schema, and the schema that it is translated to.
#[derive(Debug, Clone, Default)]
pub struct MapRequest {
    /// The document (JSON or YAML).
    pub document: PathBuf,
    /// The schema of the document.
    pub from: PathBuf,
    /// The schema to translate to; otherwise the schema of the contract.
    pub to: Option<PathBuf>,
    /// The ladder contract for the result.
    pub contract: Option<PathBuf>,
    /// The mapping of fields.
    pub mapping: Option<PathBuf>,
    /// Synonyms: an object from a path or name of the old schema to one of the new.
    pub synonyms: Option<PathBuf>,
}

/// A document in another vocabulary.
#[derive(Debug)]
pub struct MappedDocument {
    /// The document, and where each field went.
    pub translated: Translated,
    /// True if the document holds a secret: then neither its names nor its values may be shown in messages.
    pub holds_secret: bool,
}

/// Translates a document.
///
/// # Errors
/// A file cannot be read, a schema is refused, or the document is not one of its own schema.
pub fn map(request: &MapRequest) -> Result<MappedDocument, AppError> {
    let from = foreign(&request.from)?;
    let contract = request.contract.as_deref().map(read_contract).transpose()?.map(|(contract, _)| contract);
    let to = match (&request.to, &contract) {
        (Some(to), _) => foreign(to)?,
        (None, Some(contract)) => contract.schema.clone(),
        (None, None) => {
            let message = "there is no schema to translate to";
            let diagnostic = Diagnostic::error(codes::USAGE, message).stage("usage");
            return Err(AppError::usage(diagnostic.help("name it with `--to`, or a contract with `--contract`")));
        }
    };
    let mapping = request.mapping.as_deref().map(read::<LadderMapping>).transpose()?.map(|(mapping, _)| mapping);
    let synonyms = request.synonyms.as_deref().map(synonyms).transpose()?.unwrap_or_default();
    let document = files::document(&request.document)?;
    let guard = Guard::new(Secrets::Sought, &[], Vec::new());
    let holds_secret = holds_secret(&guard, None, document.value());
    let translation = Translation { from, to, synonyms, mapping: mapping.unwrap_or_default(), contract };
    let translated = translation.apply(document.value()).map_err(|error| request.refusal(error, holds_secret))?;
    Ok(MappedDocument { translated, holds_secret })
}

fn synonyms(path: &Path) -> Result<BTreeMap<String, String>, AppError> {
    let document = files::document(path)?;
    let pairs = document.value().as_object().and_then(|map| {
        map.iter().map(|(from, to)| Some((from.clone(), to.as_str()?.to_owned()))).collect::<Option<BTreeMap<_, _>>>()
    });
    pairs.ok_or_else(|| {
        AppError::refused(
            Diagnostic::error(codes::BAD_SYNONYMS, "synonyms are an object from text to text")
                .stage("ladder")
                .at(document.place("")),
        )
    })
}

impl MapRequest {
    fn refusal(&self, error: TranslateError, holds_secret: bool) -> AppError {
        let file = |path: &PathBuf| Place::file(path.display().to_string());
        let refused = |code, message: String, place: Place| {
            AppError::refused(Diagnostic::error(code, message).stage("ladder").at(place))
        };
        match error {
            TranslateError::Schema { which, refused: reason } => {
                let place = if which == "from" { file(&self.from) } else { self.target() };
                let message = format!("the schema is refused ({}): {}", reason.reason, reason.message);
                refused(codes::SCHEMA_NOT_MAPPABLE, message, place)
            }
            TranslateError::NotOfItsSchema(faults) => {
                let mut report = Report::default();
                let faults = match holds_secret {
                    true => vec![format!("{} faults, not shown because the document holds a secret", faults.len())],
                    false => faults,
                };
                for fault in faults {
                    let message = format!("the document is not of its own schema: {fault}");
                    let diagnostic = Diagnostic::error(codes::DOCUMENT_NOT_OF_ITS_SCHEMA, message);
                    report.push(diagnostic.stage("ladder").at(file(&self.document)));
                }
                report.into()
            }
            TranslateError::NotAnObject => {
                let message = "only documents that are objects are translated".to_owned();
                refused(codes::DOCUMENT_NOT_OF_ITS_SCHEMA, message, file(&self.document))
            }
            TranslateError::Synonyms(message) => {
                let diagnostic = Diagnostic::error(codes::BAD_SYNONYMS, message).stage("ladder");
                AppError::refused(match self.mapping.as_ref().or(self.synonyms.as_ref()) {
                    Some(rules) => diagnostic.at(file(rules)),
                    None => diagnostic,
                })
            }
            TranslateError::OtherSchema => AppError::refused(
                Diagnostic::error(codes::CONTRACT_OF_OTHER_SCHEMA, "the contract is of another schema than `--to`")
                    .stage("ladder")
                    .at(self.target())
                    .help("leave `--to` out to use the contract's own schema"),
            ),
            TranslateError::Contract(faults) => {
                let mut report = Report::default();
                for fault in faults {
                    let diagnostic = Diagnostic::error(codes::SCHEMA_NOT_MAPPABLE, fault.message).stage("ladder");
                    report.push(diagnostic.at(self.target()).help_opt(fault.help));
                }
                report.into()
            }
        }
    }

    /// The file of the schema that the document is translated to.
    fn target(&self) -> Place {
        let path = self.to.as_ref().or(self.contract.as_ref());
        let path = path.invariant("a request without a schema to translate to is refused first");
        Place::file(path.display().to_string())
    }
}

/// Searches all names and texts of a value for secrets.
fn holds_secret(guard: &Guard, key: Option<&str>, value: &Value) -> bool {
    match value {
        Value::String(text) => !guard.scan_value(key, text).is_empty(),
        Value::Array(items) => items.iter().any(|item| holds_secret(guard, key, item)),
        Value::Object(map) => map
            .iter()
            .any(|(name, inner)| !guard.scan_value(None, name).is_empty() || holds_secret(guard, Some(name), inner)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
