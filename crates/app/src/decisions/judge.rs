//! Judges a drafted decision against the recorded compile that it was made from.

use super::draft::{approval, draft};
use super::journal;
use crate::contexts;
use crate::error::AppError;
use crate::keys;
use crate::registry::checked_time;
use crate::session::Session;
use deed_canon::{ContentHash, PublicKey, timestamp, to_canonical};
use deed_context::{Hydrations, Reopened, reopen};
use deed_decision::{CriticInputs, Judged, critique};
use deed_diag::{Diagnostic, Document, Report, codes};
use deed_model::{
    ContextPack, CriticVerdict, Critique, DECISION_CASE_FORMAT, DecisionCase, DecisionDraft, ReplayBundle, RunEvidence,
    SignedApproval,
};
use jiff::Timestamp;
use serde::Deserialize as _;
use std::path::PathBuf;
use tracing::info_span;

/// A drafted decision, and what it is judged with.
#[derive(Debug, Clone, Default)]
pub struct JudgeRequest {
    /// The draft.
    pub decision: PathBuf,
    /// The recorded compile that it was made from.
    pub context: PathBuf,
    /// Approvals besides those in the draft.
    pub approvals: Vec<PathBuf>,
    /// The run that it belongs to, if it is in the journal: its name, a unique prefix of it, or `last`.
    pub run: Option<String>,
    /// The step of the run's plan, where the draft names none.
    pub step: Option<String>,
    /// The instant that expiry is judged at, as RFC 3339; otherwise the session's time.
    pub as_of: Option<String>,
}

/// A judged decision, ready to be recorded.
#[derive(Debug)]
pub struct JudgedDecision {
    /// The record, the judgement, and what they are derived from.
    pub case: DecisionCase,
    /// The recorded compile, as canonical bytes.
    pub recording: Vec<u8>,
    /// The findings, with their places in the draft.
    pub report: Report,
    /// The origin that the recorded compile states for its pack.
    pub(super) bundle: ReplayBundle,
}

/// Judges a drafted decision.
///
/// # Errors
/// The draft or the recording cannot be read, the recording does not compile to what it records, or the run is unknown.
/// A verdict other than `accept` is no error.
pub fn judge(session: &Session, request: &JudgeRequest) -> Result<JudgedDecision, AppError> {
    let _span = info_span!("judge decision").entered();
    let as_of = instant(session, request.as_of.as_deref())?;
    let (mut draft, document) = draft(&request.decision)?;
    for path in &request.approvals {
        draft.approvals.push(approval(path)?);
    }
    place_in_run(&mut draft, &document, request.step.as_deref())?;
    let run = request.run.as_deref().map(|name| journal::of_run(session, name)).transpose()?;
    let archived = contexts::read(&request.context)?;
    let known = match session.maybe_home()? {
        Some(home) => keys::public_keys(&home)?,
        None => Vec::new(),
    };
    let judged = reopen(&archived.bundle, &Hydrations::new(), |reopened| {
        take_journaled(&mut draft, reopened, run.as_ref());
        let signers = signers(&draft.approvals, &known);
        let pack = typed_pack(reopened)?;
        let inputs = inputs(reopened, &pack, run.as_ref(), &signers, as_of);
        Ok::<_, AppError>((critique(&draft, inputs).map_err(|error| no_canonical_form(&error))?, signers))
    });
    let (judged, approver_keys) = judged.map_err(|report| archived.refused(&report))??;
    let Judged { record, critique } = judged;
    let report = findings(&critique, &document);
    let recording = canonical(&archived.bundle)?;
    let case = DecisionCase {
        format: DECISION_CASE_FORMAT.to_owned(),
        record,
        critique,
        recording: ContentHash::of_bytes(&recording),
        run,
        approver_keys,
    };
    Ok(JudgedDecision { case, recording, report, bundle: archived.bundle })
}

/// Returns the instant that expiry is judged at: the one that was given, or the clock's, which is no earlier than the log's.
pub(super) fn instant(session: &Session, given: Option<&str>) -> Result<Timestamp, AppError> {
    let text = match given {
        Some(given) => checked_time("--as-of", given)?,
        None => session.stamp()?.at,
    };
    let clock = timestamp(&text).ok_or_else(|| AppError::internal("a time that was checked is none"))?;
    match (given, session.maybe_home()?) {
        // What has expired by the latest time of the log holds no more, whatever the clock says since.
        (None, Some(_)) => Ok(super::latest(session)?.map_or(clock, |latest| latest.max(clock))),
        (Some(_), _) | (None, None) => Ok(clock),
    }
}

