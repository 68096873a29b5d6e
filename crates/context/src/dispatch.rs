//! The decision about one call of a tool, with its real arguments.
//!
//! A call is decided under the compile that it belongs to: what refuses the compile refuses the call, and what makes it
//! refuse or escalate stops the call. Then policy and tools run again with the call in the evaluation context: a rule or
//! a gate that depended on the call is decided, and bounds are compared with the arguments.

use crate::compile;
use crate::hydrate::{Hydrated, bound_words};
use crate::inputs::Inputs;
use crate::refusal::Refusal;
use crate::seal::no_canonical_form;
use crate::stages::policy::Policy;
use crate::stages::tools::{SurfacedCapability, Tools};
use crate::stages::{Cx, intent, policy, tools};
use deed_canon::hash_of;
use deed_detect::CustomPattern;
use deed_diag::{Invariant as _, nearest};
use deed_model::{
    ApprovalMode, ArgConstraint, CallDecision, CallReason, CallVerdict, CompiledContext, ControlKind, EvidenceStatus,
    GateRequirement, InsufficientEvidence, RuleVerdict, Stage, TOOL_CALL_TAG, ToolCall, Verdict,
};
use deed_pack::{NamedArgument, named_arguments};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Decides about a call. Pure: the same inputs give the same decision.
///
/// # Errors
/// If the request cannot be compiled: without a context there is no call.
pub fn dispatch<'a>(pack: &'a Hydrated, inputs: Inputs<'a>, call: &ToolCall) -> Result<CallDecision<'a>, Refusal> {
    dispatch_as(pack, inputs, call, true)
}

/// Decides about a recorded call. The pins of a recorded request are ignored for a pack other than the one that it names.
pub(crate) fn dispatch_as<'a>(
    pack: &'a Hydrated,
    inputs: Inputs<'a>,
    call: &ToolCall,
    pinned: bool,
) -> Result<CallDecision<'a>, Refusal> {
    let call_hash = hash_of(&TOOL_CALL_TAG, call).map_err(|error| no_canonical_form(Stage::Tools, &error))?;
    let value = serde_json::to_value(call).invariant("a call is JSON");
    let decided = decide(pack, inputs, call, &value, pinned)?;
    let verdict = decided.reasons.iter().map(verdict).max().unwrap_or(CallVerdict::Allow);
    Ok(CallDecision {
        approval_gates: decided.gates,
        approval_mode: decided.mode,
        call_hash,
        policy_decisions: decided.policy_decisions,
        reasons: decided.reasons,
        requires: decided.requires,
        tool: Cow::Owned(call.tool.clone()),
        verdict,
    })
}

/// The parts of a decision.
struct Decided<'a> {
    gates: Vec<GateRequirement<'a>>,
    mode: Option<ApprovalMode>,
    policy_decisions: Vec<deed_model::PolicyDecision<'a>>,
    reasons: Vec<CallReason<'a>>,
    requires: Vec<Cow<'a, str>>,
}

