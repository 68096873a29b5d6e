//! The plans of `examples/plans`: each compiles without a word, and each of its broken variants is refused for exactly
//! what its `.expected` lists, a line `CODE /pointer` for every error and warning.
//!
//! `DEED_BLESS=1 cargo test -p deed-plan --test it examples::` rewrites those lists; look before you commit.

use deed_catalog::builtin;
use deed_diag::{Document, Format, Severity, Style};
use deed_model::{CompiledPlan, StepKind};
use deed_plan::{Lowered, lower};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const EXAMPLES: [&str; 3] = ["billing-audit", "resume-screening", "website-build"];

/// As many as each example has at least.
const FEWEST_VARIANTS: usize = 8;

fn folder(example: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans").join(example)
}

fn lowered(path: &Path) -> Lowered {
    let bytes = fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let document = Document::read(name, &bytes, Format::Yaml).unwrap();
    lower(&document, builtin().unwrap())
}

fn compiled(example: &str) -> CompiledPlan {
    let lowered = lowered(&folder(example).join("plan.yaml"));
    // The examples need capabilities that other runtimes have: that is a warning, and nothing else is found.
    let mut others = lowered.report.diagnostics().iter().filter(|finding| finding.code.as_str() != "D1980");
    assert!(others.next().is_none(), "{}", lowered.report.render(Style::Plain));
    lowered.compiled.expect("a plan without findings is compiled")
}

/// Errors and warnings, sorted.
fn findings(lowered: &Lowered) -> Vec<String> {
    let found = lowered.report.diagnostics().iter().filter(|finding| finding.severity > Severity::Info);
    let mut lines: Vec<String> = found
        .map(|finding| {
            let pointer = finding.place.as_ref().and_then(|place| place.pointer.as_deref());
            format!("{} {}", finding.code, pointer.expect("every finding has its place"))
        })
        .collect();
    lines.sort();
    lines
}

/// The broken variants of an example by name.
fn variants(example: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(example).join("broken")).unwrap();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    let stems = |extension: &str| -> Vec<PathBuf> {
        let of_extension = all.iter().filter(|path| path.extension().is_some_and(|known| known == extension));
        of_extension.map(|path| path.with_extension("")).collect()
    };
    let plans = stems("yaml");
    if std::env::var_os("DEED_BLESS").is_none() {
        assert_eq!(plans, stems("expected"), "{example}: every variant has its list, and every list its variant");
    }
    plans
}

#[test]
fn every_example_compiles_without_findings() {
    for example in EXAMPLES {
        let plan = compiled(example);
        assert_eq!(plan.plan, example);
        assert!(!plan.gates.is_empty(), "{example} has a gate");
        assert!(plan.steps.iter().all(|step| step.step_kind == StepKind::Adapter
            || step.step_kind == StepKind::InsertedAdapter
            || !step.success_criteria.is_empty() && step.objective_words.is_some()));
        let adapters = [StepKind::Adapter, StepKind::InsertedAdapter];
        assert!(plan.steps.iter().any(|step| adapters.contains(&step.step_kind)), "{example} has an adapter");
    }
}

#[test]
fn broken_variants_are_refused_for_what_is_wrong_with_them() {
    let bless = std::env::var_os("DEED_BLESS").is_some();
    let mut wrong = Vec::new();
    for example in EXAMPLES {
        let all = variants(example);
        assert!(all.len() >= FEWEST_VARIANTS, "{example} has {} variants", all.len());
        for variant in all {
            let lowered = lowered(&variant.with_extension("yaml"));
            let found = findings(&lowered);
            let name = format!("{example}/{}", variant.file_name().unwrap().to_str().unwrap());
            if found.is_empty() {
                wrong.push(format!("{name}: nothing is found"));
                continue;
            }
            let list = variant.with_extension("expected");
            if bless {
                fs::write(list, found.join("\n") + "\n").unwrap();
                continue;
            }
            let text = fs::read_to_string(list).unwrap();
            let expected: Vec<&str> = text.lines().collect();
            if found != expected {
                let shown = lowered.report.render(Style::Plain);
                wrong.push(format!("{name}\nexpected {expected:#?}\nfound {found:#?}\n{shown}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_plan_is_compiled_only_if_no_error_was_found() {
    for variant in EXAMPLES.into_iter().flat_map(variants) {
        let lowered = lowered(&variant.with_extension("yaml"));
        assert_eq!(lowered.compiled.is_none(), lowered.report.has_errors(), "{}", variant.display());
    }
}

/// Mistakes of one kind in three plans would show little.
#[test]
fn variants_show_many_kinds_of_mistakes() {
    let codes: BTreeSet<String> = EXAMPLES
        .into_iter()
        .flat_map(variants)
        .flat_map(|variant| findings(&lowered(&variant.with_extension("yaml"))))
        .map(|line| line.split(' ').next().unwrap_or_default().to_owned())
        .collect();
    assert!(codes.len() >= 50, "{} codes: {codes:?}", codes.len());
}
