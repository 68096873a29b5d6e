//! Sources of evidence: the request, a policy, a tool, or the graph.
//!
//! Evidence is named freely (`order_lookup`, `identity_verified`), so names are compared by their words: a tool
//! satisfies a name if every word of it is a word of the adapter or the capability, and one of them is the
//! capability's.

use super::super::GateInput;
use crate::pointer::pointer;
use deed_diag::{Diagnostic, codes, nearest, quote};
use deed_model::{ApprovalMode, ContextPack};
use std::collections::{BTreeMap, BTreeSet};

/// Words that a rule may require without a source: a person's approval.
const OBLIGATIONS: [&str; 1] = ["approval"];

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let sources = Sources::of(input);
    let document = &input.bundle.document;
    let mut findings = Vec::new();
    for (d, spec) in input.pack.decision_layer.decision_specs.iter().enumerate() {
        for (e, name) in spec.required_evidence.iter().enumerate().filter(|(_, name)| !sources.satisfies(name)) {
            findings.push(
                Diagnostic::error(
                    codes::EVIDENCE_UNSATISFIABLE,
                    format!(
                        "nothing in the pack can supply the evidence {} of {}",
                        quote(name),
                        quote(&spec.decision_key)
                    ),
                )
                .at(document.place(&pointer!("decision_layer", "decision_specs", d, "required_evidence", e)))
                .help(sources.hint(name)),
            );
        }
    }
    for view in input.policies.rules(input.pack) {
        let branches = [("then", Some(&view.rule.then)), ("else", view.rule.otherwise.as_ref())];
        for (branch, outcome) in branches.into_iter().filter_map(|(name, o)| o.map(|o| (name, o))) {
            for (i, name) in outcome.requires.iter().enumerate() {
                if !OBLIGATIONS.contains(&name.as_str()) && !sources.satisfies(name) {
                    findings.push(
                        Diagnostic::warning(
                            codes::REQUIRES_UNKNOWN,
                            format!(
                                "nothing in the pack can supply {}, which {} requires",
                                quote(name),
                                quote(&view.rule.rule_id)
                            ),
                        )
                        .at(document.place(&format!("{}/{branch}/requires/{i}", view.pointer())))
                        .help(sources.hint(name)),
                    );
                }
            }
        }
    }
    findings
}

/// All possible sources of evidence.
struct Sources {
    names: BTreeSet<String>,
    by_word: BTreeMap<String, Vec<usize>>,
    tools: Vec<Tool>,
}

struct Tool {
    words: BTreeSet<String>,
    capability: BTreeSet<String>,
}

impl Sources {
    fn of(input: &GateInput<'_>) -> Self {
        let pack = input.pack;
        let mut names = request_fields(input);
        names.extend(policy_names(pack));
        names.extend(graph_names(pack));
        let mut tools = Vec::new();
        let mut by_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (adapter, capability) in readable(pack) {
            for name in
                [format!("{adapter}.{capability}"), format!("tool:{adapter}.{capability}"), capability.to_owned()]
            {
                names.insert(name);
            }
            let own = words(capability);
            let all = own.union(&words(adapter)).cloned().collect();
            own.iter().for_each(|word| by_word.entry(word.clone()).or_default().push(tools.len()));
            tools.push(Tool { words: all, capability: own });
        }
        Self { names, by_word, tools }
    }

    fn satisfies(&self, name: &str) -> bool {
        if self.names.contains(name) || self.names.contains(&snake(name)) {
            return true;
        }
        let wanted = words(name);
        // Only tools whose capability shares a word can match, so a large surface stays cheap.
        wanted
            .iter()
            .filter_map(|word| self.by_word.get(word))
            .flatten()
            .filter_map(|i| self.tools.get(*i))
            .any(|tool| wanted.is_subset(&tool.words) && !wanted.is_disjoint(&tool.capability))
    }

