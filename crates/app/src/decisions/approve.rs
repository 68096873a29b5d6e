//! Approvals of drafted decisions, signed with a key of the project.

use super::draft::draft;
use super::judge::instant;
use crate::contexts;
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::keys;
use crate::registry::without_secret;
use crate::session::Session;
use deed_context::{Hydrations, reopen};
use deed_decision::{ApprovalError, Approver, approve as sign, subject};
use deed_diag::{Diagnostic, codes};
use deed_model::{CompiledContext, DecisionSubject, GateDecision, SignedApproval};
use std::path::{Path, PathBuf};
use tracing::info_span;

/// An answer to give at a gate.
#[derive(Debug, Clone)]
pub struct ApprovalRequest {
    /// The drafted decision.
    pub decision: PathBuf,
    /// The recorded compile that it was made from.
    pub context: PathBuf,
    /// The gate, where the context asks at several.
    pub gate: Option<String>,
    /// The role in which the answer is given; otherwise the role of the gate.
    pub role: Option<String>,
    /// The answer.
    pub answer: GateDecision,
    /// A remark.
    pub note: Option<String>,
    /// A key to sign with, in place of the workspace's.
    pub key: Option<String>,
}

/// Signs an answer about a drafted decision, and returns it with what the approver is shown.
///
/// # Errors
/// The draft or the recording cannot be read, the context does not ask at the gate, the role is another, or the key cannot
/// be used.
pub fn approve(session: &Session, request: &ApprovalRequest) -> Result<(SignedApproval, DecisionSubject), AppError> {
    let _span = info_span!("approve decision").entered();
    let home = session.home()?;
    let (at, name) = (instant(session, None)?, session.stamp()?.actor);
    if let Some(note) = &request.note {
        without_secret("--note", note)?;
    }
    let (draft, _) = draft(&request.decision)?;
    let archived = contexts::read(&request.context)?;
    let shown = reopen(&archived.bundle, &Hydrations::new(), |reopened| {
        let (gate, role) = asked(reopened.context, request)?;
        let subject = subject(&draft, reopened.context, &gate, &role, at).map_err(|error| refused(&error))?;
        Ok::<_, AppError>((subject, role))
    });
    let (subject, role) = shown.map_err(|report| archived.refused(&report))??;
    let key = match &request.key {
        Some(name) => keys::signing_key(&home, name)?,
        None => keys::workspace_key(&home)?,
    };
    let approver = Approver { name: &name, role: &role, decision: request.answer, at, note: request.note.as_deref() };
    let signed = sign(&subject, approver, &key).map_err(|error| refused(&error))?;
    Ok((signed, subject))
}

/// Returns the gate and the role: as they were given, or those of the only gate that asks.
fn asked(context: &CompiledContext<'_>, request: &ApprovalRequest) -> Result<(String, String), AppError> {
    let demands = &context.runtime_controls.approvals;
    let demand = match &request.gate {
        Some(gate) => demands.iter().find(|demand| demand.gate.gate_id == *gate),
        None => match demands.as_slice() {
            [only] => Some(only),
            _ => None,
        },
    };
    let demand = demand.ok_or_else(|| {
        refused(&ApprovalError::NotAsked { gates: demands.iter().map(|d| d.gate.gate_id.to_string()).collect() })
    })?;
    let own = demand.gate.required_approver_role.as_deref().map(str::to_owned);
    let role = request.role.clone().or(own).ok_or_else(|| {
        let diagnostic = Diagnostic::error(codes::DECISION_NOT_APPROVABLE, "the gate states no role");
        AppError::refused(diagnostic.stage("decision").help("name yours with `--as`"))
    })?;
    Ok((demand.gate.gate_id.to_string(), without_secret("--as", &role)?.to_owned()))
}

fn refused(error: &ApprovalError) -> AppError {
    let help = match error {
        ApprovalError::NotAsked { .. } => "`deed context compile` lists the approvals that a request needs",
        ApprovalError::OtherRole { .. } => "answer in that role, or let a person with that role answer",
        ApprovalError::NoExpiry => "lower `ttl_seconds` of the gate",
        ApprovalError::HiddenText { .. } => "take the character out: what a person approves has to be what they read",
        ApprovalError::NoCanonicalForm(_) => "check the numbers in the decision",
    };
    AppError::refused(Diagnostic::error(codes::DECISION_NOT_APPROVABLE, error.to_string()).stage("decision").help(help))
}

/// Writes an approval to a new file that only its owner can read.
///
/// # Errors
/// The file exists, or cannot be written.
pub fn write_approval(path: &Path, signed: &SignedApproval) -> Result<(), AppError> {
    let text = serde_json::to_string_pretty(signed).map_err(AppError::internal)? + "\n";
    files::write(path, text.as_bytes(), Existing::Keep, Access::Private)
}
