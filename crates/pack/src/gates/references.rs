//! Validation gate 2, references: names resolve.
//!
//! Enters: the typed pack. Leaves: every name that does not resolve, is defined twice, or differs from another by one
//! letter. Must prove: bindings, gates, adapters, capabilities and evidence form a connected graph.

mod budget;
mod compatibility;
mod decisions;
mod duplicates;
mod evidence;
mod near_miss;
mod variables;

use super::GateInput;
use crate::pointer::pointer;
use crate::policies::RuleView;
use deed_detect::{CustomPattern, PersonalKind};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{Adapter, ContextPack, IntentScope, RedactionRule, RuleOutcome};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let names = Names::of(input.pack);
    let mut findings = duplicates::check(input);
    findings.extend(compatibility::check(input));
    findings.extend(rules(input, &names));
    findings.extend(gate_scopes(input, &names));
    findings.extend(permissions(input, &names));
    findings.extend(exposure(input));
    findings.extend(evidence::check(input));
    findings.extend(namespaces(input));
    findings.extend(decisions::check(input));
    findings.extend(redactions(input));
    findings.extend(budget::check(input, &names));
    findings.extend(variables::check(input));
    findings.extend(near_miss::check(input));
    findings
}

/// Every name that can be referred to.
struct Names<'a> {
    decisions: BTreeSet<&'a str>,
    gates: BTreeSet<&'a str>,
    intents: BTreeSet<&'a str>,
    adapters: BTreeMap<&'a str, &'a Adapter>,
    capabilities: BTreeSet<String>,
}

impl<'a> Names<'a> {
    fn of(pack: &'a ContextPack) -> Self {
        let adapters = &pack.tooling_layer.adapter_registry;
        Self {
            decisions: pack.decision_layer.decision_specs.iter().map(|d| d.decision_key.as_str()).collect(),
            gates: pack.policy_layer.approval_gates.iter().map(|g| g.gate_id.as_str()).collect(),
            intents: pack.intents().into_iter().collect(),
            adapters: adapters.iter().map(|a| (a.adapter_id.as_str(), a)).collect(),
            capabilities: adapters
                .iter()
                .flat_map(|a| a.capabilities.iter().map(move |c| format!("{}.{}", a.adapter_id, c.id())))
                .collect(),
        }
    }
}

/// The maximum number of names in a help text.
const MOST_NAMES: usize = 8;

/// Returns help for an unknown name: the most similar one, else the declared ones, else the place to declare it.
fn declared<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone, place: &str) -> String {
    if let Some(near) = did_you_mean(name, known.clone()) {
        return near;
    }
    let names: Vec<String> = known.clone().take(MOST_NAMES).map(quote).collect();
    match (names.is_empty(), known.skip(MOST_NAMES).count()) {
        (true, _) => format!("nothing is declared under `{place}`: add {} there", quote(name)),
        (false, 0) => format!("declared under `{place}`: {}", names.join(", ")),
        (false, more) => format!("declared under `{place}`: {} and {more} more", names.join(", ")),
    }
}

fn rules(input: &GateInput<'_>, names: &Names<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let mut findings = Vec::new();
    for view in input.policies.rules(input.pack) {
        let rule_id = quote(&view.rule.rule_id);
        if let Some(key) = view.rule.decision_binding.as_deref().filter(|k| !names.decisions.contains(k)) {
            findings.push(
                Diagnostic::error(
                    codes::UNKNOWN_DECISION,
                    format!("{rule_id} is bound to {}, which is not a decision of the pack", quote(key)),
                )
                .at(document.place(&view.part("decision_binding")))
                .help(declared(key, names.decisions.iter().copied(), "decision_layer.decision_specs")),
            );
        }
        findings.extend(scope(input, names, &rule_id, view.rule.applies_to.as_ref(), &view.part("applies_to")));
        findings.extend(outcome(input, names, &view, "then", &view.rule.then));
        if let Some(otherwise) = &view.rule.otherwise {
            findings.extend(outcome(input, names, &view, "else", otherwise));
        }
    }
    findings
}

fn gate_scopes(input: &GateInput<'_>, names: &Names<'_>) -> Vec<Diagnostic> {
    let gates = input.pack.policy_layer.approval_gates.iter().enumerate();
    let scopes = gates.flat_map(|(i, gate)| {
        let at = pointer!("policy_layer", "approval_gates", i, "applies_to");
        scope(input, names, &format!("the gate {}", quote(&gate.gate_id)), gate.applies_to.as_ref(), &at)
    });
    scopes.collect()
}