fn decide<'a>(
    pack: &'a Hydrated,
    inputs: Inputs<'a>,
    call: &ToolCall,
    value: &Value,
    pinned: bool,
) -> Result<Decided<'a>, Refusal> {
    let compiled = compile::whole(Cx { pack, inputs, counts: None, call: None, pinned })?;
    // The call lives shorter than the pack, and so does everything that borrows from it.
    let cx = Cx { pack, inputs, counts: None, call: Some(value), pinned };
    let intent = intent::classify(cx)?;
    let policy = policy::resolve(cx, intent)?;
    let tools = tools::surface(cx, &policy);
    let surfaced = tools.surfaced.iter().find(|surfaced| surfaced.tool.name == call.tool);
    let mode = surfaced.map(|surfaced| surfaced.mode);
    // A rule that lowers the mode makes no tool harmless: what it declares decides.
    let acts = surfaced.is_none_or(|surfaced| surfaced.tool.mode > ApprovalMode::ReadOnly);
    let mut reasons = match surfaced {
        None => hidden(pack, &tools, &call.tool),
        Some(surfaced) => arguments(surfaced, &call.arguments),
    };
    let denying = policy.denials().filter(|denial| acts || stops_reading(denial, &compiled, &call.tool));
    reasons.extend(denying.map(|denial| CallReason::Denied {
        reason: denial.reason.as_deref().map(owned),
        rule_id: owned(&denial.rule_id),
    }));
    if acts {
        let refusing = policy.active(ControlKind::MustRefuse);
        reasons.extend(refusing.map(|control| CallReason::MustRefuse { guardrail: owned(&control.id) }));
        reasons.extend(escalating(&policy));
        reasons.extend(insufficient(&compiled));
        // Whatever made the compile refuse reaches the call, also what no reason above names.
        if compiled.outcome == Verdict::MustRefuse && !reasons.iter().any(|r| verdict(r) == CallVerdict::Deny) {
            let refusing = compiled.runtime_controls.must_refuse.iter();
            reasons.extend(refusing.map(|control| CallReason::MustRefuse { guardrail: owned(control) }));
        }
    }
    let mut asked: Vec<&str> = surfaced.map(|surfaced| surfaced.gates.clone()).unwrap_or_default();
    if acts {
        // What made the compile escalate reaches every call that acts, and so does a rule that names no capability.
        let active = compiled.runtime_controls.approval_gates_active.iter().map(|gate| &**gate);
        let more: Vec<&str> =
            active.chain(demanded(&policy, &call.tool)).filter(|gate| !asked.contains(gate)).collect();
        asked.extend(more.into_iter().collect::<BTreeSet<&str>>());
    }
    let gates: Vec<GateRequirement<'a>> = asked.into_iter().map(|gate| requirement(pack, gate)).collect();
    reasons.extend(gates.iter().map(|gate| CallReason::Gate { gate_id: gate.gate_id.clone() }));
    let requires = policy.decisions.iter().filter(|decision| concerns(decision, &call.tool));
    let requires = requires.flat_map(|decision| decision.requires.iter().map(|name| owned(name))).collect();
    let policy_decisions = policy.decisions.into_iter().map(detached).collect();
    Ok(Decided { gates, mode, policy_decisions, reasons, requires })
}

fn owned<'a>(text: &str) -> Cow<'a, str> {
    Cow::Owned(text.to_owned())
}

fn verdict(reason: &CallReason<'_>) -> CallVerdict {
    match reason {
        CallReason::Gate { .. }
        | CallReason::MustEscalate { .. }
        | CallReason::InsufficientEvidence { effect: InsufficientEvidence::Escalate, .. } => CallVerdict::NeedsApproval,
        CallReason::InsufficientEvidence { effect: InsufficientEvidence::Note, .. } => CallVerdict::Allow,
        CallReason::UnknownTool { .. }
        | CallReason::Hidden { .. }
        | CallReason::Denied { .. }
        | CallReason::MustRefuse { .. }
        | CallReason::InsufficientEvidence { effect: InsufficientEvidence::Refuse, .. }
        | CallReason::Argument { .. } => CallVerdict::Deny,
    }
}

/// Returns true if a decision is about this tool, or about all.
fn concerns(decision: &deed_model::PolicyDecision<'_>, tool: &str) -> bool {
    decision.capabilities.is_empty() || decision.capabilities.iter().any(|own| own == tool)
}

/// Returns true if a denial stops a tool that only reads: it names the tool, or it was decided by the call. What is denied
/// without regard to the call is the request, for which reading goes on.
fn stops_reading(denial: &deed_model::PolicyDecision<'_>, compiled: &CompiledContext<'_>, tool: &str) -> bool {
    let of_request = compiled.context_ledger.policy_decisions.iter().filter(|own| own.verdict == RuleVerdict::Deny);
    let is_of_request = of_request.into_iter().any(|own| own.rule_id == denial.rule_id);
    denial.capabilities.iter().any(|own| own == tool) || (!is_of_request && concerns(denial, tool))
}

