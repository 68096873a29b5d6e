//! `deed ladder map`: a document translated from one schema to another.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::ladders::{self, MapRequest, map};
use deed_ladder::{Placed, Translated, Unplaced};
use deed_model::{LadderOutcome, LadderReport};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Translate a document from one schema to another, and list the fields without a counterpart.
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
    /// The place of each field in the new document.
    placed: Vec<Placed>,
    /// Fields without a counterpart.
    unplaced: Vec<Unplaced>,
    /// Required places that stay empty.
    missing: Vec<String>,
    /// The record of the ladder.
    report: LadderReport,
}

impl Map {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let mapped = map(&MapRequest {
            document: self.document.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
            contract: self.contract.clone(),
            mapping: self.mapping.clone(),
            synonyms: self.synonyms.clone(),
        })?;
        shown(mapped)
    }
}

fn shown(mapped: ladders::MappedDocument) -> Result<Success, AppError> {
    // Names and values appear in messages only if the document holds no secret.
    let (translated, quiet) = (mapped.translated, mapped.holds_secret);
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
    let text = serde_json::to_string_pretty(&document).map_err(AppError::internal)? + "\n";
    let data = MappedDocument { document, placed, unplaced, missing, report };
    let mut success = Success::new(data, text).document().remark(remark);
    success.found = !whole;
    Ok(success)
}
