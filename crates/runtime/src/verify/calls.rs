//! Derives spending and decisions again, as far as the journal tells: sums against budgets, approvals before what waits
//! for them, a decision of the egress rules for every request that was let out.

use super::{Pass, VerifiedPart, models};
use crate::bridge::{PROXY, Tool};
use crate::run::unix_ms;
use crate::state::{CallState, SERVED_FROM};
use deed_model::{
    Budget, CallAnswer, CallOutcome, EgressChannel, EgressDecision, EgressVerdict, GateDecision, RunEvent,
    SignedApproval, StepContract,
};
use deed_ports::JournalEntry;
use deed_reach::{Host, Location, NormalPath, Rules, Target};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The text in place of a secret.
const CONCEALED: &str = "[secret]";

pub(super) fn verify(pass: &mut Pass<'_>, entries: &[JournalEntry]) {
    let spending = spending(pass);
    pass.say(VerifiedPart::Spending, spending);
    let approved = approvals(pass, entries);
    pass.say(VerifiedPart::Approvals, approved);
    let decided = requests(pass, entries);
    pass.say(VerifiedPart::Requests, decided);
}

/// Checks that neither the run nor any attempt has spent more than its grant.
fn spending(pass: &Pass<'_>) -> Result<(), String> {
    let Some(request) = &pass.state.request else { return Err("nothing says what was granted".to_owned()) };
    if let Some((part, spent, granted)) = exceeds(&pass.state.total_spent(), &request.grant) {
        return Err(format!("the run has spent {spent} of `{part}`, and {granted} were granted"));
    }
    for contract in &pass.plan.steps {
        let Some(step) = pass.state.step(&contract.step_id) else { continue };
        let mut attempts: BTreeMap<u32, Budget> = BTreeMap::new();
        for call in step.calls.values() {
            let spent = call.answer.as_ref().map(|answer| answer.spent).unwrap_or_default();
            let sum = attempts.entry(call.attempt).or_default();
            *sum = sum.plus(spent);
        }
        for attempt in step.models.iter().map(|model| model.intent.attempt).collect::<BTreeSet<u32>>() {
            let sum = attempts.entry(attempt).or_default();
            *sum = sum.plus(step.beside_calls(Some(attempt)));
        }
        let over = attempts.values().find_map(|sum| exceeds(sum, &contract.execution_contract.attempt));
        if let Some((part, spent, granted)) = over {
            let step = &contract.step_id;
            return Err(format!("an attempt of `{step}` has spent {spent} of `{part}`, and may spend {granted}"));
        }
    }
    Ok(())
}

pub(super) fn exceeds(spent: &Budget, grant: &Budget) -> Option<(&'static str, u64, u64)> {
    let both = spent.parts().into_iter().zip(grant.parts());
    both.filter_map(|((part, spent), (_, grant))| Some((part, spent?, grant?))).find(|(_, spent, grant)| spent > grant)
}

