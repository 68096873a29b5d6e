//! Recording a decision: content first, then the entry, in one transaction.

use super::error::{DecisionLogError, files, refused};
use super::{DecisionLog, EVENT_FORMAT, schema};
use crate::registry::{Outcome, Stamp};
use deed_canon::{ChainHead, ContentHash, append, canonical_string, to_canonical};
use deed_decision::is_sealed;
use deed_diag::{Diagnostic, codes};
use deed_model::{
    CriticVerdict, DECISION_CASE_FORMAT, DecisionCase, DecisionEvent, DecisionStatus, RecordedDecision, RunEvidence,
};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde_json::Value;
use tracing::debug_span;

impl DecisionLog {
    /// Records a judged decision with the recorded compile that it was made from, as canonical bytes. A record that is in
    /// the log already is not recorded again.
    ///
    /// # Errors
    /// The critic sent the decision back, the case does not agree with itself, an approval was used by another decision,
    /// or the log cannot be written.
    pub fn record(&self, case: &DecisionCase, recording: &[u8], stamp: &Stamp) -> Result<Outcome, DecisionLogError> {
        let _span = debug_span!("record decision", record = case.record.record_id, actor = stamp.actor).entered();
        check(case, recording)?;
        let value = serde_json::to_value(case).map_err(|error| unwritable(&error.to_string()))?;
        let bytes = to_canonical(&value).map_err(|error| unwritable(&error.to_string()))?;
        let decision = entry(case, ContentHash::of_bytes(&bytes));
        let (at, actor) = (stamp.at.clone(), stamp.actor.clone());
        let event = DecisionEvent { format: EVENT_FORMAT, at, actor, decision };
        let run = || {
            let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
            let head = self.checked(&tx)?;
            if is_recorded(&tx, &event.decision.record_id)? {
                return Ok(Outcome::AlreadyDone);
            }
            unused(&tx, &event.decision.approvals)?;
            self.blobs.sweep()?;
            for content in [&bytes, recording] {
                let (_, path, placed) = self.blobs.store(content, &self.steps);
                placed.map_err(|error| files(&error, &path))?;
            }
            let head = self.append(&tx, head, &event)?;
            self.steps.before("commit")?;
            tx.commit()?;
            Ok(Outcome::Recorded(head))
        };
        run().map_err(|error: DecisionLogError| error.within(self.dir()))
    }

    /// Appends an entry: the link, then the head. The caller commits.
    fn append(
        &self,
        conn: &Connection,
        head: Option<ChainHead>,
        event: &DecisionEvent,
    ) -> Result<ChainHead, DecisionLogError> {
        let body: Value = serde_json::to_value(event).map_err(|error| unwritable(&error.to_string()))?;
        let text = canonical_string(&body).map_err(|error| unwritable(&error.to_string()))?;
        let link = append(head.as_ref(), body).map_err(|error| unwritable(&error.to_string()))?;
        let seq = i64::try_from(link.seq).map_err(|error| unwritable(&error.to_string()))?;
        let (prev, hash) = (link.prev.map(|prev| prev.to_string()), link.hash.to_string());
        self.steps.before("insert event")?;
        let insert = "INSERT INTO events(seq, prev, hash, body) VALUES (?1, ?2, ?3, ?4)";
        conn.prepare_cached(insert)?.execute(params![seq, prev, hash, text])?;
        self.steps.before("update head")?;
        let update = "INSERT OR REPLACE INTO head(id, seq, hash) VALUES (1, ?1, ?2)";
        conn.prepare_cached(update)?.execute(params![seq, hash])?;
        Ok(link.head())
    }
}

/// Refuses a case that may not be recorded, or that does not agree with itself.
fn check(case: &DecisionCase, recording: &[u8]) -> Result<(), Box<Diagnostic>> {
    let disagrees = |message: &str| {
        let help = "record what the critic returned, as it returned it";
        Box::new(refused(codes::DECISION_FILE_DAMAGED, message.to_owned(), help))
    };
    if case.critique.verdict == CriticVerdict::Replan {
        let message = "a decision that the critic sent back is not recorded".to_owned();
        return Err(Box::new(refused(codes::DECISION_RETURNED, message, "decide again from the same context")));
    }
    if let Err(message) = agrees(case) {
        return Err(disagrees(message));
    }
    match ContentHash::of_bytes(recording) == case.recording {
        true => Ok(()),
        false => Err(disagrees("the recorded compile is another one than the case names")),
    }
}

