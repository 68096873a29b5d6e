//! The payload of an artifact on the ladder of its rule.

use super::findings::Findings;
use super::{Artifact, ArtifactSchema, rows};
use deed_canon::{to_canonical, to_canonical_of};
use deed_diag::{Document, Format, codes};
use deed_ladder::{Climbed, Input, Ladder, climb};
use deed_model::{LadderChange, LadderOutcome, Proposals, ReadAs, SchemaSource, ValidationRule};
use serde_json::{Value, json};

/// A payload that was corrected.
pub(super) struct CorrectedPayload {
    /// The corrected payload, in canonical form.
    pub(super) bytes: Vec<u8>,
    /// The report, in canonical form.
    pub(super) report: Vec<u8>,
    pub(super) changes: usize,
    /// The first change, in words.
    pub(super) first: String,
}

/// Sends the payload up the ladder of its rule. Returns the corrected payload, if it is accepted with changes.
pub(super) fn payload(
    rule: &ValidationRule,
    own: Option<&Ladder>,
    artifact: &Artifact<'_>,
    bytes: &[u8],
    findings: &mut Findings,
) -> Option<CorrectedPayload> {
    let own = own?;
    let held = match held(rule, own, artifact) {
        Ok(held) => held,
        Err(why) => {
            findings.unreadable("schema", format!("the schema of the artifact cannot be used: {why}"));
            return None;
        }
    };
    let ladder = held.as_ref().unwrap_or(own);
    let Ok(text) = std::str::from_utf8(bytes) else {
        findings.unreadable(rule.read_as.as_str(), "it is not UTF-8 text".to_owned());
        return None;
    };
    match rule.read_as {
        ReadAs::Json => json_value(ladder, artifact, text, findings),
        ReadAs::Yaml => {
            match Document::read(artifact.path, bytes, Format::Yaml) {
                Ok(document) => compared(ladder, artifact, document.value(), None, findings),
                Err(report) => {
                    let why = report.diagnostics().first().map_or("unknown error", |found| found.message.as_str());
                    findings.unreadable("yaml", format!("it cannot be read as YAML: {why}"));
                }
            }
            None
        }
        ReadAs::CsvRows | ReadAs::TsvRows => {
            rows::each(rule.read_as, bytes, findings, |row, value, findings| {
                compared(ladder, artifact, value, Some(row), findings);
            });
            None
        }
        ReadAs::Html | ReadAs::Text | ReadAs::Bytes => None,
    }
}

/// The ladder over the schema of the artifact, where the rule takes that; none where it takes its own.
pub(super) fn held(rule: &ValidationRule, own: &Ladder, artifact: &Artifact<'_>) -> Result<Option<Ladder>, String> {
    let schema = artifact.schema.filter(|_| rule.schema_from == SchemaSource::Artifact);
    schema.map(|schema| with_schema(own, rule.read_as, schema)).transpose()
}

/// The contract of a ladder over another schema.
fn with_schema(own: &Ladder, read_as: ReadAs, of: ArtifactSchema<'_>) -> Result<Ladder, String> {
    let by_row = matches!(read_as, ReadAs::CsvRows | ReadAs::TsvRows);
    let schema = match of.of_rows && !by_row {
        true => json!({ "type": "array", "items": of.schema }),
        false => of.schema.clone(),
    };
    let mut contract = own.contract().clone();
    contract.schema = schema;
    Ladder::new(contract)
        .map_err(|faults| faults.first().map_or_else(|| "it has no ladder".to_owned(), |fault| fault.message.clone()))
}

/// Climbs with a text, and returns the payload if it was accepted with changes.
fn json_value(
    ladder: &Ladder,
    artifact: &Artifact<'_>,
    text: &str,
    findings: &mut Findings,
) -> Option<CorrectedPayload> {
    let none = Proposals::default();
    let proposals = artifact.proposed.map_or(&none, |proposed| proposed.proposals);
    let Climbed { payload, report } = climb(ladder, Input::Text(text), artifact.phase, proposals);
    report.findings.iter().for_each(|found| findings.of_rung(found, None));
    let accepted = report.outcome == LadderOutcome::Accepted;
    let payload = payload.filter(|_| accepted && !report.changes.is_empty())?;
    // To write the payload anew would write another number.
    if report.findings.iter().any(|found| found.code == codes::NUMBER_ROUNDED.as_str()) {
        findings.not_corrected("json", None, report.changes.len(), &first(&report.changes));
        return None;
    }
    match (to_canonical(&payload), to_canonical_of(&report)) {
        (Ok(bytes), Ok(record)) => {
            let (changes, first) = (report.changes.len(), first(&report.changes));
            Some(CorrectedPayload { bytes, report: record, changes, first })
        }
        (Err(error), _) | (_, Err(error)) => {
            findings.unreadable("json", format!("the corrected payload has no canonical form: {error}"));
            None
        }
    }
}

/// Climbs with a value that is not rewritten: changes that it would need are findings. How a cell of a table is written is
/// the notation of the table, so reading a number from it is no change.
fn compared(ladder: &Ladder, artifact: &Artifact<'_>, value: &Value, row: Option<u64>, findings: &mut Findings) {
    let report = climb(ladder, Input::Value(value), artifact.phase, &Proposals::default()).report;
    report.findings.iter().for_each(|found| findings.of_rung(found, row));
    let notation = |change: &&LadderChange| row.is_some() && change.rule == "read_scalar";
    let changes: Vec<LadderChange> = report.changes.iter().filter(|change| !notation(change)).cloned().collect();
    if report.outcome == LadderOutcome::Accepted && !changes.is_empty() {
        findings.not_corrected(if row.is_some() { "rows" } else { "yaml" }, row, changes.len(), &first(&changes));
    }
}

/// The first change in words, without its values.
fn first(changes: &[LadderChange]) -> String {
    let words = |change: &LadderChange| {
        let at = change.patch.first().map_or("", |operation| operation.path());
        let at = if at.is_empty() { String::new() } else { format!(" at {at}") };
        format!("{} {}{at}", change.rung, change.rule)
    };
    changes.first().map_or_else(String::new, words)
}