/// Returns the reasons why a capability that is not surfaced cannot be called.
fn hidden<'a>(pack: &'a Hydrated, tools: &Tools<'_>, name: &str) -> Vec<CallReason<'a>> {
    let entry = tools.capabilities.iter().find(|entry| {
        name.strip_prefix(&*entry.adapter_id).and_then(|rest| rest.strip_prefix('.')) == Some(&*entry.capability)
    });
    match entry {
        Some(entry) => {
            let checks = entry.hidden_by.iter();
            checks.map(|c| CallReason::Hidden { check: c.check, source: c.source.as_deref().map(owned) }).collect()
        }
        None => {
            let near = nearest(name, pack.tools.iter().map(|tool| tool.name.as_str()));
            vec![CallReason::UnknownTool { did_you_mean: near.map(owned) }]
        }
    }
}

/// Returns the gates that rules demand for a tool, or for all.
fn demanded<'p>(policy: &'p Policy<'_>, tool: &'p str) -> impl Iterator<Item = &'p str> {
    let about = policy.decisions.iter().filter(move |decision| concerns(decision, tool));
    about.filter_map(|decision| decision.approval_gate.as_deref())
}

/// Returns the controls that ask for a person without a gate.
fn escalating<'a>(policy: &Policy<'_>) -> Vec<CallReason<'a>> {
    let guardrails = policy.active(ControlKind::MustEscalate).map(|control| owned(&control.id));
    let rules = policy.fired.iter().filter(|(_, outcome)| outcome.wants_person);
    let rules = rules.map(|(rule, _)| Cow::Owned(format!("rule:{}", rule.rule_id)));
    guardrails.chain(rules).map(|source| CallReason::MustEscalate { source }).collect()
}

/// Returns the decisions whose evidence does not suffice, where the pack says that this refuses or escalates.
fn insufficient<'a>(compiled: &CompiledContext<'_>) -> Vec<CallReason<'a>> {
    let lacking = compiled.decisions.iter().filter(|decision| !decision.sufficient);
    let acting = lacking.filter(|decision| decision.on_insufficient_evidence != InsufficientEvidence::Note);
    let reasons = acting.map(|decision| {
        let unmet = decision.required_evidence.iter().filter(|required| required.status != EvidenceStatus::Met);
        CallReason::InsufficientEvidence {
            decision_key: owned(&decision.decision_key),
            effect: decision.on_insufficient_evidence,
            unmet: unmet.map(|required| owned(&required.name)).collect(),
        }
    });
    reasons.collect()
}

/// Returns whom a gate asks. A gate that the pack does not declare asks a person all the same.
pub(crate) fn requirement<'a>(pack: &'a Hydrated, gate: &str) -> GateRequirement<'a> {
    match pack.gates.iter().find(|declared| declared.id == gate) {
        Some(declared) => GateRequirement {
            gate_id: Cow::Borrowed(&declared.id),
            required_approver_role: declared.approver.as_ref().map(|approver| Cow::Borrowed(approver.role.as_str())),
            ttl_seconds: declared.approver.as_ref().map(|approver| approver.ttl_seconds),
        },
        None => GateRequirement { gate_id: owned(gate), required_approver_role: None, ttl_seconds: None },
    }
}

/// Compares the arguments of a call with every bound.
fn arguments<'a>(surfaced: &SurfacedCapability<'_>, given: &Map<String, Value>) -> Vec<CallReason<'a>> {
    let mut reasons = Vec::new();
    for bounds in &surfaced.bounds {
        for (argument, bound) in &*bounds.arguments {
            let mut words: Vec<Cow<'_, str>> = Vec::new();
            for own in named_arguments(given, argument) {
                let violated = match own {
                    NamedArgument::Absent => violations(bound, None),
                    NamedArgument::Value(value) => violations(bound, Some(value)),
                    NamedArgument::Unreadable => vec![Cow::Borrowed("what stands before it must be an object")],
                };
                // A list says the same of each of its items once.
                let new: Vec<Cow<'_, str>> = violated.into_iter().filter(|one| !words.contains(one)).collect();
                words.extend(new);
            }
            reasons.extend(words.into_iter().map(|words| CallReason::Argument {
                argument: owned(argument),
                bound: words,
                source: owned(&bounds.source),
            }));
        }
    }
    reasons
}

