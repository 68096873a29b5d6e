//! Decisions: their authority, their schemas, and the intents that lead to them.

use super::super::GateInput;
use crate::pointer::pointer;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::Capability;
use deed_schema::{IdleProblem, Schema, idle_keywords};
use std::collections::BTreeSet;

/// The authority that a decision can carry: the run executes it, approves it, recommends it to a person, gives advice,
/// passes it on, only observes, or drafts for a person who decides.
const RIGHTS: [&str; 7] = ["execute", "approve", "recommend", "advise", "escalate", "observe", "draft"];

/// Classes of intents that only tell something, and so decide nothing.
const INFORMING: [&str; 5] = ["inform", "query", "read", "lookup", "status"];

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (i, spec) in input.pack.decision_layer.decision_specs.iter().enumerate() {
        let place = |part: &str| input.bundle.document.place(&pointer!("decision_layer", "decision_specs", i, part));
        if !RIGHTS.contains(&spec.decision_right.as_str()) {
            let help = did_you_mean(&spec.decision_right, RIGHTS)
                .unwrap_or_else(|| format!("the rights are {}", RIGHTS.map(|right| format!("`{right}`")).join(", ")));
            findings.push(
                Diagnostic::warning(
                    codes::UNKNOWN_DECISION_RIGHT,
                    format!("{} is not a decision right", quote(&spec.decision_right)),
                )
                .at(place("decision_right"))
                .help(help),
            );
        }
        let refs = [("inputs_schema_ref", &spec.inputs_schema_ref), ("outputs_schema_ref", &spec.outputs_schema_ref)];
        for (part, reference) in refs.into_iter().filter_map(|(part, r)| r.as_deref().map(|r| (part, r))) {
            let found = schema_ref(reference).or_else(|| schema_missing(input, reference));
            findings.extend(found.map(|found| found.at(place(part))));
        }
        for outcome in spec.outcome_effects.keys().filter(|outcome| !spec.allowed_outcomes.contains(outcome)) {
            let help = did_you_mean(outcome, spec.allowed_outcomes.iter().map(String::as_str))
                .unwrap_or_else(|| format!("the allowed outcomes are {}", spec.allowed_outcomes.join(", ")));
            findings.push(
                Diagnostic::error(
                    codes::OUTCOME_EFFECT_UNKNOWN,
                    format!("{} is not an allowed outcome", quote(outcome)),
                )
                .at(input.bundle.document.place(&pointer!(
                    "decision_layer",
                    "decision_specs",
                    i,
                    "outcome_effects",
                    outcome
                )))
                .help(help),
            );
        }
    }
    findings.extend(schemas(input));
    findings.extend(capability_schemas(input));
    findings.extend(undecided(input));
    findings
}

/// Returns a finding for a reference to a schema that the pack does not hold: decisions are then recorded unchecked.
fn schema_missing(input: &GateInput<'_>, reference: &str) -> Option<Diagnostic> {
    let schemas = &input.pack.decision_layer.schemas;
    let name = reference.strip_prefix("schema://");
    if name.is_some_and(|name| schemas.contains_key(name)) {
        return None;
    }
    let near = name.and_then(|name| did_you_mean(name, schemas.keys().map(String::as_str)));
    let help = near.unwrap_or_else(|| "add it to `decision_layer.schemas`, by the name after `schema://`".to_owned());
    let message = format!("the pack does not hold the schema {}, so that nothing is checked with it", quote(reference));
    Some(Diagnostic::warning(codes::DECISION_SCHEMA_MISSING, message).help(help))
}

/// Schemas that cannot be used, and those that no decision refers to.
fn schemas(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let layer = &input.pack.decision_layer;
    let used: BTreeSet<&str> = layer
        .decision_specs
        .iter()
        .flat_map(|spec| [&spec.inputs_schema_ref, &spec.outputs_schema_ref])
        .filter_map(|reference| reference.as_deref()?.strip_prefix("schema://"))
        .collect();
    let mut findings = Vec::new();
    for (name, schema) in &layer.schemas {
        let base = pointer!("decision_layer", "schemas", name);
        if let Err(refused) = Schema::new(schema.clone()).and_then(|schema| schema.sound()) {
            let message = format!("the schema {} cannot be used: {}", quote(name), refused.message);
            let place = input.bundle.document.place(&format!("{base}{}", refused.pointer));
            let help = "correct it; references stay inside of a schema, because nothing is fetched";
            findings.push(Diagnostic::error(codes::DECISION_SCHEMA_INVALID, message).at(place).help(help));
        }
        findings.extend(idle_keywords(schema).iter().map(|idle| {
            let document = &input.bundle.document;
            match &idle.problem {
                IdleProblem::Misspelt { keyword, near } => {
                    let message = format!("unknown schema keyword {}, which has no effect", quote(keyword));
                    Diagnostic::error(codes::SCHEMA_KEYWORD_MISSPELT, message)
                        .at(document.key_place(&format!("{base}{}", idle.pointer)))
                        .help(format!("did you mean `{near}`?"))
                }
                IdleProblem::StatesNothing => {
                    let message = format!("the schema {} has no keyword that states anything", quote(name));
                    Diagnostic::error(codes::SCHEMA_STATES_NOTHING, message)
                        .at(document.place(&base))
                        .help("write a JSON Schema: as it is, every decision satisfies it")
                }
            }
        }));
        if !used.contains(name.as_str()) {
            let message = format!("no decision uses the schema {}", quote(name));
            findings.push(
                Diagnostic::warning(codes::DECISION_SCHEMA_UNUSED, message)
                    .at(input.bundle.document.place(&base))
                    .help(format!("refer to it as `schema://{name}`, or remove it")),
            );
        }
    }
    findings
}

