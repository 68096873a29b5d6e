//! Everything that can stop a call of a capability, or leave it to a person.

use super::super::Exposed;
use crate::argument::{NamedArgument, named_arguments};
use crate::gates::GateInput;
use deed_logic::Program;
use deed_model::{ArgConstraint, Rule, RuleOutcome};
use serde_json::Value;
use std::collections::BTreeMap;

/// A predicate that stops a call, or leaves it to a person, where it has this truth.
pub(super) struct Guard<'a> {
    pub(super) program: &'a Program,
    pub(super) stops: bool,
    /// Bounds that apply where it has this truth: it stops only calls that violate them.
    pub(super) bounds: Option<&'a BTreeMap<String, ArgConstraint>>,
    /// True if it activates the gate of the permission.
    pub(super) is_gate: bool,
    /// False for a rule whose errors are skipped.
    pub(super) enforcing: bool,
}

/// The effect of a guard on one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It does nothing.
    Silent,
    /// It stops the call.
    Stops,
    /// It stops the call because it cannot be evaluated.
    Errs,
}

impl Guard<'_> {
    /// Returns the fixed paths that it reads; bounds read their arguments.
    pub(super) fn reads(&self) -> Vec<String> {
        let used = self.program.variables().into_iter().filter(|used| !used.scoped);
        let bounded = self.bounds.into_iter().flat_map(BTreeMap::keys).map(|name| format!("call.arguments.{name}"));
        used.map(|used| used.path.join(".")).chain(bounded).collect()
    }

    pub(super) fn effect(&self, data: &Value) -> Effect {
        match self.program.test(data) {
            Ok(truth) if truth != self.stops => Effect::Silent,
            Ok(_) => match self.bounds {
                Some(bounds) if admits(bounds.iter(), data) && are_tied(bounds, data) => Effect::Silent,
                Some(_) | None => Effect::Stops,
            },
            Err(_) if self.enforcing => Effect::Errs,
            Err(_) => Effect::Silent,
        }
    }
}

/// Returns the gates of a capability's permission that apply to an intent.
pub(super) fn gates(input: &GateInput<'_>, exposed: &Exposed<'_>, intent: &str) -> Vec<String> {
    let declared = &input.pack.policy_layer.approval_gates;
    let applies = |id: &&String| {
        let gate = declared.iter().find(|gate| gate.gate_id == **id);
        gate.is_some_and(|gate| gate.applies_to.as_ref().is_none_or(|scope| scope.covers(intent)))
    };
    exposed.permission.requires_approval_gate.iter().filter(applies).cloned().collect()
}

/// Returns every guard of a capability in an intent; `None` if one of them always stops.
pub(super) fn of<'a>(
    input: &'a GateInput<'_>,
    exposed: &Exposed<'_>,
    intent: &str,
    gates: &[String],
) -> Option<Vec<Guard<'a>>> {
    let mut guards = Vec::new();
    let control = |program, is_gate| Guard { program, stops: true, bounds: None, is_gate, enforcing: true };
    for predicate in gates.iter().filter_map(|gate| input.policies.gate(gate)) {
        // A gate whose predicate does not compile is always active.
        guards.push(control(predicate.program()?, true));
    }
    guards.extend(rules(input, exposed, intent, gates)?);
    for (_, predicate) in input.policies.guardrails() {
        guards.push(control(predicate.program()?, false));
    }
    Some(guards)
}