/// Returns why a case does not agree with itself.
pub(super) fn agrees(case: &DecisionCase) -> Result<(), &'static str> {
    let status = match case.critique.verdict {
        CriticVerdict::Accept => DecisionStatus::Accepted,
        CriticVerdict::Replan => DecisionStatus::Returned,
        CriticVerdict::Escalate => DecisionStatus::Escalated,
        CriticVerdict::Reject => DecisionStatus::Rejected,
    };
    let strictest = case.critique.findings.iter().map(|finding| finding.verdict).max();
    match () {
        () if case.format != DECISION_CASE_FORMAT => Err("the case has another format"),
        () if !is_sealed(&case.record) => Err("the record is not what its id and its hash say"),
        () if case.record.status != status => Err("the status of the record is not that of the verdict"),
        () if strictest.unwrap_or(CriticVerdict::Accept) != case.critique.verdict => {
            Err("the verdict is not the strictest of its findings")
        }
        () => Ok(()),
    }
}

/// Returns the entry of a case.
pub(super) fn entry(case: &DecisionCase, hash: ContentHash) -> RecordedDecision {
    let record = &case.record;
    RecordedDecision {
        record_id: record.record_id.clone(),
        record_hash: record.record_hash,
        decision_key: record.decision_key.clone(),
        version: record.version.clone(),
        outcome: record.outputs.get("outcome").and_then(Value::as_str).unwrap_or_default().to_owned(),
        status: record.status,
        verdict: case.critique.verdict,
        run: record.lineage.run.clone(),
        approvals: used(case),
        case: hash,
        recording: case.recording,
    }
}

/// Returns the approvals that a decision uses up. A rejected or escalated one uses none. An approval at a gate of a run
/// stands before steps, and is used once for each of them.
fn used(case: &DecisionCase) -> Vec<String> {
    if case.record.status != DecisionStatus::Accepted {
        return Vec::new();
    }
    let of_run = |id: &str| {
        let listed = |run: &RunEvidence| run.approvals.iter().any(|own| own.signed.approval.approval_id == id);
        case.run.as_ref().is_some_and(listed)
    };
    let ids = case.record.approvals.iter().map(|signed| signed.approval.approval_id.as_str());
    let mut used: Vec<String> = ids
        .map(|id| match &case.record.lineage.plan_step {
            Some(step) if of_run(id) => format!("{id}/{step}"),
            Some(_) | None => id.to_owned(),
        })
        .collect();
    used.sort();
    used.dedup();
    used
}

fn is_recorded(conn: &Connection, record_id: &str) -> rusqlite::Result<bool> {
    let sql = format!("SELECT 1 FROM events WHERE {} = ?1", schema::RECORD_ID);
    Ok(conn.prepare_cached(&sql)?.query_row([record_id], |_| Ok(())).optional()?.is_some())
}

/// Refuses approvals that another decision has used up.
fn unused(conn: &Connection, approvals: &[String]) -> Result<(), DecisionLogError> {
    let sql = "SELECT e.seq FROM events e, json_each(e.body, '$.decision.approvals') a WHERE a.value = ?1 LIMIT 1";
    for approval in approvals {
        let by: Option<i64> = conn.prepare_cached(sql)?.query_row([approval], |row| row.get(0)).optional()?;
        if let Some(seq) = by {
            let message = format!("the approval `{approval}` was used by decision {seq}");
            let help = "ask for a new one: `deed decision approve`";
            return Err(refused(codes::APPROVAL_ALREADY_USED, message, help).into());
        }
    }
    Ok(())
}

fn unwritable(why: &str) -> DecisionLogError {
    let message = format!("the decision cannot be written: {why}");
    refused(codes::BAD_DECISION, message, "check the numbers in the decision").into()
}