fn capability_schemas(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let mut findings = Vec::new();
    for (a, adapter) in input.pack.tooling_layer.adapter_registry.iter().enumerate() {
        let base = pointer!("tooling_layer", "adapter_registry", a);
        let own = adapter.schema_ref.as_deref().and_then(schema_ref);
        findings.extend(own.map(|found| found.at(document.place(&format!("{base}/schema_ref")))));
        for (c, capability) in adapter.capabilities.iter().enumerate() {
            let Capability::Spec(spec) = capability else { continue };
            let found = spec.schema_ref.as_deref().and_then(schema_ref);
            findings
                .extend(found.map(|found| found.at(document.place(&format!("{base}/capabilities/{c}/schema_ref")))));
        }
    }
    findings
}

/// Returns a finding for a reference that names no schema: `<registry>://<name>`, an `https` address, or a relative file.
fn schema_ref(text: &str) -> Option<Diagnostic> {
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/' | b'@' | b'#' | b':' | b'~');
    let (scheme, name) = text.split_once("://").unwrap_or(("schema", text));
    let is_file = !text.contains("://") && [".json", ".yaml", ".yml"].iter().any(|end| text.ends_with(end));
    let well_formed = (text.contains("://") || is_file)
        && scheme.starts_with(|c: char| c.is_ascii_lowercase())
        && scheme.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(word)
        && !name.split('/').any(|part| part == "..");
    (!well_formed).then(|| {
        Diagnostic::error(codes::BAD_SCHEMA_REF, format!("{} is not a reference to a schema", quote(text)))
            .help("write `schema://<name>.v1`, or the path of a schema file")
    })
}

/// Intents that lead to no decision, where the pack says at all which intent leads to which: by rules that are bound to
/// a decision, or by decision keys that begin with the intent.
fn undecided(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let specs = &input.pack.decision_layer.decision_specs;
    let mut decided: BTreeSet<&str> = BTreeSet::new();
    for view in input.policies.rules(input.pack).filter(|view| view.rule.decision_binding.is_some()) {
        let before = decided.len();
        decided.extend(view.rule.applies_to.iter().flat_map(|scope| scope.named()));
        let names_none = view.rule.applies_to.as_ref().is_none_or(|scope| scope.named().next().is_none());
        // A rule for every intent.
        if decided.len() == before && names_none {
            return Vec::new();
        }
    }
    let intents = input.pack.intents();
    let classes = input.pack.intent_layer.iter().flat_map(|layer| &layer.catalog);
    let informing: BTreeSet<&str> = classes
        .filter(|entry| INFORMING.contains(&entry.intent_class.as_str()))
        .map(|entry| entry.id.as_str())
        .collect();
    let leads = |intent: &str| {
        let last = intent.rsplit('.').next().unwrap_or(intent);
        decided.contains(intent) || specs.iter().any(|s| s.decision_key.split('.').any(|part| part == last))
    };
    if !intents.iter().any(|intent| leads(intent)) {
        return Vec::new();
    }
    let catalogue = input.pack.intent_layer.is_some();
    let at = |i: usize| match catalogue {
        true => pointer!("intent_layer", "catalog", i, "id"),
        false => pointer!("evaluation_layer", "eval_targets", i, "intent"),
    };
    intents
        .iter()
        .enumerate()
        .filter(|(_, intent)| !leads(intent) && !informing.contains(*intent))
        .map(|(i, intent)| {
            Diagnostic::warning(
                codes::INTENT_WITHOUT_DECISION,
                format!("the intent {} leads to no decision", quote(intent)),
            )
            .at(document.place(&at(i)))
            .help("bind a rule for it to a decision (`decision_binding`), or remove the intent")
        })
        .collect()
}
