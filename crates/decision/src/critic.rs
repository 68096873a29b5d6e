//! The critic: ten checks of a decision, one verdict, one record.
//!
//! Enters: a draft or a record, and everything that governs it. Leaves: the record with status, scores, id and hash, and
//! the critique. Must prove: the strictest finding is the verdict, and the same inputs give the same bytes.

use crate::bindings::Approved;
use crate::checks::{self, Cx};
use crate::claim::Claim;
use crate::inputs::CriticInputs;
use crate::seal;
use deed_canon::CanonError;
use deed_model::{
    CheckScore, CriticFinding, CriticVerdict, Critique, DecisionDraft, DecisionRecord, DecisionStatus, Scorecard,
};

/// A judged decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The record.
    pub record: DecisionRecord,
    /// The judgement.
    pub critique: Critique,
}

/// Judges a drafted decision. What the draft leaves out of what the context decided is taken from the context.
///
/// # Errors
/// If the draft has no canonical form.
pub fn critique(draft: &DecisionDraft, inputs: CriticInputs<'_>) -> Result<Judged, CanonError> {
    judge(Claim::of_draft(draft, inputs.context), inputs)
}

/// Judges what a record claims once more. A record that is as the critic made it comes out the same.
///
/// # Errors
/// If the record has no canonical form.
pub fn recheck(record: &DecisionRecord, inputs: CriticInputs<'_>) -> Result<Judged, CanonError> {
    judge(Claim::of_record(record), inputs)
}

fn judge(claim: Claim, inputs: CriticInputs<'_>) -> Result<Judged, CanonError> {
    let approved = Approved::of(&claim, inputs)?;
    let cx = Cx::new(&claim, inputs, &approved);
    let (schema, schemas) = checks::schema(cx);
    let sheets = [
        checks::lineage(cx),
        checks::decision(cx),
        schema,
        checks::outcome(cx),
        checks::evidence(cx),
        checks::policy(cx),
        checks::controls(cx),
        checks::approvals(cx),
        checks::authority(cx),
        checks::identity(cx),
    ];
    let (scores, findings): (Vec<CheckScore>, Vec<Vec<CriticFinding>>) =
        sheets.into_iter().map(|sheet| sheet.finish()).unzip();
    let findings: Vec<CriticFinding> = findings.into_iter().flatten().collect();
    let verdict = findings.iter().map(|finding| finding.verdict).max().unwrap_or(CriticVerdict::Accept);
    let record = seal::record(claim, status(verdict), scorecard(scores))?;
    let critique = Critique { as_of: inputs.as_of.to_string(), findings, schemas, verdict };
    Ok(Judged { record, critique })
}

fn status(verdict: CriticVerdict) -> DecisionStatus {
    match verdict {
        CriticVerdict::Accept => DecisionStatus::Accepted,
        CriticVerdict::Replan => DecisionStatus::Returned,
        CriticVerdict::Escalate => DecisionStatus::Escalated,
        CriticVerdict::Reject => DecisionStatus::Rejected,
    }
}

fn scorecard(checks: Vec<CheckScore>) -> Scorecard {
    let passed: u64 = checks.iter().map(|score| score.passed).sum();
    let of: u64 = checks.iter().map(|score| score.of).sum();
    Scorecard { per_mille: (passed * 1_000).checked_div(of).unwrap_or(0), checks }
}
