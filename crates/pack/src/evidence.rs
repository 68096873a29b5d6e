//! Sources of evidence: the request, a policy, a tool, or the graph.
//!
//! Evidence is named freely (`order_lookup`, `identity_verified`), so names are compared by their words: a tool
//! satisfies a name if every word of it is a word of the adapter or the capability, and one of them is the
//! capability's. Lint asks whether a name has a source; the context compiler asks which, and whether it was supplied.

use deed_diag::nearest;
use deed_logic::Program;
use deed_model::{ApprovalMode, ContextPack, Guardrail, PolicyBundle, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// The obligation that a person meets, and no evidence.
pub const APPROVAL_OBLIGATION: &str = "approval";

/// A source of evidence.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceSource {
    /// A field of the request's context.
    RequestField(String),
    /// The result of a capability: evidence with the reference `tool:<adapter>.<capability>:<call>`.
    Tool {
        /// The adapter.
        adapter_id: String,
        /// The capability.
        capability: String,
    },
    /// Policy as a whole: some rule fired and none failed.
    Policy,
    /// A rule that fired.
    Rule(String),
    /// A rule of a bundle that fired.
    Bundle(String),
    /// An approval at a gate, which is given after the compile: a decision has it among its approvals, by the gate's id.
    Gate(String),
    /// An entity or a relationship of the ontology: evidence with the reference `kg:<type>:<id>#<snapshot>`.
    Graph(String),
}

/// All possible sources of evidence of a pack.
#[derive(Debug)]
pub struct EvidenceSources {
    names: BTreeMap<String, Vec<EvidenceSource>>,
    by_word: BTreeMap<String, Vec<usize>>,
    tools: Vec<Tool>,
}

#[derive(Debug)]
struct Tool {
    words: BTreeSet<String>,
    capability: BTreeSet<String>,
    source: EvidenceSource,
}

impl EvidenceSources {
    /// Collects the sources of a pack.
    pub fn of(pack: &ContextPack) -> Self {
        let mut names: BTreeMap<String, Vec<EvidenceSource>> = BTreeMap::new();
        let mut name = |name: String, source: EvidenceSource| {
            let known = names.entry(name).or_default();
            if !known.contains(&source) {
                known.push(source);
            }
        };
        for field in request_fields(pack) {
            name(format!("request.context.{field}"), EvidenceSource::RequestField(field.clone()));
            name(field.clone(), EvidenceSource::RequestField(field));
        }
        policy_names(pack).into_iter().for_each(|(own, source)| name(own, source));
        graph_names(pack).into_iter().for_each(|(own, kind)| name(own, EvidenceSource::Graph(kind)));
        let mut tools = Vec::new();
        let mut by_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (adapter, capability) in readable(pack) {
            let source = EvidenceSource::Tool { adapter_id: adapter.to_owned(), capability: capability.to_owned() };
            for own in
                [format!("{adapter}.{capability}"), format!("tool:{adapter}.{capability}"), capability.to_owned()]
            {
                name(own, source.clone());
            }
            let own = words(capability);
            let all = own.union(&words(adapter)).cloned().collect();
            own.iter().for_each(|word| by_word.entry(word.clone()).or_default().push(tools.len()));
            tools.push(Tool { words: all, capability: own, source });
        }
        Self { names, by_word, tools }
    }

    /// Returns every source that can supply a name; none if nothing in the pack can.
    pub fn resolve(&self, name: &str) -> Vec<EvidenceSource> {
        let exact = self.names.get(name).or_else(|| self.names.get(&snake(name)));
        let mut found: Vec<EvidenceSource> = exact.cloned().unwrap_or_default();
        let wanted = words(name);
        // Only tools whose capability shares a word can match, so a large surface stays cheap.
        let positions: BTreeSet<usize> =
            wanted.iter().filter_map(|word| self.by_word.get(word)).flatten().copied().collect();
        let matching = positions.into_iter().filter_map(|at| self.tools.get(at));
        for tool in matching.filter(|t| wanted.is_subset(&t.words) && !wanted.is_disjoint(&t.capability)) {
            if !found.contains(&tool.source) {
                found.push(tool.source.clone());
            }
        }
        found
    }

