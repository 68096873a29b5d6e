//! Gates: finding those that wait for a decision, and deciding.

use super::environment::{MachineOptions, RunEnvironment};
use super::load::{LoadedRun, engine_error, load, store, store_error};
use crate::catalog;
use crate::error::AppError;
use crate::keys;
use crate::registry::without_secret;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes, did_you_mean};
use deed_model::{Approval, GateDecision, GateSubject, HeldAuthority, RunOptions};
use deed_ports::{ApproverStanding, Engine as _, JournalRead as _};
use deed_runtime::{GateState, RunState};
use jiff::Timestamp;
use std::path::PathBuf;
use tracing::info_span;

/// A gate that waits for a decision.
#[derive(Debug, Clone)]
pub struct OpenGate {
    /// The run.
    pub run_id: String,
    /// The gate.
    pub gate: GateState,
    /// True where the question has lapsed, so that resuming the run asks again.
    pub lapsed: bool,
}

/// Lists the gates that wait, of all runs, or of those for one role.
///
/// # Errors
/// The store cannot be read.
pub fn open_gates(session: &Session, role: Option<&str>) -> Result<Vec<OpenGate>, AppError> {
    let Some(store) = store(session)?.1 else { return Ok(Vec::new()) };
    let mut gates = Vec::new();
    for listing in store.unsealed().map_err(|error| store_error(&error))?.into_iter().filter(|run| !run.ended) {
        let entries = store.events(&listing.run_id, 0).map_err(|error| store_error(&error))?;
        let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
        for gate in state.open_gates().filter(|gate| role.is_none_or(|role| role == gate.subject.approver_role)) {
            let lapsed = has_lapsed(session, &gate.subject)?;
            gates.push(OpenGate { run_id: listing.run_id.clone(), gate: gate.clone(), lapsed });
        }
    }
    Ok(gates)
}

/// Returns whether a question has lapsed by the time of the session.
///
/// # Errors
/// The session's time is not RFC 3339.
pub fn has_lapsed(session: &Session, subject: &GateSubject) -> Result<bool, AppError> {
    let now = session.stamp()?.at;
    Ok(now.parse::<Timestamp>().is_ok_and(|now| lapsed(subject, now.as_millisecond())))
}

fn lapsed(subject: &GateSubject, now_ms: i64) -> bool {
    subject.expires_at.parse::<Timestamp>().is_ok_and(|until| until.as_millisecond() <= now_ms)
}

/// The gate of that name; otherwise the only open gate, or the only one for a role.
///
/// # Errors
/// There is no such gate, none is open, or several are.
pub fn gate<'l>(loaded: &'l LoadedRun, name: Option<&str>, role: Option<&str>) -> Result<&'l GateState, AppError> {
    match name {
        Some(name) => named(loaded, name),
        None => match (gates(loaded, None)?.as_slice(), role) {
            ([only], _) => Ok(only),
            (several, role) => only_of_role(several, role),
        },
    }
}

/// The gate of that name; otherwise all that are open.
///
/// # Errors
/// There is no such gate, or none is open.
pub fn gates<'l>(loaded: &'l LoadedRun, name: Option<&str>) -> Result<Vec<&'l GateState>, AppError> {
    if let Some(name) = name {
        return Ok(vec![named(loaded, name)?]);
    }
    let open: Vec<&GateState> = loaded.state.open_gates().collect();
    match open.is_empty() {
        false => Ok(open),
        true => {
            let decided = loaded.state.gates.values().find_map(|gate| gate.decided.as_ref());
            let help = decided.map(|signed| {
                let approval = &signed.approval;
                let word = approval.decision.as_str();
                format!("`{}` was {word} by {} as {}", approval.gate_id, approval.approver, approval.role)
            });
            Err(not_waiting(
                format!("no gate of run `{}` waits for a decision", loaded.run_id),
                help.unwrap_or_else(|| "`deed gate list` shows all gates that wait".to_owned()),
            ))
        }
    }
}

fn not_waiting(message: String, help: String) -> AppError {
    AppError::refused(Diagnostic::error(codes::GATE_NOT_WAITING, message).stage("gates").help(help))
}

fn named<'l>(loaded: &'l LoadedRun, name: &str) -> Result<&'l GateState, AppError> {
    loaded.state.gates.get(name).ok_or_else(|| {
        let names = loaded.state.gates.keys().map(String::as_str);
        let help = did_you_mean(name, names).unwrap_or_else(|| "`deed gate list` shows those that wait".to_owned());
        not_waiting(format!("no gate {} of this run waits for a decision", deed_diag::quote(name)), help)
    })
}

/// The only one of several open gates that is for a role.
fn only_of_role<'l>(open: &[&'l GateState], role: Option<&str>) -> Result<&'l GateState, AppError> {
    let of_role: Vec<&'l GateState> =
        open.iter().copied().filter(|gate| Some(gate.subject.approver_role.as_str()) == role).collect();
    let listed = |gates: &[&GateState]| {
        let one = |gate: &&GateState| format!("`{}` (for `{}`)", gate.subject.gate_id, gate.subject.approver_role);
        gates.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    match (of_role.as_slice(), role) {
        ([only], _) => Ok(only),
        ([], Some(role)) => {
            let message = format!("{} gates wait, and none of them is for {}", open.len(), deed_diag::quote(role));
            let roles = open.iter().map(|gate| gate.subject.approver_role.as_str());
            let help = did_you_mean(role, roles).unwrap_or_else(|| format!("those that wait: {}", listed(open)));
            Err(AppError::refused(Diagnostic::error(codes::OTHER_ROLE, message).stage("gates").help(help)))
        }
        ([], None) => {
            let message = format!("{} gates wait for a decision", open.len());
            Err(not_waiting(message, format!("name one: {}", listed(open))))
        }
        (several, _) => {
            let message = format!("{} gates wait for {}", several.len(), deed_diag::quote(role.unwrap_or_default()));
            Err(not_waiting(message, format!("name one: {}", listed(several))))
        }
    }
}

