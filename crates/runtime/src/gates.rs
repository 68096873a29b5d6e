//! Approval gates: what an approver is shown is hashed, the hash is what they approve, and an approval is used once.

use crate::fault::{FailureExt, fault};
use crate::run::{Run, rfc3339, unix_ms};
use crate::state::GateState;
use deed_canon::{CanonError, ContentHash, KeyId, PublicKey, SigningKey, Statement, Subject, derive_id, hash_of};
use deed_detect::CharClass;
use deed_diag::{Code, Invariant as _, codes};
use deed_model::{
    APPROVAL_PREDICATE, APPROVAL_TAG, Approval, ApprovedCall, ApprovedContract, ArtifactRecord, CallGate, CompiledPlan,
    FailureClass, GATE_SUBJECT_TAG, GateContract, GateDecision, GateSubject, HeldAuthority, RunEvent, SignedApproval,
    StepContract, StepFailure,
};
use deed_ports::{ApproverStanding, Directory, StoreError, Unless, Wait};
use deed_reach::in_words;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The longest time that a gate stays open, in seconds: ten years, so that it lapses at a time that a calendar has.
pub const LONGEST_GATE: u64 = 10 * 365 * 86_400;

/// The result of asking at an approval gate.
#[derive(Debug)]
pub(crate) enum GateAnswer {
    /// The gate is open; the approval is used up.
    Open,
    /// The gate waits for a decision.
    Pending,
    /// The gate is closed.
    Refused(StepFailure),
}

/// Returns the subject of a gate of the plan: the contracts that it lets through, and the outputs made before it.
pub(crate) fn subject_of_gate(run: &Run, gate: &GateContract) -> GateSubject {
    let contracts = gate.before.iter().filter_map(|step| run.contract(step)).map(approved).collect();
    let state = run.state();
    let mut evidence: Vec<ArtifactRecord> =
        gate.after.iter().filter_map(|step| state.step(step)).flat_map(|step| step.outputs.clone()).collect();
    evidence.sort();
    GateSubject {
        run_id: run.request.run_id.clone(),
        gate_id: gate.gate_id.clone(),
        question: gate.question.clone(),
        approver_role: gate.approver_role.clone(),
        contracts,
        call: None,
        evidence,
        expires_at: String::new(),
    }
}

/// Returns the subject of a gate inside a step: the whole call, and the files that the step reads.
pub(crate) fn subject_of_call(
    run: &Run,
    contract: &StepContract,
    gate: &CallGate,
    key: &str,
    call: ApprovedCall,
) -> GateSubject {
    let state = run.state();
    let mut evidence: Vec<ArtifactRecord> = contract
        .io_contract
        .read_paths
        .iter()
        .flat_map(|path| state.files_at(path))
        .map(|(artifact, _)| artifact.clone())
        .collect();
    evidence.sort();
    GateSubject {
        run_id: run.request.run_id.clone(),
        gate_id: format!("call:{key}"),
        question: gate.question.clone(),
        approver_role: gate.approver_role.clone(),
        contracts: vec![approved(contract)],
        call: Some(call),
        evidence,
        expires_at: String::new(),
    }
}

fn approved(contract: &StepContract) -> ApprovedContract {
    let effects = &contract.execution_contract.side_effects;
    ApprovedContract {
        step: contract.step_id.clone(),
        label: contract.label.clone(),
        effects: effects.iter().map(|effect| format!("{}: {}", effect.action, effect.target)).collect(),
        reaches: contract.execution_contract.egress.iter().map(in_words).collect(),
        contract_hash: contract.spec_hash,
    }
}

/// Asks at a gate: an approval of exactly this subject is used up, and without one the gate is opened.
pub(crate) fn ask(
    run: &Run,
    step: &str,
    mut subject: GateSubject,
    ttl_seconds: Option<u64>,
) -> Result<GateAnswer, StoreError> {
    if let Some(hidden) = hidden(&subject) {
        return Ok(GateAnswer::Refused(hidden));
    }
    loop {
        if let Some(asked) = ask_once(run, step, &mut subject, ttl_seconds)? {
            return Ok(asked);
        }
        // Another process decided at this gate meanwhile: its decision counts.
        run.listen()?;
    }
}

