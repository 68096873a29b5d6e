//! Duplicate names.

use super::super::GateInput;
use crate::pointer::pointer;
use deed_diag::{Diagnostic, codes, quote};
use std::collections::BTreeMap;

/// Names that must be unique, with their places.
struct Group {
    /// The noun for messages.
    noun: &'static str,
    names: Vec<(String, String)>,
}

impl Group {
    fn of<'a, T: 'a>(
        noun: &'static str,
        items: impl IntoIterator<Item = &'a T>,
        name: impl Fn(&'a T) -> &'a str,
        place: impl Fn(usize) -> String,
    ) -> Self {
        let names = items.into_iter().enumerate().map(|(i, item)| (name(item).to_owned(), place(i)));
        Self { noun, names: names.collect() }
    }
}

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let groups = [policy(input), tooling(input), decisions(input), intents(input)];
    groups.into_iter().flatten().flat_map(|group| repeated(input, group)).collect()
}

fn policy(input: &GateInput<'_>) -> Vec<Group> {
    let layer = &input.pack.policy_layer;
    let bundles = Group::of(
        "bundle",
        &layer.policy_bundles,
        |bundle| &bundle.bundle_id,
        |i| pointer!("policy_layer", "policy_bundles", i, "bundle_id"),
    );
    let rules = input.policies.rules(input.pack).map(|view| (view.rule.rule_id.clone(), view.part("rule_id")));
    let rules = Group { noun: "rule", names: rules.collect() };
    let gates = Group::of(
        "gate",
        &layer.approval_gates,
        |gate| &gate.gate_id,
        |i| pointer!("policy_layer", "approval_gates", i, "gate_id"),
    );
    let lists = [("must_refuse", &layer.guardrails.must_refuse), ("must_escalate", &layer.guardrails.must_escalate)];
    let guardrails = lists.into_iter().map(|(list, items)| {
        let place = |i: usize| pointer!("policy_layer", "guardrails", list, i);
        Group::of("guardrail", items, |guardrail| guardrail.id(), place)
    });
    [bundles, rules, gates].into_iter().chain(guardrails).collect()
}

fn tooling(input: &GateInput<'_>) -> Vec<Group> {
    let layer = &input.pack.tooling_layer;
    let adapters = Group::of(
        "adapter",
        &layer.adapter_registry,
        |adapter| &adapter.adapter_id,
        |i| pointer!("tooling_layer", "adapter_registry", i, "adapter_id"),
    );
    let capabilities = layer.adapter_registry.iter().enumerate().map(|(a, adapter)| {
        let place = |c: usize| pointer!("tooling_layer", "adapter_registry", a, "capabilities", c);
        Group::of("capability", &adapter.capabilities, |capability| capability.id(), place)
    });
    let permissions = Group::of(
        "permission",
        &layer.permissions,
        |permission| &permission.permission_id,
        |i| pointer!("tooling_layer", "permissions", i, "permission_id"),
    );
    std::iter::once(adapters).chain(capabilities).chain([permissions]).collect()
}

fn decisions(input: &GateInput<'_>) -> Vec<Group> {
    let specs = &input.pack.decision_layer.decision_specs;
    let decisions = Group::of(
        "decision",
        specs,
        |spec| &spec.decision_key,
        |i| pointer!("decision_layer", "decision_specs", i, "decision_key"),
    );
    let outcomes = specs.iter().enumerate().map(|(d, spec)| {
        let place = |o: usize| pointer!("decision_layer", "decision_specs", d, "allowed_outcomes", o);
        Group::of("outcome", &spec.allowed_outcomes, |name| name, place)
    });
    std::iter::once(decisions).chain(outcomes).collect()
}

fn intents(input: &GateInput<'_>) -> Vec<Group> {
    let targets = Group::of(
        "score target",
        &input.pack.evaluation_layer.eval_targets,
        |target| &target.intent,
        |i| pointer!("evaluation_layer", "eval_targets", i, "intent"),
    );
    let catalog = input.pack.intent_layer.iter().map(|layer| {
        Group::of("intent", &layer.catalog, |entry| &entry.id, |i| pointer!("intent_layer", "catalog", i, "id"))
    });
    std::iter::once(targets).chain(catalog).collect()
}

fn repeated(input: &GateInput<'_>, group: Group) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    let mut findings = Vec::new();
    for (name, at) in group.names {
        if let Some(before) = first.get(&name) {
            findings.push(
                Diagnostic::error(
                    codes::DUPLICATE_NAME,
                    format!("the {} {} is defined twice", group.noun, quote(&name)),
                )
                .at(document.place(&at))
                .related(document.place(before), "first defined here"),
            );
        } else {
            first.insert(name, at);
        }
    }
    findings
}
