//! Verifies runs and the journal, offline.

use super::distill::distillations;
use super::head::{self, Head};
use super::load::{load, plan_of, store_error};
use super::rollback::rolled_back;
use crate::error::AppError;
use crate::keys::{self, WORKSPACE};
use crate::session::Session;
use deed_canon::{ChainHead, KeyId, PublicKey};
use deed_diag::{Diagnostic, Report, Severity, codes};
use deed_ports::{BrokenLink, JournalExtent, StoreErrorKind};
use deed_runtime::{RunState, Verification, reverify, reverify_distillation};
use deed_store::RunStore;
use tracing::info_span;

/// The result of verifying a run.
#[derive(Debug)]
pub struct RunVerification {
    /// The run.
    pub run_id: String,
    /// Its state.
    pub state: RunState,
    /// The results, and what was not derived again.
    pub verification: Verification,
    /// The first link of its journal that does not hold.
    pub broken: Option<BrokenLink>,
    /// The keys that were trusted.
    pub keys: Vec<KeyId>,
    /// The end of its journal.
    pub head: Option<ChainHead>,
    /// Warnings about the journal as a whole.
    pub warnings: Report,
}

impl RunVerification {
    /// Returns whether everything that was derived again holds.
    pub fn is_sound(&self) -> bool {
        self.broken.is_none() && self.verification.checked.iter().all(|check| check.holds)
    }
}

/// Verifies a run: derives its facts again from the stored bytes. `trusted` names keys in place of the workspace's own.
///
/// # Errors
/// There is no such run, it lacks one of `heads`, or its plan is missing.
pub fn verify(session: &Session, run: &str, trusted: &[String], heads: &[Head]) -> Result<RunVerification, AppError> {
    let _span = info_span!("verify", run).entered();
    let (home, store, loaded) = load(session, run)?;
    let keys: Vec<PublicKey> = match trusted {
        [] => vec![keys::public_key(&home, WORKSPACE)?],
        given => given.iter().map(|name| keys::public_key(&home, name)).collect::<Result<_, _>>()?,
    };
    let plan = plan_of(&store, &loaded.state).ok_or_else(|| {
        let diagnostic =
            Diagnostic::error(codes::PLAN_OF_RUN_MISSING, "the plan of this run is missing or was altered");
        AppError::refused(diagnostic.stage("receipts").help("restore the blobs from a backup"))
    })?;
    let contains = |run: Option<&str>, head: &_| store.contains(run, head).map_err(|error| store_error(&error));
    head::extends(heads, Some(&loaded.run_id), contains)?;
    let known = |id: &KeyId| keys.iter().find(|key| key.id() == *id).cloned();
    let mut verification = reverify(&loaded.entries, &plan, &store, &known);
    for distillation in distillations(&home, &loaded.run_id)? {
        let entries = &distillation.entries;
        verification.checked.extend(reverify_distillation(entries, &plan, &store, &known));
    }
    let broken = store.verify_run(&loaded.run_id).map_err(|error| store_error(&error))?.err();
    Ok(RunVerification {
        head: store.head(Some(&loaded.run_id)).map_err(|error| store_error(&error))?,
        run_id: loaded.run_id,
        state: loaded.state,
        verification,
        broken,
        keys: keys.iter().map(PublicKey::id).collect(),
        warnings: rolled_back(&home)?,
    })
}

/// The result of verifying the whole journal.
#[derive(Debug)]
pub struct JournalVerification {
    /// The extent of the journal.
    pub extent: JournalExtent,
    /// Warnings.
    pub warnings: Report,
}

/// Checks every link of the journal, the heads that are given, and those that were noted outside of it.
///
/// # Errors
/// A link does not hold, or the journal lacks a head.
pub fn verify_journal(session: &Session, heads: &[Head]) -> Result<JournalVerification, AppError> {
    let _span = info_span!("verify journal").entered();
    let home = session.home()?;
    // Not opened as elsewhere: a journal whose tables were altered would be refused before any link is checked.
    let verified = match RunStore::verify_in(&home.runs()) {
        Err(error) if error.kind == StoreErrorKind::Unknown && heads.is_empty() => {
            return Ok(JournalVerification { extent: JournalExtent::default(), warnings: Report::default() });
        }
        verified => verified.map_err(|error| store_error(&error))?,
    };
    let extent = verified.map_err(|broken| {
        let of = broken.run_id.map_or_else(|| "the list of runs".to_owned(), |run| format!("run `{run}`"));
        let message = format!("the journal of {of} is broken at event {}: {}", broken.seq, broken.what);
        let help = "what comes after that event cannot be relied on; restore the journal from a backup";
        AppError::refused(Diagnostic::error(codes::JOURNAL_BROKEN, message).stage("journal").help(help))
    })?;
    let contains = |run: Option<&str>, head: &_| {
        RunStore::contains_in(&home.runs(), run, head).map_err(|error| store_error(&error))
    };
    head::extends(heads, None, contains)?;
    // Links that hold may be those of an older copy.
    let warnings = rolled_back(&home)?.map(|found| match found.code == codes::ROLLED_BACK {
        true => Diagnostic { severity: Severity::Error, ..found },
        false => found,
    });
    if warnings.has_errors() { Err(warnings.into()) } else { Ok(JournalVerification { extent, warnings }) }
}