/// Opens a gate that was not asked at before, and uses no approval: where several gates stand before the same thing, their
/// approvers are asked at once.
pub(crate) fn announce(
    run: &Run,
    step: &str,
    mut subject: GateSubject,
    ttl_seconds: Option<u64>,
) -> Result<(), StoreError> {
    let is_known = run.state().gates.contains_key(&subject.gate_id);
    if !is_known && hidden(&subject).is_none() {
        open(run, step, &mut subject, ttl_seconds)?;
    }
    Ok(())
}

/// Asks once; none where another process has decided since this one listened.
fn ask_once(
    run: &Run,
    step: &str,
    subject: &mut GateSubject,
    ttl_seconds: Option<u64>,
) -> Result<Option<GateAnswer>, StoreError> {
    let known = run.state().gates.get(&subject.gate_id).cloned();
    if let Some(gate) = known {
        subject.expires_at.clone_from(&gate.subject.expires_at);
        let same = subject_hash(subject).is_ok_and(|hash| hash == gate.subject_hash);
        let lapsed = unix_ms(&gate.subject.expires_at).is_none_or(|at| run.now_ms() >= at);
        // The journal is trusted about order; the decider is trusted only by their signature.
        let signed = gate.decided.as_ref();
        let signed = signed.filter(|signed| {
            let bound =
                signed.approval.role == subject.approver_role && signed.approval.expires_at == subject.expires_at;
            bound && check_signature(&subject.run_id, signed, run.world.knows_decider()).is_ok()
        });
        // A person who was removed, or lost the role, since they decided no longer approves anything, even if they are back.
        let lost = signed.and_then(|signed| lost(run, &signed.approval));
        match signed.map(|signed| &signed.approval) {
            Some(approval) if same && approval.decision == GateDecision::Rejected => {
                return Ok(Some(GateAnswer::Refused(rejected(approval))));
            }
            Some(approval) if same && lost.is_none() && holds(run, approval) => {
                let used = RunEvent::ApprovalUsed { approval_id: approval.approval_id.clone(), step: step.to_owned() };
                run.record(used, Wait::Durable)?;
                return Ok(Some(GateAnswer::Open));
            }
            // Steps that wait for the same gate share its approval: it was given for all of them.
            Some(approval) if same && lost.is_none() && shares(run, approval, subject, step) => {
                return Ok(Some(GateAnswer::Open));
            }
            None if gate.is_open() && same && !lapsed => return answer(run, step, subject),
            _ => {
                let why = match (same, signed.is_none() && !gate.is_open(), lost) {
                    (false, _, _) => "what was shown has changed".to_owned(),
                    (true, true, _) => "the answer was not signed by this workspace".to_owned(),
                    (true, false, Some(lost)) => format!("the approval no longer counts: {lost}"),
                    (true, false, None) => "the approval or the question has lapsed".to_owned(),
                };
                let gate_id = subject.gate_id.clone();
                let event = RunEvent::GateLapsed { gate_id, subject_hash: gate.subject_hash, why };
                if !run.record_unless(vec![event], decided_at(&gate))? {
                    return Ok(None);
                }
            }
        }
    }
    open(run, step, subject, ttl_seconds)
}

/// Opens a gate, and approves it at once where its role was approved beforehand.
fn open(
    run: &Run,
    step: &str,
    subject: &mut GateSubject,
    ttl_seconds: Option<u64>,
) -> Result<Option<GateAnswer>, StoreError> {
    let most = run.request.options.gate_seconds.min(LONGEST_GATE);
    // Never a time that no calendar has: it would not lapse.
    let seconds =
        i64::try_from(ttl_seconds.unwrap_or(most).min(most)).ok().invariant("a gate is open ten years at most");
    subject.expires_at = rfc3339(run.now_ms().saturating_add(seconds.saturating_mul(1000)));
    let Ok(subject_hash) = subject_hash(subject) else {
        let message = "what would be shown has no canonical form";
        return Ok(Some(GateAnswer::Refused(fault(FailureClass::PolicyViolation, codes::HIDDEN_TEXT, message))));
    };
    let opened = RunEvent::GateOpened { subject: Box::new(subject.clone()), subject_hash };
    run.record(opened, Wait::Durable)?;
    answer(run, step, subject)
}