/// Checks that steps and calls that wait for an approver began after the approval.
fn approvals(pass: &mut Pass<'_>, entries: &[JournalEntry]) -> Result<(), String> {
    let mut approved: BTreeMap<String, &SignedApproval> = BTreeMap::new();
    // Steps that wait for the same gate share its approval.
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let served: BTreeSet<&str> = entries.iter().filter_map(served).collect();
    // An approval that is used was looked at after the event before: one that had expired by then was not to be used.
    let mut last_at = None;
    for entry in entries {
        let previous = std::mem::replace(&mut last_at, unix_ms(&entry.record.at));
        match &entry.record.event {
            RunEvent::GateDecided { signed } if signed.approval.decision == GateDecision::Approved => {
                approved.insert(signed.approval.approval_id.clone(), signed);
            }
            RunEvent::ApprovalUsed { approval_id, step } => {
                let Some(signed) = approved.get(approval_id) else {
                    return Err(format!("`{step}` used the approval `{approval_id}`, which was not given by then"));
                };
                let expires = unix_ms(&signed.approval.expires_at);
                if expires.is_none_or(|expires| previous.is_some_and(|at| at >= expires)) {
                    return Err(format!("`{step}` used the approval `{approval_id}` after it had expired"));
                }
                used.insert(&signed.approval.gate_id);
            }
            RunEvent::StepStarted { step, .. } => {
                let contract = pass.contract(step)?;
                let missing = contract.waits_for.iter().find(|gate| !used.contains(gate.as_str()));
                if let Some(gate) = missing {
                    return Err(format!("`{step}` began without an approval at the gate `{gate}`"));
                }
            }
            RunEvent::CallBegan { call } => {
                let contract = pass.contract(&call.step)?;
                let gate = format!("call:{}", call.key);
                // What an earlier run made was approved there; that such an answer may be served is checked below.
                if served.contains(call.key.as_str()) {
                    continue;
                }
                if gate_of(pass, contract, &call.tool) && !used.contains(gate.as_str()) {
                    return Err(format!("the call `{}` of `{}` was made without an approval", call.key, call.step));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns whether every call of a tool waits for an approver. Gates with a rule read the arguments, of which only a hash is kept.
fn gate_of(pass: &mut Pass<'_>, contract: &StepContract, tool: &str) -> bool {
    let gates = &contract.execution_contract.call_gates;
    let tool = match Tool::named(tool) {
        Some(tool) => tool,
        // Requests that need an approval are refused by the proxy.
        None if tool == PROXY => return false,
        // What a tool of another version does is not known: any gate may stand before it.
        None => return !gates.is_empty(),
    };
    let mut concerned = gates.iter().filter(|gate| tool.is_gated_by(&gate.tool)).peekable();
    if concerned.peek().is_some_and(|gate| gate.when.is_some()) {
        let words = "approvals of calls whose gate has a rule: the journal keeps only a hash of the arguments";
        pass.not_derived.insert(words.to_owned());
    }
    concerned.any(|gate| gate.when.is_none())
}

/// Checks that every request that was answered had been allowed by a rule of the contract.
fn requests(pass: &mut Pass<'_>, entries: &[JournalEntry]) -> Result<(), String> {
    let learns = pass.state.request.as_ref().is_some_and(|request| request.options.learn_egress);
    let forked = pass.state.request.as_ref().is_some_and(|request| request.forked.is_some());
    let mut allowed: BTreeMap<&str, Vec<&EgressDecision>> = BTreeMap::new();
    let blob = pass.state.request.as_ref().and_then(|request| request.models_blob);
    let frozen = blob.and_then(|blob| crate::models::check(&blob, pass.blobs).ok());
    for entry in entries {
        match &entry.record.event {
            RunEvent::Egress { step, decision } => {
                let contract = pass.contract(step)?;
                if decision.channel == EgressChannel::Model && decision.verdict == EgressVerdict::Allowed {
                    if !models::allows(frozen.as_ref(), decision) {
                        return Err(format!("{} was let out, and no frozen endpoint is there", named(decision)));
                    }
                    continue;
                }
                match decision.verdict {
                    EgressVerdict::Allowed => allows(contract, decision)?,
                    EgressVerdict::Learned if learns => {}
                    EgressVerdict::Learned => {
                        return Err(format!("{} was let out to learn, and the run does not learn", named(decision)));
                    }
                    _ => continue,
                }
                allowed.entry(step).or_default().push(decision);
            }
            RunEvent::CallEnded { answer } => {
                let decisions = allowed.get(answer.step.as_str()).map(Vec::as_slice).unwrap_or_default();
                if let Some(earlier) = served_from(answer) {
                    if !forked {
                        return Err(format!(
                            "`{}` was served from `{earlier}`, and the run was not forked",
                            answer.key
                        ));
                    }
                    let words = "answers that an earlier run made: verify that run for them";
                    pass.not_derived.insert(words.to_owned());
                    continue;
                }
                let call = pass.state.step(&answer.step).and_then(|step| step.calls.get(&answer.key));
                let call = call.ok_or_else(|| format!("the call `{}` was answered and never made", answer.key))?;
                if was_sent(call) && !decisions.iter().any(|decision| concerns(decision, &call.intent.summary)) {
                    return Err(format!("`{}` was sent, and no decision let it out", call.intent.summary));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The key of a call that was answered by an earlier run.
fn served(entry: &JournalEntry) -> Option<&str> {
    match &entry.record.event {
        RunEvent::CallEnded { answer } => served_from(answer).map(|_| answer.key.as_str()),
        _ => None,
    }
}

/// The run that an answer was served from, if nothing was sent for it.
fn served_from(answer: &CallAnswer) -> Option<&str> {
    answer.proof.get(SERVED_FROM).and_then(Value::as_str)
}

/// Returns whether a call was a request that came back with an answer.
fn was_sent(call: &CallState) -> bool {
    let request = call.intent.tool.starts_with("http.");
    let answered = call.answer.as_ref().is_some_and(|answer| {
        // An answer through the proxy is kept with what failed, if it did; then nothing may have been sent.
        let failed = matches!(&answer.outcome, CallOutcome::Result { value } if value.get("error").is_some_and(|e| !e.is_null()));
        !failed && matches!(answer.outcome, CallOutcome::Result { .. } | CallOutcome::Stored { .. })
    });
    request && answered
}

/// Returns whether the rules of a contract allow what was allowed by them.
fn allows(contract: &StepContract, decision: &EgressDecision) -> Result<(), String> {
    let no = || format!("{} was let out, and no rule of `{}` allows it", named(decision), contract.step_id);
    let rules = Rules::read(contract.execution_contract.egress.clone()).map_err(|_| no())?;
    let host = Host::read(&decision.host).map_err(|_| no())?;
    let ruling = match &decision.path {
        None => rules.decide_tunnel(&host, decision.port),
        Some(path) => {
            let path = NormalPath::read(path).map_err(|_| no())?;
            let (scheme, port, method) = (decision.scheme, decision.port, decision.method.as_str());
            rules.decide(&Target { scheme, host: &host, port, method, path: &path })
        }
    };
    if ruling.verdict == EgressVerdict::Allowed && ruling.rule == decision.rule { Ok(()) } else { Err(no()) }
}

/// Returns whether a decision is about a request, by its method and where it goes.
fn concerns(decision: &EgressDecision, summary: &str) -> bool {
    let Some((method, url)) = summary.split_once(' ') else { return false };
    // A path that had a secret in it is kept without, and can only be compared up to where it begins.
    let concealed = url.contains(CONCEALED);
    let path_from = url.find("://").and_then(|at| url.get(at + 3..)?.find('/').map(|slash| at + 3 + slash));
    let read = if concealed { path_from.and_then(|at| url.get(..=at)).unwrap_or(url) } else { url };
    let Ok(location) = Location::read(read) else { return false };
    decision.method == method
        && decision.host == location.host.plain()
        && decision.port == location.port
        && decision
            .path
            .as_deref()
            .is_some_and(|path| concealed || path.contains(CONCEALED) || path == location.path.as_str())
}

fn named(decision: &EgressDecision) -> String {
    crate::conceal::shown_name(&deed_reach::spelled(decision))
}