/// Reports intents of a scope that the pack does not have.
fn scope(
    input: &GateInput<'_>,
    names: &Names<'_>,
    owner: &str,
    scope: Option<&IntentScope>,
    at: &str,
) -> Vec<Diagnostic> {
    let Some(scope) = scope else { return Vec::new() };
    if scope.named().next().is_none() {
        let message = format!("`applies_to` of {owner} names no intent, and so means all of them");
        return vec![
            Diagnostic::error(codes::SCOPE_NAMES_NO_INTENT, message)
                .at(input.bundle.document.place(at))
                .help("name the intents, or leave `applies_to` out: then all are meant"),
        ];
    }
    let one = scope.intent.iter().map(|intent| (intent, format!("{at}/intent")));
    let several = scope.intents.iter().enumerate().map(|(i, intent)| (intent, format!("{at}/intents/{i}")));
    let unknown = one.chain(several).filter(|(intent, _)| !names.intents.contains(intent.as_str()));
    unknown
        .map(|(intent, place)| {
            Diagnostic::error(
                codes::UNKNOWN_INTENT,
                format!("{owner} applies to {}, which is not an intent of the pack", quote(intent)),
            )
            .at(input.bundle.document.place(&place))
            .help(declared(intent, names.intents.iter().copied(), "evaluation_layer.eval_targets"))
        })
        .collect()
}

fn outcome(
    input: &GateInput<'_>,
    names: &Names<'_>,
    view: &RuleView<'_>,
    branch: &str,
    outcome: &RuleOutcome,
) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let base = view.part(branch);
    let rule_id = quote(&view.rule.rule_id);
    let mut findings = Vec::new();
    if let Some(gate) = outcome.requires_approval_gate.as_deref().filter(|g| !names.gates.contains(g)) {
        findings.push(
            Diagnostic::error(
                codes::UNKNOWN_GATE,
                format!("{rule_id} requires the gate {}, which does not exist", quote(gate)),
            )
            .at(document.place(&format!("{base}/requires_approval_gate")))
            .help(declared(gate, names.gates.iter().copied(), "policy_layer.approval_gates")),
        );
    }
    let lists =
        [("forbids", &outcome.forbids), ("prohibits", &outcome.prohibits), ("capabilities", &outcome.capabilities)];
    for (list, items) in lists {
        for (i, name) in items.iter().enumerate().filter(|(_, name)| !names.capabilities.contains(*name)) {
            findings.push(
                Diagnostic::error(
                    codes::UNKNOWN_ADAPTER_CAPABILITY,
                    format!("{rule_id} names {}, which no adapter offers", quote(name)),
                )
                .at(document.place(&format!("{base}/{list}/{i}")))
                .help(
                    did_you_mean(name, names.capabilities.iter().map(String::as_str))
                        .unwrap_or_else(|| "capabilities are written `adapter.capability`".to_owned()),
                ),
            );
        }
    }
    findings
}

fn permissions(input: &GateInput<'_>, names: &Names<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let mut findings = Vec::new();
    for (i, permission) in input.pack.tooling_layer.permissions.iter().enumerate() {
        let part = |name: &str| document.place(&pointer!("tooling_layer", "permissions", i, name));
        let id = quote(&permission.permission_id);
        match names.adapters.get(permission.adapter_id.as_str()) {
            None => findings.push(
                Diagnostic::error(
                    codes::UNKNOWN_ADAPTER,
                    format!("{id} is for the adapter {}, which is not registered", quote(&permission.adapter_id)),
                )
                .at(part("adapter_id"))
                .help(declared(
                    &permission.adapter_id,
                    names.adapters.keys().copied(),
                    "tooling_layer.adapter_registry",
                )),
            ),
            Some(adapter) if !adapter.capabilities.iter().any(|c| c.id() == permission.capability) => findings.push(
                Diagnostic::error(
                    codes::UNKNOWN_ADAPTER_CAPABILITY,
                    format!(
                        "{id} is for {}, which {} does not offer",
                        quote(&permission.capability),
                        quote(&adapter.adapter_id)
                    ),
                )
                .at(part("capability"))
                .help(declared(
                    &permission.capability,
                    adapter.capabilities.iter().map(|c| c.id()),
                    "capabilities of the adapter",
                )),
            ),
            Some(_) => {}
        }
        if let Some(gate) = permission.requires_approval_gate.as_deref().filter(|g| !names.gates.contains(g)) {
            findings.push(
                Diagnostic::error(
                    codes::UNKNOWN_GATE,
                    format!("{id} requires the gate {}, which does not exist", quote(gate)),
                )
                .at(part("requires_approval_gate"))
                .help(declared(gate, names.gates.iter().copied(), "policy_layer.approval_gates")),
            );
        }
    }
    findings
}