/// Matches a decision about exactly what a gate shows.
fn decided_at(gate: &GateState) -> Unless {
    let (gate_id, shown) = (gate.subject.gate_id.clone(), gate.subject_hash);
    let decided = gate.decided.clone();
    Arc::new(move |event| match event {
        RunEvent::GateDecided { signed } => {
            signed.approval.gate_id == gate_id
                && signed.approval.subject_hash == shown
                && decided.as_ref() != Some(&**signed)
        }
        _ => false,
    })
}

/// Returns the authority of an approver in a role, now; none for a run outside of workspaces.
///
/// # Errors
/// The reason why the directory of the workspace does not let them decide.
fn authority(run: &Run, approver: &str, role: &str) -> Result<Option<HeldAuthority>, String> {
    let Some(of) = &run.request.workspace else { return Ok(None) };
    match run.world.directory.standing(&of.workspace, approver, role) {
        ApproverStanding::Holds(held) => Ok(Some(held)),
        ApproverStanding::Lacks { why, .. } => Err(why),
    }
}

/// Returns why an approval of a run of a workspace does not count any more; none if it does.
fn lost(run: &Run, approval: &Approval) -> Option<String> {
    let of = run.request.workspace.as_ref()?;
    lost_authority(run.world.directory.as_ref(), &of.workspace, approval)
}

/// Returns why an approval does not count any more by the directory of its workspace: the authority under which it was given has
/// to have lasted without a break. None if it has.
pub fn lost_authority(directory: &dyn Directory, workspace: &str, approval: &Approval) -> Option<String> {
    match directory.standing(workspace, &approval.approver, &approval.role) {
        ApproverStanding::Lacks { why, .. } => Some(why),
        ApproverStanding::Holds(held) if given_under(approval, held) => None,
        ApproverStanding::Holds(_) => Some(format!(
            "`{}` has not been entitled to decide as `{}` all the time since the decision",
            approval.approver, approval.role
        )),
    }
}

/// Returns whether an approval was given under an authority.
pub(crate) fn given_under(approval: &Approval, held: HeldAuthority) -> bool {
    approval.authority == Some(held.authority) && approval.authority_since == Some(held.since)
}

/// Returns whether an approval can still be used.
fn holds(run: &Run, approval: &Approval) -> bool {
    let fresh = unix_ms(&approval.expires_at).is_some_and(|at| run.now_ms() < at);
    fresh && !run.state().used.contains(&approval.approval_id)
}

/// Returns whether an approval that was used counts here too: for another step of the same gate, or for the same call, which
/// a crashed process had begun. The name of a call's gate has the key of the call in it, so no other call can use it.
fn shares(run: &Run, approval: &Approval, subject: &GateSubject, step: &str) -> bool {
    subject.contracts.iter().any(|contract| contract.step == step) && run.state().used.contains(&approval.approval_id)
}