/// Names the step of the run in a draft that names none.
fn place_in_run(draft: &mut DecisionDraft, document: &Document, step: Option<&str>) -> Result<(), AppError> {
    let Some(step) = step else { return Ok(()) };
    let lineage = draft.lineage.get_or_insert_default();
    match &lineage.plan_step {
        Some(own) if own != step => {
            let message = format!("the draft belongs to the step {}", deed_diag::quote(own));
            let diagnostic = Diagnostic::error(codes::BAD_DECISION, message).stage("decision");
            let mut report = Report::of(diagnostic.at(document.place("/lineage/plan_step")).help("leave out `--step`"));
            report.add_source(document.source().clone());
            Err(report.into())
        }
        Some(_) => Ok(()),
        None => {
            lineage.plan_step = Some(step.to_owned());
            Ok(())
        }
    }
}

/// Adds the approvals of the run's journal at gates that the context asks at.
fn take_journaled(draft: &mut DecisionDraft, reopened: Reopened<'_>, run: Option<&RunEvidence>) {
    let asked = |gate: &str| reopened.context.runtime_controls.approvals.iter().any(|own| own.gate.gate_id == gate);
    let journaled = run.into_iter().flat_map(|run| &run.approvals).map(|own| &own.signed);
    for signed in journaled.filter(|signed| asked(&signed.approval.gate_id)) {
        if !draft.approvals.contains(signed) {
            draft.approvals.push(signed.clone());
        }
    }
}

/// Returns the known keys that signed the approvals.
fn signers(approvals: &[SignedApproval], known: &[PublicKey]) -> Vec<PublicKey> {
    let named: Vec<String> = approvals.iter().flat_map(|signed| signed.envelope.named_keys()).collect();
    known.iter().filter(|key| named.contains(&key.id().to_string())).cloned().collect()
}

/// Returns the pack of a recorded compile as a type.
pub(super) fn typed_pack(reopened: Reopened<'_>) -> Result<ContextPack, AppError> {
    ContextPack::deserialize(&reopened.pack.pack).map_err(AppError::internal)
}

/// Returns what the critic reads.
pub(super) fn inputs<'c>(
    reopened: Reopened<'c>,
    pack: &'c ContextPack,
    journal: Option<&'c RunEvidence>,
    approver_keys: &'c [PublicKey],
    as_of: Timestamp,
) -> CriticInputs<'c> {
    CriticInputs {
        context: reopened.context,
        pack,
        pack_hash: reopened.pack.hash,
        facts: reopened.facts,
        run_context: reopened.run,
        evidence: reopened.evidence,
        journal,
        approver_keys,
        as_of,
    }
}

fn canonical(bundle: &ReplayBundle) -> Result<Vec<u8>, AppError> {
    let value = serde_json::to_value(bundle).map_err(AppError::internal)?;
    to_canonical(&value).map_err(|error| no_canonical_form(&error))
}

pub(super) fn no_canonical_form(error: &deed_canon::CanonError) -> AppError {
    let message = format!("it has no canonical form: {error}");
    let help = "integers have at most 53 bits, and documents at most 128 levels";
    AppError::refused(Diagnostic::error(codes::BAD_DECISION, message).stage("decision").help(help))
}

/// Returns the findings of a critique as diagnostics in the draft. Notes are part of the critique alone.
fn findings(critique: &Critique, document: &Document) -> Report {
    let mut report = Report::default();
    report.add_source(document.source().clone());
    for finding in &critique.findings {
        let message = finding.message.clone();
        let (diagnostic, help) = match finding.verdict {
            CriticVerdict::Accept => continue,
            CriticVerdict::Replan => {
                (Diagnostic::error(codes::DECISION_RETURNED, message), "decide again from the same context")
            }
            CriticVerdict::Escalate => {
                let help = "ask a person: `deed decision approve` signs an approval of this very decision";
                (Diagnostic::warning(codes::DECISION_ESCALATED, message), help)
            }
            CriticVerdict::Reject => {
                let help = "decide within what the context allows: `deed context explain` says why";
                (Diagnostic::error(codes::DECISION_REJECTED, message), help)
            }
        };
        report.push(diagnostic.stage(finding.check.as_str()).at(document.place(&finding.pointer)).help(help));
    }
    report
}