/// A decision to make.
#[derive(Debug, Clone)]
pub struct DecisionRequest {
    /// The run, the beginning of its name, or `last`.
    pub run: String,
    /// The gate, where several wait.
    pub gate: Option<String>,
    /// The decision.
    pub decision: GateDecision,
    /// The role in which it is made; otherwise the role that the gate is for, where only one gate is meant.
    pub role: Option<String>,
    /// The hash of what was shown to the approver; refused if something else is asked by now.
    pub hash: Option<String>,
    /// A remark for the journal.
    pub note: Option<String>,
    /// A key to sign with, in place of the workspace's.
    pub key: Option<String>,
    /// Folders of types besides the project's own; needed by runs of older versions only.
    pub catalog_folders: Vec<PathBuf>,
}

/// A decision that was recorded.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The run.
    pub run_id: String,
    /// The subject of the decision.
    pub subject: GateSubject,
    /// The hash of it.
    pub subject_hash: ContentHash,
    /// The decision as it was signed.
    pub approval: Approval,
    /// The options that the run was started with, needed to resume it.
    pub options: Option<RunOptions>,
    /// True if a process drives the run: it continues with the decision by itself, and the run is not resumed.
    pub is_driven: bool,
}

/// Characters of a hash that name it at least.
const LEAST_HASH: usize = 12;

/// Returns whether a text is a hash, or the beginning of it as a terminal shows it.
fn names(text: &str, hash: &ContentHash) -> bool {
    let beginning = text.trim_end_matches('…');
    let digits = beginning.strip_prefix("sha256:").unwrap_or(beginning);
    digits.len() >= LEAST_HASH && hash.hex().starts_with(digits)
}

/// Returns the authority of an approver in a role, or refuses one who does not hold it in the workspace of the run.
fn authority(
    environment: &RunEnvironment,
    workspace: &str,
    approver: &str,
    role: &str,
) -> Result<HeldAuthority, AppError> {
    match environment.engine.world().directory.standing(workspace, approver, role) {
        ApproverStanding::Holds(held) => Ok(held),
        ApproverStanding::Lacks { why, help } => {
            Err(AppError::refused(Diagnostic::error(codes::ROLE_NOT_HELD, why).stage("gates").help(help)))
        }
    }
}

/// Signs a decision and records it.
///
/// # Errors
/// The gate is not waiting for this decision, the role is another, or the key cannot be used.
pub fn decide(session: &Session, request: &DecisionRequest) -> Result<Decided, AppError> {
    let _span = info_span!("decide", run = request.run).entered();
    if let Some(note) = &request.note {
        without_secret("--note", note)?;
    }
    let (run_id, subject, subject_hash, options, state) = {
        let (_, _, loaded) = load(session, &request.run)?;
        let gate = gate(&loaded, request.gate.as_deref(), request.role.as_deref())?;
        let options = loaded.state.request.as_ref().map(|request| request.options.clone());
        (loaded.run_id.clone(), gate.subject.clone(), gate.subject_hash, options, loaded.state)
    };
    if let Some(given) = &request.hash
        && !names(given, &subject_hash)
    {
        let message = format!("what is asked now has the hash {subject_hash}");
        let diagnostic = Diagnostic::error(codes::STALE_APPROVAL, message).stage("gates");
        return Err(AppError::refused(diagnostic.help("look at it again with `deed gate show`")));
    }
    let (catalog, _) = catalog::for_run(session, &request.catalog_folders, &state)?;
    let environment = RunEnvironment::open(session, catalog, &MachineOptions::default())?;
    let actor = session.stamp()?.actor;
    let role = request.role.as_deref().unwrap_or(&subject.approver_role);
    let workspace = state.request.as_ref().and_then(|request| request.workspace.as_ref());
    let authority = workspace.map(|of| authority(&environment, &of.workspace, &actor, role)).transpose()?;
    let decided = deed_runtime::Decided {
        authority,
        decision: request.decision,
        role,
        approver: &actor,
        now_ms: environment.engine.now_ms(&run_id).map_err(engine_error)?,
        note: request.note.as_deref(),
    };
    let key = keys::signing_key(&environment.home, request.key.as_deref().unwrap_or(keys::WORKSPACE))?;
    let signed = deed_runtime::decide(&subject, &decided, &key).map_err(|undecidable| {
        let stale = undecidable.code == codes::STALE_APPROVAL && lapsed(&subject, decided.now_ms);
        let help = match stale {
            true => format!("`deed runs resume {run_id}` asks again"),
            false => "`deed gate show` says who is asked, and until when".to_owned(),
        };
        let diagnostic = Diagnostic::error(undecidable.code, undecidable.message);
        AppError::refused(diagnostic.stage("gates").help(help))
    })?;
    let approval = signed.approval.clone();
    environment.engine.decide(&run_id, signed).map_err(engine_error)?;
    let is_driven = match store(session)?.1 {
        Some(store) => store.driver(&run_id).map_err(|error| store_error(&error))?.is_some(),
        None => false,
    };
    Ok(Decided { run_id, subject, subject_hash, approval, options, is_driven })
}