/// Approves a gate whose role was approved beforehand; none where another process has decided meanwhile.
fn answer(run: &Run, step: &str, subject: &GateSubject) -> Result<Option<GateAnswer>, StoreError> {
    let Some(approver) = &run.world.approver else { return Ok(Some(GateAnswer::Pending)) };
    if !approver.roles.contains(&subject.approver_role) {
        return Ok(Some(GateAnswer::Pending));
    }
    // A role that the approver does not hold in the workspace is left to one who does.
    let Ok(authority) = authority(run, &approver.name, &subject.approver_role) else {
        return Ok(Some(GateAnswer::Pending));
    };
    let decided = Decided {
        decision: GateDecision::Approved,
        role: &subject.approver_role,
        approver: &approver.name,
        authority,
        now_ms: run.now_ms(),
        note: Some("approved beforehand"),
    };
    // A decision that cannot be made beforehand is left to an approver.
    let Ok(signed) = decide(subject, &decided, &run.world.signer) else { return Ok(Some(GateAnswer::Pending)) };
    let gate = run.state().gates.get(&subject.gate_id).cloned().invariant("a gate is open before it is answered");
    let approval_id = signed.approval.approval_id.clone();
    let used = RunEvent::ApprovalUsed { approval_id, step: step.to_owned() };
    let events = vec![RunEvent::GateDecided { signed: Box::new(signed) }, used];
    Ok(run.record_unless(events, decided_at(&gate))?.then_some(GateAnswer::Open))
}

fn rejected(approval: &Approval) -> StepFailure {
    let note = approval.note.as_ref().map_or_else(String::new, |note| format!(": {note}"));
    let message = format!("{} rejected it as {}{note}", approval.approver, approval.role);
    fault(FailureClass::PolicyViolation, codes::GATE_REJECTED, message)
        .about(approval.gate_id.clone())
        .help("change what was rejected, and run the plan again")
}

/// The hash of what is shown.
pub fn subject_hash(subject: &GateSubject) -> Result<ContentHash, CanonError> {
    hash_of(&GATE_SUBJECT_TAG, subject)
}

/// A decision of an approver.
#[derive(Debug, Clone, Copy)]
pub struct Decided<'d> {
    /// The decision.
    pub decision: GateDecision,
    /// The role of the approver.
    pub role: &'d str,
    /// The approver.
    pub approver: &'d str,
    /// The authority of the approver, for a run of a workspace.
    pub authority: Option<HeldAuthority>,
    /// The time, in milliseconds since 1970.
    pub now_ms: i64,
    /// A remark.
    pub note: Option<&'d str>,
}

/// The refusal of a decision that does not fit the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRefusal {
    /// The code, which `deed explain` knows.
    pub code: Code,
    /// The reason.
    pub message: String,
}

/// A signed decision about what is shown.
pub fn decide(
    subject: &GateSubject,
    decided: &Decided<'_>,
    key: &SigningKey,
) -> Result<SignedApproval, DecisionRefusal> {
    if decided.role != subject.approver_role {
        let message = format!("this gate is for `{}`, and not for `{}`", subject.approver_role, decided.role);
        return Err(DecisionRefusal { code: codes::OTHER_ROLE, message });
    }
    if unix_ms(&subject.expires_at).is_none_or(|at| decided.now_ms >= at) {
        let message = format!("the question lapsed at {}", subject.expires_at);
        return Err(DecisionRefusal { code: codes::STALE_APPROVAL, message });
    }
    let broken = |error: CanonError| DecisionRefusal {
        code: codes::STALE_APPROVAL,
        message: format!("cannot be signed: {error}"),
    };
    let subject_hash = subject_hash(subject).map_err(broken)?;
    let mut approval = Approval {
        approval_id: String::new(),
        gate_id: subject.gate_id.clone(),
        subject_hash,
        decision: decided.decision,
        role: decided.role.to_owned(),
        approver: decided.approver.to_owned(),
        authority: decided.authority.map(|held| held.authority),
        authority_since: decided.authority.map(|held| held.since),
        decided_at: rfc3339(decided.now_ms),
        expires_at: subject.expires_at.clone(),
        note: decided.note.map(str::to_owned),
    };
    approval.approval_id = derive_id("apr", &hash_of(&APPROVAL_TAG, &approval).map_err(broken)?);
    let digest = BTreeMap::from([("sha256".to_owned(), subject_hash.hex())]);
    let about = Subject { name: format!("{}/{}", subject.run_id, subject.gate_id), digest };
    let predicate = serde_json::to_value(&approval).map_err(|error| broken(CanonError::NotJson(error.to_string())))?;
    let envelope = Statement::new(vec![about], APPROVAL_PREDICATE, predicate).sign(key).map_err(broken)?;
    Ok(SignedApproval { approval, envelope })
}