    /// Returns help for a name without a source.
    pub(crate) fn hint(&self, name: &str) -> String {
        let gate = name.strip_prefix("policy:").unwrap_or(name);
        if self.names.get(gate).is_some_and(|sources| matches!(sources.as_slice(), [EvidenceSource::Gate(_)])) {
            return format!(
                "write `{gate}`: the approval at a gate is given after the compile, by the name of the gate"
            );
        }
        match nearest(name, self.names.keys().map(String::as_str)) {
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
fn request_fields(pack: &ContextPack) -> BTreeSet<String> {
    let rules =
        pack.rules().map(|(bundle, rule)| (&rule.condition, crate::policies::mode_of(bundle.policy_dsl.language)));
    let gates = pack.policy_layer.approval_gates.iter().map(|gate| &gate.when);
    let guards = &pack.policy_layer.guardrails;
    let guardrails = guards.must_refuse.iter().chain(&guards.must_escalate).filter_map(|guardrail| match guardrail {
        Guardrail::Label(_) => None,
        Guardrail::Predicate { when, .. } => Some(when),
    });
    let strict = gates.chain(guardrails).map(|when| (when, deed_logic::Mode::Strict));
    let programs = rules.chain(strict).filter_map(|(source, mode)| Program::compile(source, mode).ok());
    let used = programs.flat_map(|program| program.variables()).filter(|used| !used.scoped);
    used.filter_map(|used| context_field(&used.path)).collect()
}

/// Returns the field of the request's context that a path reads.
pub(crate) fn context_field(path: &[String]) -> Option<String> {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["request", "context", field, ..] | ["request", "input", "context", field, ..] => Some((*field).to_owned()),
        _ => None,
    }
}

fn policy_names(pack: &ContextPack) -> Vec<(String, EvidenceSource)> {
    let decided: Vec<_> = pack.rules().filter(|(bundle, rule)| is_decided_before_calls(bundle, rule)).collect();
    let fixed = ["policy_eval", "policy_evaluation", "policy_decision"].into_iter().filter(|_| !decided.is_empty());
    let fixed = fixed.map(|name| (name.to_owned(), EvidenceSource::Policy));
    let bundles = decided.iter().map(|(b, _)| (b.bundle_id.clone(), EvidenceSource::Bundle(b.bundle_id.clone())));
    let rules = decided.iter().map(|(_, rule)| (rule.rule_id.clone(), EvidenceSource::Rule(rule.rule_id.clone())));
    let plain: Vec<(String, EvidenceSource)> = bundles.chain(rules).collect();
    let prefixed: Vec<(String, EvidenceSource)> =
        plain.iter().map(|(name, source)| (format!("policy:{name}"), source.clone())).collect();
    let gates = pack.policy_layer.approval_gates.iter();
    let gates = gates.map(|g| (g.gate_id.clone(), EvidenceSource::Gate(g.gate_id.clone())));
    fixed.chain(plain).chain(prefixed).chain(gates).collect()
}

/// Returns false for a rule that reads nothing but the call: no compile can decide it.
fn is_decided_before_calls(bundle: &PolicyBundle, rule: &Rule) -> bool {
    let program = Program::compile(&rule.condition, crate::policies::mode_of(bundle.policy_dsl.language)).ok();
    let used = program.map(|program| program.variables()).unwrap_or_default();
    let mut own = used.iter().filter(|used| !used.scoped).peekable();
    own.peek().is_none() || own.any(|used| used.path.first().is_none_or(|root| root != "call"))
}

/// Returns the names of entities and relationships, each with the type that a `kg:` reference has.
fn graph_names(pack: &ContextPack) -> Vec<(String, String)> {
    let ontology = &pack.intelligence_refs.ontology;
    let entities = ontology.entity_types.iter().map(|entity| snake(entity)).flat_map(|e| {
        let names = [format!("kg:{e}"), format!("{e}_record"), format!("{e}_snapshot"), format!("{e}_history")];
        names.into_iter().chain([e.clone()]).map(move |name| (name, e.clone())).collect::<Vec<_>>()
    });
    let relations = ontology.relationship_types.iter().map(|relation| snake(relation));
    let relations = relations.flat_map(|r| [(format!("kg:{r}"), r.clone()), (r.clone(), r)]);
    entities.chain(relations).collect()
}

/// Converts `OrderLine` and `order-line` to `order_line`, the form of types in references.
pub fn snake(name: &str) -> String {
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
