//! Near misses: two names that differ by one letter, one of them probably misspelt.
//!
//! Names that differ only in their digits (`tier_1`, `tier_2`) are distinct on purpose. Pairs are found through the
//! names with one letter left out, so the work grows with the number of names and not with its square.

use super::super::GateInput;
use crate::evidence::context_field;
use crate::pointer::{join, pointer};
use deed_diag::{Diagnostic, Invariant as _, codes, quote};
use std::collections::BTreeMap;

const SHORTEST: usize = 5;
/// A longer text is not a typed name, and its forms would fill memory.
const LONGEST: usize = 80;

/// Names and the places where each is used.
type Uses = BTreeMap<String, Vec<String>>;

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let pack = input.pack;
    let mut fields = Uses::new();
    for predicate in input.policies.all() {
        let Some(program) = predicate.program() else { continue };
        for used in program.variables().into_iter().filter(|v| !v.scoped) {
            if let Some(field) = context_field(&used.path) {
                fields.entry(field).or_default().push(join(&predicate.pointer, &used.pointer));
            }
        }
    }
    for (d, spec) in pack.decision_layer.decision_specs.iter().enumerate() {
        for (e, name) in spec.required_evidence.iter().enumerate() {
            let at = pointer!("decision_layer", "decision_specs", d, "required_evidence", e);
            fields.entry(name.clone()).or_default().push(at);
        }
    }
    let mut gates = Uses::new();
    for (i, gate) in pack.policy_layer.approval_gates.iter().enumerate() {
        gates.entry(gate.gate_id.clone()).or_default().push(pointer!("policy_layer", "approval_gates", i, "gate_id"));
    }
    let mut adapters = Uses::new();
    for (i, adapter) in pack.tooling_layer.adapter_registry.iter().enumerate() {
        let at = pointer!("tooling_layer", "adapter_registry", i, "adapter_id");
        adapters.entry(adapter.adapter_id.clone()).or_default().push(at);
    }
    [fields, gates, adapters].iter().flat_map(|uses| doubted(input, uses)).collect()
}

fn doubted(input: &GateInput<'_>, uses: &Uses) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (a, b) in pairs(uses.keys().map(String::as_str)) {
        let places = |name| uses.get(name).invariant("a pair is made of used names");
        let (at_a, at_b) = (places(a), places(b));
        // The name that is used less is the doubtful one. Between equals, the list of evidence is the contract and the
        // predicate is doubtful.
        let weight = |places: &Vec<String>| (places.len(), places.iter().any(|p| p.starts_with("/decision_layer")));
        let (rare, rare_at, common, common_at) =
            if weight(at_a) <= weight(at_b) { (a, at_a, b, at_b) } else { (b, at_b, a, at_a) };
        let (here, there) = rare_at.first().zip(common_at.first()).invariant("a used name has a place");
        findings.push(
            Diagnostic::warning(
                codes::NEAR_DUPLICATE_NAMES,
                format!("{} differs from {} by one letter", quote(rare), quote(common)),
            )
            .at(input.bundle.document.place(here))
            .related(input.bundle.document.place(there), "the other name")
            .help("use one spelling, or names that are further apart"),
        );
    }
    findings
}

/// Returns every pair of names one edit apart, digits aside.
fn pairs<'a>(names: impl Iterator<Item = &'a str>) -> Vec<(&'a str, &'a str)> {
    let mut by_form: BTreeMap<String, Vec<&'a str>> = BTreeMap::new();
    for name in names.filter(|n| (SHORTEST..=LONGEST).contains(&n.chars().count())) {
        for form in forms(name) {
            by_form.entry(form).or_default().push(name);
        }
    }
    let mut out: Vec<(&str, &str)> = by_form
        .values()
        .flat_map(|group| {
            group.windows(2).filter_map(|w| match w {
                [a, b] if a != b && !meant(a, b) => Some(if a < b { (*a, *b) } else { (*b, *a) }),
                _ => None,
            })
        })
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Returns the name itself and every form of it with one letter left out.
fn forms(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut out = vec![name.to_owned()];
    for skip in 0..letters.len() {
        out.push(letters.iter().enumerate().filter(|(i, _)| *i != skip).map(|(_, c)| *c).collect());
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Returns true for two names that are distinct on purpose: by a number, a plural, or a letter that stands alone.
fn meant(a: &str, b: &str) -> bool {
    let plural = |one: &str, many: &str| many.strip_suffix('s') == Some(one);
    let last_apart = |a: &str, b: &str| match (a.rsplit_once('_'), b.rsplit_once('_')) {
        (Some((head, x)), Some((other, y))) => head == other && x.len() == 1 && y.len() == 1,
        _ => false,
    };
    undigited(a) == undigited(b) || plural(a, b) || plural(b, a) || last_apart(a, b)
}

fn undigited(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}