/// Returns whether a decision is what its signature says, about a gate of this run, by a key that is known.
pub(crate) fn check_signature(
    run_id: &str,
    signed: &SignedApproval,
    known: impl Fn(&KeyId) -> Option<PublicKey>,
) -> Result<(), String> {
    let (statement, _) = Statement::open(&signed.envelope, known).map_err(|error| error.to_string())?;
    let said: Approval = serde_json::from_value(statement.predicate).map_err(|error| error.to_string())?;
    let about = Subject {
        name: format!("{run_id}/{}", signed.approval.gate_id),
        digest: BTreeMap::from([("sha256".to_owned(), signed.approval.subject_hash.hex())]),
    };
    let meant = statement.predicate_type == APPROVAL_PREDICATE && statement.subject == [about];
    if meant && said == signed.approval { Ok(()) } else { Err("it is not what was signed".to_owned()) }
}

/// The fix for a text with characters that an approver cannot see.
const AS_READ: &str = "take the character out: what a person approves has to be what they read";

/// Returns the failure over characters that an approver cannot see, or that move what they see, in what a gate shows.
fn hidden(subject: &GateSubject) -> Option<StepFailure> {
    let value = serde_json::to_value(subject).invariant("what an approver is shown is JSON");
    let found = first_hidden(&value, "")?;
    let message = format!("what would be shown for approval has a character that cannot be seen, at {found}");
    let failure = fault(FailureClass::PolicyViolation, codes::HIDDEN_TEXT, message);
    Some(failure.about(subject.gate_id.clone()).help(AS_READ))
}

/// The same in what a plan says that its approvers will be shown, before anything runs.
pub(crate) fn unreadable(plan: &CompiledPlan) -> Option<(String, &'static str)> {
    let found = |about: String, at: &str, text: &str| {
        let found = hidden_in(text, at)?;
        Some((format!("{about} has a character that cannot be seen, at {found}"), AS_READ))
    };
    let gates = plan
        .gates
        .iter()
        .find_map(|gate| found(format!("the gate `{}`", gate.gate_id.escape_debug()), "/question", &gate.question));
    gates.or_else(|| {
        let gated = |step: &&StepContract| {
            let before = plan.gates.iter().any(|gate| gate.before.contains(&step.step_id));
            before || !step.execution_contract.call_gates.is_empty()
        };
        plan.steps.iter().filter(gated).find_map(|step| {
            let of = |what: &str| format!("{what} of the step `{}`, which an approver is shown,", step.step_id);
            let shown = approved(step);
            let asked = step.execution_contract.call_gates.iter();
            found(of("the label"), "/label", &shown.label)
                .or_else(|| shown.effects.iter().find_map(|effect| found(of("an effect"), "/effect", effect)))
                .or_else(|| asked.map(|gate| &gate.question).find_map(|q| found(of("a question"), "/question", q)))
        })
    })
}

/// The first character of a text that would not be read as it is. Lines are shown as such. The arguments of a call are
/// shown as JSON, which spells out what would move a cursor.
fn hidden_in(text: &str, at: &str) -> Option<String> {
    let as_read = |c: char| match c {
        '\r' => at.starts_with("/call/arguments"),
        other => CharClass::of(other) == CharClass::Plain,
    };
    let hidden = text.chars().find(|c| !as_read(*c))?;
    Some(format!("`{at}`: U+{:04X}", u32::from(hidden)))
}

fn first_hidden(value: &Value, at: &str) -> Option<String> {
    let in_text = |text: &str| hidden_in(text, at);
    match value {
        Value::String(text) => in_text(text),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(index, item)| first_hidden(item, &format!("{at}/{index}")))
        }
        Value::Object(members) => {
            members.iter().find_map(|(key, value)| in_text(key).or_else(|| first_hidden(value, &format!("{at}/{key}"))))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}