/// Reports capabilities without a permission: allowed, but probably an oversight.
fn exposure(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let tooling = &input.pack.tooling_layer;
    let spoken: BTreeSet<(&str, &str)> =
        tooling.permissions.iter().map(|p| (p.adapter_id.as_str(), p.capability.as_str())).collect();
    let mut findings = Vec::new();
    for (a, adapter) in tooling.adapter_registry.iter().enumerate() {
        for (c, capability) in adapter.capabilities.iter().enumerate() {
            if !spoken.contains(&(adapter.adapter_id.as_str(), capability.id())) {
                findings.push(
                    Diagnostic::info(
                        codes::CAPABILITY_NOT_EXPOSED,
                        format!(
                            "no permission names `{}.{}`, so it is never surfaced",
                            adapter.adapter_id,
                            capability.id()
                        ),
                    )
                    .at(input.bundle.document.place(&pointer!(
                        "tooling_layer",
                        "adapter_registry",
                        a,
                        "capabilities",
                        c
                    ))),
                );
            }
        }
    }
    findings
}

fn namespaces(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let refs = &input.pack.intelligence_refs;
    // `SaaSApp` and `saas_app` are the same name: only letters and digits count.
    let plain = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let namespaces: BTreeSet<String> = refs.identity_layer.ceid_namespaces.iter().map(|n| plain(n)).collect();
    let mut findings: Vec<Diagnostic> = Vec::new();
    if namespaces.is_empty() {
        findings.push(
            Diagnostic::warning(
                codes::SUBJECTS_UNBOUNDED,
                "no namespace of subjects is named, so no run may name a subject",
            )
            .at(input.bundle.document.place("/intelligence_refs/identity_layer/ceid_namespaces"))
            .help("list the namespaces of the ids that runs use, such as `customer`"),
        );
    }
    let unnamed =
        refs.ontology.entity_types.iter().enumerate().filter(|(_, entity)| !namespaces.contains(&plain(entity))).map(
            |(i, entity)| {
                Diagnostic::warning(
                    codes::IDENTITY_NAMESPACE_MISSING,
                    format!("subjects of type {} have no identity namespace", quote(entity)),
                )
                .at(input.bundle.document.place(&pointer!("intelligence_refs", "ontology", "entity_types", i)))
                .help(format!("add `{}` to `identity_layer.ceid_namespaces`", crate::evidence::snake(entity)))
            },
        );
    findings.extend(unnamed);
    findings
}

fn redactions(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let rules = input.pack.policy_layer.guardrails.redaction_rules.iter().enumerate();
    let mut seen = BTreeSet::new();
    rules
        .filter_map(|(i, rule)| {
            let place = input.bundle.document.place(&pointer!("policy_layer", "guardrails", "redaction_rules", i));
            let twice = (!seen.insert(rule.id())).then(|| {
                let message = format!("the redaction rule {} is defined twice", quote(rule.id()));
                Diagnostic::error(codes::UNUSABLE_REDACTION, message)
                    .help("reports name rules by their ids: remove one of the two")
            });
            redaction(rule).or(twice).map(|finding| finding.at(place))
        })
        .collect()
}

/// Reports an unusable redaction rule. A compile refuses it too: a rule without a detector redacts nothing.
fn redaction(rule: &RedactionRule) -> Option<Diagnostic> {
    match rule {
        RedactionRule::Named(name) if name.parse::<PersonalKind>().is_ok() => None,
        RedactionRule::Named(name) => {
            let known: Vec<String> = PersonalKind::ALL.iter().map(ToString::to_string).collect();
            let message = format!("{} is not a redaction rule that ships with deed", quote(name));
            let others = || format!("there are {}; write `{{id, pattern}}` for one of your own", known.join(", "));
            let help = did_you_mean(name, known.iter().map(String::as_str)).unwrap_or_else(others);
            Some(Diagnostic::error(codes::UNKNOWN_REDACTION, message).help(help))
        }
        RedactionRule::Pattern(own) if own.id.parse::<PersonalKind>().is_ok() => {
            let message = format!("{} is the name of a built-in redaction rule", quote(&own.id));
            Some(Diagnostic::error(codes::UNUSABLE_REDACTION, message).help("give the pattern another id"))
        }
        RedactionRule::Pattern(own) => {
            let error = CustomPattern::new(&own.id, &own.pattern).err()?;
            let message = format!("the redaction rule {} cannot be used: {error}", quote(&own.id));
            Some(Diagnostic::error(codes::UNUSABLE_REDACTION, message))
        }
    }
}
