//! Approvals of a claim: which hold, for which gates, and why the others do not.

use crate::approve::{about, decision_name, shown, subject_hash};
use crate::claim::Claim;
use crate::inputs::CriticInputs;
use deed_canon::{CanonError, Statement, hash_of, timestamp};
use deed_model::{
    APPROVAL_PREDICATE, Approval, ApprovalDemand, CriticVerdict, GATE_SUBJECT_TAG, GateDecision, JournaledApproval,
    SignedApproval,
};
use jiff::{SignedDuration, Timestamp};

/// The judgement of one approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The gate is open.
    Approved,
    /// An approver decided against it.
    Refused,
    /// The context does not ask at this gate, so the approval has no effect.
    NotAsked,
    /// The approval does not count.
    Invalid {
        /// The verdict that follows.
        verdict: CriticVerdict,
        /// The reason.
        reason: String,
    },
}

/// The approvals of a claim, each with its standing.
#[derive(Debug)]
pub(crate) struct Approved {
    standings: Vec<(String, Standing)>,
}

impl Approved {
    /// Judges every approval of a claim.
    pub(crate) fn of(claim: &Claim, inputs: CriticInputs<'_>) -> Result<Self, CanonError> {
        let judged = claim.approvals.iter().map(|signed| {
            let standing = standing(claim, inputs, signed)?.unwrap_or_else(|invalid| invalid);
            Ok((signed.approval.gate_id.clone(), standing))
        });
        Ok(Self { standings: judged.collect::<Result<_, CanonError>>()? })
    }

    /// Returns the gate and the standing of each approval, in the order of the claim.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Standing)> {
        self.standings.iter().map(|(gate, standing)| (gate.as_str(), standing))
    }

    /// Returns true if an approval opens a gate, and none refuses it.
    pub(crate) fn opens(&self, gate_id: &str) -> bool {
        let has = |wanted: &Standing| self.all().any(|(gate, standing)| gate == gate_id && standing == wanted);
        has(&Standing::Approved) && !has(&Standing::Refused)
    }

    /// Returns true if a person approved the claim at any gate.
    pub(crate) fn by_a_person(&self) -> bool {
        self.all().any(|(gate, _)| self.opens(gate))
    }
}

fn invalid(verdict: CriticVerdict, reason: impl Into<String>) -> Standing {
    Standing::Invalid { verdict, reason: reason.into() }
}

/// Returns the standing of an approval; the inner error is the first reason why it does not count.
fn standing(
    claim: &Claim,
    inputs: CriticInputs<'_>,
    signed: &SignedApproval,
) -> Result<Result<Standing, Standing>, CanonError> {
    let approval = &signed.approval;
    let journaled = inputs.journal.and_then(|journal| journal.approvals.iter().find(|own| own.signed == *signed));
    if let Err(forged) = signature(inputs, signed, journaled) {
        return Ok(Err(forged));
    }
    let demands = &inputs.context.runtime_controls.approvals;
    let Some(demand) = demands.iter().find(|demand| demand.gate.gate_id == approval.gate_id) else {
        return Ok(Ok(Standing::NotAsked));
    };
    let bound = match journaled {
        Some(journaled) => bound_to_run(claim, inputs, journaled)?,
        None => bound_to_decision(claim, inputs, approval)?,
    };
    Ok(bound.and_then(|()| role(demand, approval)).and_then(|()| lifetime(demand, approval, inputs.as_of)).map(|()| {
        match approval.decision {
            GateDecision::Approved => Standing::Approved,
            GateDecision::Rejected => Standing::Refused,
        }
    }))
}