/// Returns the branches of rules that stop a call; `None` if a rule that always denies does.
fn rules<'a>(
    input: &'a GateInput<'_>,
    exposed: &Exposed<'_>,
    intent: &str,
    gates: &[String],
) -> Option<Vec<Guard<'a>>> {
    let name = exposed.name();
    let mut guards = Vec::new();
    for view in input.policies.rules(input.pack).filter(|view| view.covers(intent)) {
        let branches = [(true, Some(&view.rule.then)), (false, view.rule.otherwise.as_ref())];
        for (branch, outcome) in branches.into_iter().filter_map(|(branch, o)| o.map(|o| (branch, o))) {
            let stopping = stops(outcome, &name, gates);
            let meant = outcome.capabilities.contains(&name) && !outcome.arg_constraints.is_empty();
            if !stopping && !meant {
                continue;
            }
            // A rule that does not compile denies at every evaluation.
            let Some(program) = view.predicate.program() else {
                if is_enforcing(view.rule) {
                    return None;
                }
                continue;
            };
            let is_gate = outcome.requires_approval_gate.as_ref().is_some_and(|gate| gates.contains(gate));
            let enforcing = is_enforcing(view.rule);
            if stopping {
                guards.push(Guard { program, stops: branch, bounds: None, is_gate, enforcing });
            }
            if meant {
                let bounds = Some(&outcome.arg_constraints);
                guards.push(Guard { program, stops: branch, bounds, is_gate: false, enforcing });
            }
        }
    }
    Some(guards)
}

fn is_enforcing(rule: &Rule) -> bool {
    rule.non_enforcing != Some(true)
}

/// Returns true if an outcome denies, forbids the capability, or demands a person for it.
fn stops(outcome: &RuleOutcome, name: &str, gates: &[String]) -> bool {
    let demanded = outcome.requires_approval_gate.as_ref();
    outcome.allow == Some(false)
        || outcome.forbidden().any(|forbidden| forbidden == name)
        || outcome.requires.iter().any(|required| required == "approval")
        || demanded.is_some_and(|gate| gates.contains(gate) || outcome.capabilities.iter().any(|own| own == name))
}

/// Returns what stands at the name of an argument of the call.
fn named<'d>(data: &'d Value, name: &str) -> Vec<NamedArgument<'d>> {
    let arguments = data.get("call").and_then(|call| call.get("arguments")).and_then(Value::as_object);
    arguments.map_or_else(|| vec![NamedArgument::Absent], |arguments| named_arguments(arguments, name))
}

/// Returns true if every argument has the value that it is tied to.
fn are_tied(bounds: &BTreeMap<String, ArgConstraint>, data: &Value) -> bool {
    let mut ties = bounds.iter().filter_map(|(name, bound)| Some((name, bound.equals.as_ref()?)));
    ties.all(|(name, equals)| {
        let program = Program::compile(equals, deed_logic::Mode::Strict).ok();
        let value = program.and_then(|program| program.eval(data).ok());
        value.is_some_and(|tied| {
            named(data, name).iter().all(|own| matches!(own, NamedArgument::Value(own) if is_same(&tied, own)))
        })
    })
}

/// Returns true if the arguments of a call satisfy every bound, apart from ties. Arguments that are not stated could be
/// anything, and forms of text are taken as satisfied.
pub(super) fn admits<'b>(mut bounds: impl Iterator<Item = (&'b String, &'b ArgConstraint)>, data: &Value) -> bool {
    bounds.all(|(name, bound)| {
        named(data, name).into_iter().all(|own| match own {
            NamedArgument::Absent => true,
            NamedArgument::Value(value) => is_within(bound, value),
            NamedArgument::Unreadable => false,
        })
    })
}

/// Returns true if a value satisfies a bound, apart from its tie and its form.
fn is_within(bound: &ArgConstraint, value: &Value) -> bool {
    let number = |n: &Option<serde_json::Number>| n.as_ref().and_then(serde_json::Number::as_f64);
    let above = number(&bound.min).is_none_or(|min| value.as_f64().is_some_and(|own| own >= min));
    let below = number(&bound.max).is_none_or(|max| value.as_f64().is_some_and(|own| own <= max));
    let listed = bound.allowed.is_empty() || bound.allowed.iter().any(|allowed| is_same(allowed, value));
    let short = bound.max_length.is_none_or(|most| {
        let length = value.as_str().map(|text| text.chars().count() as u64);
        length.is_some_and(|length| length <= most)
    });
    let formed = bound.pattern.is_none() || value.is_string();
    above && below && listed && short && formed
}

/// Compares values; numbers by value, however they are written.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b).is_eq() || (a == 0.0 && b == 0.0),
        _ => a == b,
    }
}
