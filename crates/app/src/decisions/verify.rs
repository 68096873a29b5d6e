//! Verifies the log of decisions, and derives every verdict again.

use super::judge::{inputs, typed_pack};
use super::{log, log_error, set_back};
use crate::error::AppError;
use crate::registry::report_of;
use crate::session::Session;
use deed_canon::{ChainHead, ContentHash, parse, timestamp};
use deed_context::{Hydrations, reopen};
use deed_decision::recheck;
use deed_diag::{Diagnostic, Place, Report, codes};
use deed_model::ReplayBundle;
use deed_store::StoredDecision;
use tracing::info_span;

/// The result of verifying the log of decisions.
#[derive(Debug)]
pub struct VerifiedDecisions {
    /// The number of entries.
    pub decisions: u64,
    /// The number of decisions whose record and critique came out the same again.
    pub derived: u64,
    /// The verified end of the log.
    pub head: Option<ChainHead>,
    /// The damage that was found, and verdicts that came out differently.
    pub report: Report,
}

/// Verifies every link, every stored file, and every verdict. `expected_head` is a head that was kept elsewhere.
///
/// # Errors
/// There is no home, or the database cannot be read. Damage is part of the result.
pub fn verify(session: &Session, expected_head: Option<ContentHash>) -> Result<VerifiedDecisions, AppError> {
    let _span = info_span!("verify decisions").entered();
    let Some(log) = log(session)? else {
        let lost = expected_head.map(|expected| {
            let message = format!("there is no log, and a head of one was kept: `{expected}`");
            Diagnostic::error(codes::DECISION_LOG_HEAD, message)
                .stage("decisions")
                .at(Place::file("head"))
                .help("restore the folder from a backup")
        });
        let report = report_of(lost.into_iter().collect());
        return Ok(VerifiedDecisions { decisions: 0, derived: 0, head: None, report });
    };
    let verification = log.verify(expected_head).map_err(log_error)?;
    let mut report = report_of(verification.findings);
    let entries = verification.sound.iter().map(|stored| &stored.entry);
    set_back(entries).into_iter().for_each(|warning| report.push(warning));
    let cache = Hydrations::new();
    let mut derived = 0;
    for stored in &verification.sound {
        match derive(stored, &cache) {
            Ok(()) => derived += 1,
            Err(why) => report.push(not_derived(stored, &why)),
        }
    }
    Ok(VerifiedDecisions { decisions: verification.decisions, derived, head: verification.head, report })
}

/// Runs the critic once more over what is stored, and compares every byte.
fn derive(stored: &StoredDecision, cache: &Hydrations) -> Result<(), String> {
    let case = &stored.case;
    let value = parse(&stored.recording).map_err(|error| error.to_string())?;
    let bundle: ReplayBundle = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let as_of = timestamp(&case.critique.as_of).ok_or("its instant is no time")?;
    let judged = reopen(&bundle, cache, |reopened| {
        let pack = typed_pack(reopened).map_err(|error| error.to_string())?;
        let inputs = inputs(reopened, &pack, case.run.as_ref(), &case.approver_keys, as_of);
        recheck(&case.record, inputs).map_err(|error| error.to_string())
    });
    let judged = judged.map_err(|report| messages(&report))??;
    match (judged.record == case.record, judged.critique == case.critique) {
        (true, true) => Ok(()),
        (false, _) => Err(format!("the critic gives the record {}", judged.record.record_id)),
        (true, false) => Err(format!("the critic gives the verdict {}", judged.critique.verdict.as_str())),
    }
}

fn messages(report: &Report) -> String {
    report.diagnostics().iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; ")
}

fn not_derived(stored: &StoredDecision, why: &str) -> Diagnostic {
    let decision = &stored.entry.event.decision;
    let message = format!("the verdict on `{}` cannot be derived again: {why}", decision.record_id);
    Diagnostic::error(codes::VERDICT_NOT_DERIVED, message)
        .stage("decisions")
        .at(Place::file(format!("decision:{}", stored.entry.link.seq)))
        .help("verify it with the version of `deed` that recorded it")
}