    fn hint(&self, name: &str) -> String {
        match nearest(name, self.names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "evidence comes from a field of `request.context` that a rule reads, an exposed tool, \
                     `policy_eval` or a rule, or an entity or relationship of the ontology"
                .to_owned(),
        }
    }
}

/// Returns the exposed capabilities that can supply evidence; a destructive one cannot.
fn readable(pack: &ContextPack) -> impl Iterator<Item = (&str, &str)> {
    let tooling = &pack.tooling_layer;
    let of = |p: &'_ deed_model::Permission| (p.adapter_id.clone(), p.capability.clone());
    let denied: BTreeSet<(String, String)> = tooling.permissions.iter().filter(|p| !p.allow).map(of).collect();
    let destructive: BTreeSet<(&str, &str)> = tooling
        .adapter_registry
        .iter()
        .flat_map(|a| a.capabilities.iter().map(move |c| (a, c)))
        .filter(|(a, c)| c.declared_mode(a) == ApprovalMode::Destructive)
        .map(|(a, c)| (a.adapter_id.as_str(), c.id()))
        .collect();
    tooling
        .permissions
        .iter()
        .filter(move |p| p.allow && !denied.contains(&of(p)))
        .map(|p| (p.adapter_id.as_str(), p.capability.as_str()))
        .filter(move |key| !destructive.contains(key))
}

/// Returns the fields of the request's context that some predicate reads.
fn request_fields(input: &GateInput<'_>) -> BTreeSet<String> {
    input
        .policies
        .all()
        .filter_map(|p| p.program())
        .flat_map(|program| program.variables())
        .filter(|v| !v.scoped)
        .filter_map(|v| context_field(&v.path))
        .flat_map(|field| [format!("request.context.{field}"), field])
        .collect()
}

/// Returns the field of the request's context that a path reads.
pub(super) fn context_field(path: &[String]) -> Option<String> {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["request", "context", field, ..] | ["request", "input", "context", field, ..] => Some((*field).to_owned()),
        _ => None,
    }
}

fn policy_names(pack: &ContextPack) -> BTreeSet<String> {
    let fixed = ["policy_eval", "policy_evaluation", "policy_decision"].map(str::to_owned);
    let bundles = pack.policy_layer.policy_bundles.iter().map(|b| b.bundle_id.clone());
    let rules = pack.rules().map(|(_, rule)| rule.rule_id.clone());
    let gates = pack.policy_layer.approval_gates.iter().map(|g| g.gate_id.clone());
    let plain: Vec<String> = bundles.chain(rules).chain(gates).collect();
    let prefixed: Vec<String> = plain.iter().map(|name| format!("policy:{name}")).collect();
    fixed.into_iter().chain(plain).chain(prefixed).collect()
}

fn graph_names(pack: &ContextPack) -> BTreeSet<String> {
    let ontology = &pack.intelligence_refs.ontology;
    let entities =
        ontology.entity_types.iter().map(|e| snake(e)).flat_map(|e| {
            [format!("kg:{e}"), format!("{e}_record"), format!("{e}_snapshot"), format!("{e}_history"), e]
        });
    let relations = ontology.relationship_types.iter().map(|r| snake(r)).flat_map(|r| [format!("kg:{r}"), r]);
    entities.chain(relations).collect()
}

/// Converts `OrderLine` and `order-line` to `order_line`.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut lower_before = false;
    for c in name.chars() {
        if c.is_uppercase() && lower_before {
            out.push('_');
        }
        lower_before = c.is_lowercase() || c.is_ascii_digit();
        out.extend(if matches!(c, '-' | '.' | ' ') { '_' } else { c }.to_lowercase());
    }
    out
}

/// Returns the words of a name, singular, without the customary `adp` prefix.
fn words(name: &str) -> BTreeSet<String> {
    snake(name).split('_').filter(|w| !w.is_empty() && *w != "adp" && *w != "adapter").map(singular).collect()
}

fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|s| s.len() > 1) {
        return format!("{stem}y");
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}