/// Requires that the approval is what a known key signed.
fn signature(
    inputs: CriticInputs<'_>,
    signed: &SignedApproval,
    journaled: Option<&JournaledApproval>,
) -> Result<(), Standing> {
    let approval = &signed.approval;
    let known = |id: &deed_canon::KeyId| inputs.approver_keys.iter().find(|key| key.id() == *id).cloned();
    let forged = |why: String| invalid(CriticVerdict::Reject, format!("its signature does not hold: {why}"));
    let (statement, _) = Statement::open(&signed.envelope, known).map_err(|error| forged(error.to_string()))?;
    let said: Approval = serde_json::from_value(statement.predicate).map_err(|error| forged(error.to_string()))?;
    let name = match journaled {
        Some(journaled) => format!("{}/{}", journaled.subject.run_id, approval.gate_id),
        None => decision_name(&approval.gate_id),
    };
    let meant = statement.predicate_type == APPROVAL_PREDICATE
        && statement.subject == [about(&name, &approval.subject_hash)]
        && said == *approval;
    if meant { Ok(()) } else { Err(forged("it is not what was signed".to_owned())) }
}

/// Requires that the approver was shown this decision in this context.
fn bound_to_decision(
    claim: &Claim,
    inputs: CriticInputs<'_>,
    approval: &Approval,
) -> Result<Result<(), Standing>, CanonError> {
    let subject = shown(claim, inputs.context, &approval.gate_id, &approval.role, approval.expires_at.clone());
    let bound = subject_hash(&subject)? == approval.subject_hash;
    Ok(if bound { Ok(()) } else { Err(invalid(CriticVerdict::Escalate, "it was given for something else")) })
}

/// Requires that the approver was shown the step of the run that the decision belongs to.
fn bound_to_run(
    claim: &Claim,
    inputs: CriticInputs<'_>,
    journaled: &JournaledApproval,
) -> Result<Result<(), Standing>, CanonError> {
    let (subject, approval) = (&journaled.subject, &journaled.signed.approval);
    let shown = hash_of(&GATE_SUBJECT_TAG, subject)? == approval.subject_hash && subject.gate_id == approval.gate_id;
    let of_run =
        inputs.journal.is_some_and(|journal| journal.run_id == subject.run_id) && subject.run_id == claim.lineage.run;
    let of_step = claim
        .lineage
        .plan_step
        .as_ref()
        .is_some_and(|step| subject.contracts.iter().any(|contract| contract.step == *step));
    let bound = match (shown && of_run, of_step) {
        (false, _) => Err(invalid(CriticVerdict::Reject, "the run's journal has it for something else")),
        (true, false) => Err(invalid(CriticVerdict::Escalate, "it does not stand before the step of the decision")),
        (true, true) => Ok(()),
    };
    Ok(bound)
}

fn role(demand: &ApprovalDemand<'_>, approval: &Approval) -> Result<(), Standing> {
    match demand.gate.required_approver_role.as_deref() {
        Some(required) if required != approval.role => {
            let reason = format!("it was given as `{}`, and the gate is for `{required}`", approval.role);
            Err(invalid(CriticVerdict::Escalate, reason))
        }
        Some(_) | None => Ok(()),
    }
}

/// Requires that the approval is in force, and lasts no longer than the gate allows.
fn lifetime(demand: &ApprovalDemand<'_>, approval: &Approval, as_of: Timestamp) -> Result<(), Standing> {
    let escalate = |reason: String| Err(invalid(CriticVerdict::Escalate, reason));
    let times = timestamp(&approval.decided_at).zip(timestamp(&approval.expires_at));
    let Some((decided, expires)) = times else { return escalate("one of its times is malformed".to_owned()) };
    if decided > as_of {
        return escalate(format!("it was given at {}, later than the decision is judged", approval.decided_at));
    }
    if expires <= as_of {
        return escalate(format!("it expired at {}", approval.expires_at));
    }
    let longest = demand.gate.ttl_seconds.and_then(|seconds| i64::try_from(seconds).ok());
    match longest.map(SignedDuration::from_secs) {
        Some(longest) if expires.duration_since(decided) > longest => {
            escalate(format!("it lasts longer than the {} s of the gate", longest.as_secs()))
        }
        Some(_) | None => Ok(()),
    }
}
