//! Names that stand twice where one was meant.

use super::super::GateInput;
use crate::pointer::pointer;
use deed_diag::{Code, Diagnostic, quote};
use std::collections::BTreeMap;

const DUPLICATE: Code = Code::new("D0306");

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let pack = input.pack;
    let policy = &pack.policy_layer;
    let tooling = &pack.tooling_layer;
    let mut findings = Vec::new();
    let mut unique = |what: &str, names: Vec<(String, String)>| findings.extend(repeated(input, what, names));
    unique(
        "bundle",
        policy
            .policy_bundles
            .iter()
            .enumerate()
            .map(|(i, b)| (b.bundle_id.clone(), pointer!("policy_layer", "policy_bundles", i, "bundle_id")))
            .collect(),
    );
    unique("rule", input.policies.rules(pack).map(|view| (view.rule.rule_id.clone(), view.part("rule_id"))).collect());
    unique(
        "gate",
        policy
            .approval_gates
            .iter()
            .enumerate()
            .map(|(i, g)| (g.gate_id.clone(), pointer!("policy_layer", "approval_gates", i, "gate_id")))
            .collect(),
    );
    for (list, items) in
        [("must_refuse", &policy.guardrails.must_refuse), ("must_escalate", &policy.guardrails.must_escalate)]
    {
        unique(
            "guardrail",
            items
                .iter()
                .enumerate()
                .map(|(i, g)| (g.id().to_owned(), pointer!("policy_layer", "guardrails", list, i)))
                .collect(),
        );
    }
    unique(
        "adapter",
        tooling
            .adapter_registry
            .iter()
            .enumerate()
            .map(|(i, a)| (a.adapter_id.clone(), pointer!("tooling_layer", "adapter_registry", i, "adapter_id")))
            .collect(),
    );
    for (a, adapter) in tooling.adapter_registry.iter().enumerate() {
        unique(
            "capability",
            adapter
                .capabilities
                .iter()
                .enumerate()
                .map(|(c, cap)| {
                    (cap.id().to_owned(), pointer!("tooling_layer", "adapter_registry", a, "capabilities", c))
                })
                .collect(),
        );
    }
    unique(
        "permission",
        tooling
            .permissions
            .iter()
            .enumerate()
            .map(|(i, p)| (p.permission_id.clone(), pointer!("tooling_layer", "permissions", i, "permission_id")))
            .collect(),
    );
    unique(
        "decision",
        pack.decision_layer
            .decision_specs
            .iter()
            .enumerate()
            .map(|(i, d)| (d.decision_key.clone(), pointer!("decision_layer", "decision_specs", i, "decision_key")))
            .collect(),
    );
    for (d, spec) in pack.decision_layer.decision_specs.iter().enumerate() {
        unique(
            "outcome",
            spec.allowed_outcomes
                .iter()
                .enumerate()
                .map(|(o, name)| (name.clone(), pointer!("decision_layer", "decision_specs", d, "allowed_outcomes", o)))
                .collect(),
        );
    }
    unique(
        "score target",
        pack.evaluation_layer
            .eval_targets
            .iter()
            .enumerate()
            .map(|(i, t)| (t.intent.clone(), pointer!("evaluation_layer", "eval_targets", i, "intent")))
            .collect(),
    );
    if let Some(layer) = &pack.intent_layer {
        unique(
            "intent",
            layer
                .catalog
                .iter()
                .enumerate()
                .map(|(i, e)| (e.id.clone(), pointer!("intent_layer", "catalog", i, "id")))
                .collect(),
        );
    }
    findings
}

fn repeated(input: &GateInput<'_>, what: &str, names: Vec<(String, String)>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    let mut findings = Vec::new();
    for (name, at) in names {
        if let Some(before) = first.get(&name) {
            findings.push(
                Diagnostic::error(DUPLICATE, format!("the {what} {} stands twice", quote(&name)))
                    .at(document.place(&at))
                    .related(document.place(before), "the first one"),
            );
        } else {
            first.insert(name, at);
        }
    }
    findings
}
