use deed_validation::{lint, pack_hash, shipped_packs};
use std::collections::BTreeSet;

/// The seven packs that profiles of the source documents name, and the one for inputs.
const NAMES: [&str; 8] = [
    "valpack.operator.generic.ingestion@v1",
    "valpack.operator.generic.planner@v1",
    "valpack.operator.generic.compiled@v1",
    "valpack.operator.generic.step-input@v1",
    "valpack.operator.generic.step-output@v1",
    "valpack.operator.json-schema@v1",
    "valpack.operator.html-report@v1",
    "valpack.operator.generic.final@v1",
];

#[test]
fn shipped_packs_pass_lint_without_a_finding() {
    for file in shipped_packs() {
        let lint = lint(file);
        assert!(lint.passed() && lint.report.diagnostics().is_empty(), "{:#?}", lint.report.diagnostics());
    }
    let names: Vec<&str> = shipped_packs().iter().map(|file| file.pack().unwrap().pack_ref.as_str()).collect();
    assert_eq!(names, NAMES);
}

/// Nothing passes unread where a profile blocks.
#[test]
fn shipped_packs_refuse_what_is_too_large() {
    for file in shipped_packs() {
        let pack = file.pack().unwrap();
        assert_eq!(pack.beyond_limit, deed_model::BeyondLimit::Refuse, "{}", pack.pack_ref);
    }
}

#[test]
fn every_phase_has_a_shipped_pack() {
    let phases: BTreeSet<_> = shipped_packs().iter().flat_map(|file| file.pack().unwrap().phases.clone()).collect();
    assert_eq!(phases.len(), 6);
}

#[test]
fn a_hash_covers_every_part_of_a_pack() {
    let pack = shipped_packs()[0].pack().unwrap();
    let own = pack_hash(pack).unwrap();
    let mut other = pack.clone();
    other.largest_bytes += 1;
    assert_ne!(pack_hash(&other).unwrap(), own);
    let mut other = pack.clone();
    other.rules[0].checks.pop();
    assert_ne!(pack_hash(&other).unwrap(), own);
}
