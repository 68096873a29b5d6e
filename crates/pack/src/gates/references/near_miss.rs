//! Two names that differ by one letter where one was probably meant.
//!
//! Names that differ only in their digits (`tier_1`, `tier_2`) are meant to differ. Pairs are found through
//! the names with one letter left out, so the work grows with the number of names and not with its square.

use super::super::GateInput;
use super::evidence::context_field;
use crate::pointer::{join, pointer};
use deed_diag::{Code, Diagnostic, quote};
use std::collections::BTreeMap;

const NEAR_MISS: Code = Code::new("D0308");
const SHORTEST: usize = 5;

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    // Each name with the places where it is used.
    let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for predicate in input.policies.all() {
        let Some(program) = predicate.program() else { continue };
        for used in program.variables().into_iter().filter(|v| !v.scoped) {
            if let Some(field) = context_field(&used.path) {
                uses.entry(field).or_default().push(join(&predicate.pointer, &used.pointer));
            }
        }
    }
    for (d, spec) in input.pack.decision_layer.decision_specs.iter().enumerate() {
        for (e, name) in spec.required_evidence.iter().enumerate() {
            let at = pointer!("decision_layer", "decision_specs", d, "required_evidence", e);
            uses.entry(name.clone()).or_default().push(at);
        }
    }
    let mut findings = Vec::new();
    for (a, b) in pairs(uses.keys().map(String::as_str)) {
        let (Some(at_a), Some(at_b)) = (uses.get(a), uses.get(b)) else { continue };
        // The name that is used less is the one to doubt.
        let (rare, rare_at, common, common_at) = if at_a.len() <= at_b.len() { (a, at_a, b, at_b) } else { (b, at_b, a, at_a) };
        let (Some(here), Some(there)) = (rare_at.first(), common_at.first()) else { continue };
        findings.push(
            Diagnostic::warning(NEAR_MISS, format!("{} is a letter away from {}", quote(rare), quote(common)))
                .at(input.bundle.document.place(here))
                .related(input.bundle.document.place(there), "the other name")
                .help("use one spelling, or names that are further apart"),
        );
    }
    findings
}

/// Every pair of names one edit apart, digits aside.
fn pairs<'a>(names: impl Iterator<Item = &'a str>) -> Vec<(&'a str, &'a str)> {
    let mut by_form: BTreeMap<String, Vec<&'a str>> = BTreeMap::new();
    for name in names.filter(|n| n.chars().count() >= SHORTEST) {
        for form in forms(name) {
            by_form.entry(form).or_default().push(name);
        }
    }
    let mut out: Vec<(&str, &str)> = by_form
        .values()
        .flat_map(|group| group.windows(2).filter_map(|w| match w {
            [a, b] if a != b && undigited(a) != undigited(b) => Some(if a < b { (*a, *b) } else { (*b, *a) }),
            _ => None,
        }))
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// The name itself and every form of it with one letter left out.
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

fn undigited(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}