/// Returns the parts of a bound that a value violates. An argument that is left out violates only `required` and
/// `equals`.
fn violations<'a>(bound: &ArgConstraint, value: Option<&Value>) -> Vec<Cow<'a, str>> {
    let absent = value.is_none_or(Value::is_null);
    let required = bound.required == Some(true) || bound.equals.is_some();
    if absent {
        return required.then_some(Cow::Borrowed("it is required")).into_iter().collect();
    }
    let value = value.unwrap_or(&Value::Null);
    // Each part by itself, so that the reason names the one that is violated.
    let only = |part: ArgConstraint| bound_words(&part).join(" ");
    let none = ArgConstraint::default;
    let parts = [
        (bound.min.is_some(), only(ArgConstraint { min: bound.min.clone(), ..none() }), is_at_least(bound, value)),
        (bound.max.is_some(), only(ArgConstraint { max: bound.max.clone(), ..none() }), is_at_most(bound, value)),
        (
            !bound.allowed.is_empty(),
            only(ArgConstraint { allowed: bound.allowed.clone(), ..none() }),
            bound.allowed.iter().any(|allowed| is_same(allowed, value)),
        ),
        (
            bound.pattern.is_some(),
            only(ArgConstraint { pattern: bound.pattern.clone(), ..none() }),
            is_matched(bound.pattern.as_deref(), value),
        ),
        (
            bound.max_length.is_some(),
            only(ArgConstraint { max_length: bound.max_length, ..none() }),
            is_short(bound.max_length, value),
        ),
        (
            bound.equals.is_some(),
            "equal to the value that it is tied to".to_owned(),
            bound.equals.as_ref().is_some_and(|equals| is_same(equals, value)),
        ),
    ];
    let violated = parts.into_iter().filter(|(is_set, _, holds)| *is_set && !holds);
    violated.map(|(_, words, _)| Cow::Owned(format!("it must be {words}"))).collect()
}

fn is_at_least(bound: &ArgConstraint, value: &Value) -> bool {
    let min = bound.min.as_ref().and_then(serde_json::Number::as_f64);
    min.zip(value.as_f64()).is_some_and(|(min, value)| value >= min)
}

fn is_at_most(bound: &ArgConstraint, value: &Value) -> bool {
    let max = bound.max.as_ref().and_then(serde_json::Number::as_f64);
    max.zip(value.as_f64()).is_some_and(|(max, value)| value <= max)
}

/// Compares values; numbers by value, however they are written.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b).is_eq() || (a == 0.0 && b == 0.0),
        _ => a == b,
    }
}

/// Returns true if the whole text matches; an unusable expression matches nothing.
fn is_matched(pattern: Option<&str>, value: &Value) -> bool {
    let Some((pattern, text)) = pattern.zip(value.as_str()) else { return false };
    let whole = CustomPattern::new("argument", &format!("^(?:{pattern})$"));
    whole.is_ok_and(|pattern| pattern.scan(text).iter().any(|found| found.range == (0..text.len())))
}

fn is_short(limit: Option<u64>, value: &Value) -> bool {
    let length = value.as_str().map(|text| text.chars().count() as u64);
    limit.zip(length).is_some_and(|(limit, length)| length <= limit)
}

/// Returns a decision that no longer borrows from the call.
fn detached<'a>(decision: deed_model::PolicyDecision<'_>) -> deed_model::PolicyDecision<'a> {
    let text = |text: Cow<'_, str>| -> Cow<'a, str> { Cow::Owned(text.into_owned()) };
    let texts = |list: Vec<Cow<'_, str>>| -> Vec<Cow<'a, str>> { list.into_iter().map(text).collect() };
    deed_model::PolicyDecision {
        approval_gate: decision.approval_gate.map(text),
        approval_mode: decision.approval_mode,
        arg_constraints: decision.arg_constraints.map(|bounds| Cow::Owned(bounds.into_owned())),
        branch: decision.branch,
        bundle_id: text(decision.bundle_id),
        capabilities: texts(decision.capabilities),
        decision_binding: decision.decision_binding.map(text),
        error: decision.error.map(text),
        forbids: texts(decision.forbids),
        policy_decision_id: text(decision.policy_decision_id),
        rationale: decision.rationale.map(text),
        reason: decision.reason.map(text),
        requires: texts(decision.requires),
        rule_id: text(decision.rule_id),
        verdict: decision.verdict,
    }
}
