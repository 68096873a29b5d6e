//! `deed ladder map`: a document carried from one vocabulary to another.

use super::given::read;
use crate::commands::imprint::foreign;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_detect::{Guard, Secrets};
use deed_diag::{Diagnostic, Place, Report, codes};
use deed_ladder::{Placed, TranslateError, Translated, Translation, Unplaced};
use deed_model::{LadderContract, LadderMapping, LadderOutcome, LadderReport};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Translate a document from one schema to another, and list what found no place.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed ladder map --from shopify.schema.json --to stripe.schema.json order.json")]
pub(crate) struct Map {
    /// Schema of the document.
    #[arg(long, value_name = "SCHEMA_A")]
    from: PathBuf,
    /// Schema to translate to [default: the schema of `--contract`].
    #[arg(long, value_name = "SCHEMA_B", required_unless_present = "contract")]
    to: Option<PathBuf>,
    /// Ladder contract for the result: transforms, defaults, rules (JSON or YAML).
    #[arg(long, value_name = "CONTRACT")]
    contract: Option<PathBuf>,
    /// Mapping of fields, with conversions of scales, units and dates (JSON or YAML).
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Synonyms: an object from a path or name of the old schema to one of the new.
    #[arg(long, value_name = "FILE")]
    synonyms: Option<PathBuf>,
    /// Document to translate (JSON or YAML).
    #[arg(value_name = "DOC")]
    document: PathBuf,
}

/// A document in another vocabulary.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MappedDocument {
    /// The document; null where it was rejected.
    document: Option<Value>,
    /// Where each field went.
    placed: Vec<Placed>,
    /// Fields that found no place.
    unplaced: Vec<Unplaced>,
    /// Required places that stayed empty.
    missing: Vec<String>,
    /// The record of the ladder.
    report: LadderReport,
}

impl Map {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let from = foreign(&self.from)?;
        let contract = self.contract.as_deref().map(read::<LadderContract>).transpose()?.map(|(contract, _)| contract);
        let to = match (&self.to, &contract) {
            (Some(to), _) => foreign(to)?,
            (None, Some(contract)) => contract.schema.clone(),
            (None, None) => return Err(AppError::internal("clap asks for `--to` without `--contract`")),
        };
        let mapping = self.mapping.as_deref().map(read::<LadderMapping>).transpose()?.map(|(mapping, _)| mapping);
        let (synonyms, mapping) = (self.synonyms()?, mapping.unwrap_or_default());
        let document = files::document(&self.document)?;
        // Names and values are told only where there is nothing in the document that must not be.
        let guard = Guard::new(Secrets::Sought, &[], Vec::new());
        let quiet = holds_something(&guard, None, document.value());
        let translation = Translation { from, to, synonyms, mapping, contract };
        let translated = translation.apply(document.value()).map_err(|error| self.refused(error, quiet))?;
        Ok(said(translated, quiet))
    }

    fn synonyms(&self) -> Result<BTreeMap<String, String>, AppError> {
        let Some(path) = &self.synonyms else { return Ok(BTreeMap::new()) };
        let document = files::document(path)?;
        let pairs = document.value().as_object().and_then(|map| {
            map.iter()
                .map(|(from, to)| Some((from.clone(), to.as_str()?.to_owned())))
                .collect::<Option<BTreeMap<_, _>>>()
        });
        pairs.ok_or_else(|| {
            AppError::refused(
                Diagnostic::error(codes::BAD_SYNONYMS, "synonyms are an object from text to text")
                    .stage("ladder")
                    .at(document.place("")),
            )
        })
    }

    fn refused(&self, error: TranslateError, quiet: bool) -> AppError {
        let file = |path: &PathBuf| Place::file(path.display().to_string());
        match error {
            TranslateError::Schema { which, refused } => {
                let place = if which == "from" { file(&self.from) } else { self.target() };
                let message = format!("the schema is refused ({}): {}", refused.reason, refused.message);
                AppError::refused(Diagnostic::error(codes::SCHEMA_NOT_MAPPABLE, message).stage("ladder").at(place))
            }
            TranslateError::NotOfItsSchema(faults) => {
                let mut report = Report::default();
                let faults = if quiet {
                    vec![format!("{} faults, not shown for what may stand in them", faults.len())]
                } else {
                    faults
                };
                for fault in faults {
                    let diagnostic = Diagnostic::error(
                        codes::DOCUMENT_NOT_OF_ITS_SCHEMA,
                        format!("the document is not of its own schema: {fault}"),
                    );
                    report.push(diagnostic.stage("ladder").at(file(&self.document)));
                }
                report.into()
            }
            TranslateError::NotAnObject => AppError::refused(
                Diagnostic::error(
                    codes::DOCUMENT_NOT_OF_ITS_SCHEMA,
                    "only documents that are objects are carried over",
                )
                .stage("ladder")
                .at(file(&self.document)),
            ),
            TranslateError::Synonyms(message) => {
                let rules = self.mapping.as_ref().or(self.synonyms.as_ref());
                let diagnostic = Diagnostic::error(codes::BAD_SYNONYMS, message).stage("ladder");
                AppError::refused(match rules {
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
                let message = faults.first().map_or_else(String::new, |fault| fault.message.clone());
                AppError::refused(
                    Diagnostic::error(codes::SCHEMA_NOT_MAPPABLE, message).stage("ladder").at(self.target()),
                )
            }
        }
    }
}

impl Map {
    /// The file of the schema that the document is wanted in.
    fn target(&self) -> Place {
        let path = self.to.as_ref().or(self.contract.as_ref());
        Place::file(path.map(|path| path.display().to_string()).unwrap_or_default())
    }
}

/// Whether a guard finds anything in a value.
fn holds_something(guard: &Guard, key: Option<&str>, value: &Value) -> bool {
    match value {
        Value::String(text) => !guard.scan_value(key, text).is_empty(),
        Value::Array(items) => items.iter().any(|item| holds_something(guard, key, item)),
        Value::Object(map) => map
            .iter()
            .any(|(name, inner)| !guard.scan_value(None, name).is_empty() || holds_something(guard, Some(name), inner)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn said(translated: Translated, quiet: bool) -> Success {
    let Translated { document, placed, unplaced, missing, report } = translated;
    let whole = report.outcome == LadderOutcome::Accepted && missing.is_empty();
    let mut remark = format!("{} placed, {} unplaced, {} missing", placed.len(), unplaced.len(), missing.len());
    let (placed_shown, unplaced_shown, findings_shown) =
        if quiet { (&[][..], &[][..], &[][..]) } else { (&placed[..], &unplaced[..], &report.findings[..]) };
    for place in placed_shown {
        let _ = write!(remark, "\n  {} → {}  {} ({})", place.from, place.to, place.rule, place.confidence);
        if !place.converted.is_empty() {
            let _ = write!(remark, ", {}", place.converted.join(", "));
        }
    }
    for place in unplaced_shown {
        let _ = write!(remark, "\n  {} left out: {}", place.from, place.reason);
    }
    for place in &missing {
        let _ = write!(remark, "\n  {place} is required, and nothing was found for it");
    }
    for finding in findings_shown {
        let at = if finding.pointer.is_empty() { "the document" } else { &finding.pointer };
        let _ = write!(remark, "\n  {at}: {}", finding.message);
    }
    let shown = document.clone().unwrap_or(Value::Null);
    let text = serde_json::to_string_pretty(&shown).unwrap_or_default() + "\n";
    let data = MappedDocument { document, placed, unplaced, missing, report };
    let mut success = Success::new(data, text).remark(remark);
    success.found = !whole;
    success
}
