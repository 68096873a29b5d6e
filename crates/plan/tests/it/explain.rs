//! What is said of the steps of the example plans.

use deed_catalog::builtin;
use deed_diag::{Document, Format};
use deed_model::{CompiledPlan, StepKind};
use deed_plan::{Explanation, explain, lower};
use std::path::Path;

fn compiled(example: &str) -> CompiledPlan {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans").join(example).join("plan.yaml");
    let document = Document::read("plan.yaml", &std::fs::read(path).unwrap(), Format::Yaml).unwrap();
    lower(&document, builtin().unwrap()).compiled.unwrap()
}

fn of(plan: &CompiledPlan, step: &str) -> Explanation {
    explain(plan, step).unwrap_or_else(|| panic!("no step {step}"))
}

#[test]
fn a_step_that_is_not_there_is_not_explained() {
    assert!(explain(&compiled("billing-audit"), "nobody").is_none());
}

#[test]
fn every_input_says_who_gives_it_and_why_and_what_is_lost() {
    let plan = compiled("billing-audit");
    let said = of(&plan, "normalize_sources");
    let step = plan.steps.iter().find(|step| step.step_id == "normalize_sources").unwrap();
    assert_eq!(said.inputs.len(), step.io_contract.inputs.len());
    for binding in &step.bindings {
        let input = &said.inputs[binding.input];
        assert_eq!(input.rank, Some(binding.rank.as_str()));
        assert_eq!(input.why.as_ref(), Some(&binding.why));
        assert_eq!(input.loses, binding.drops);
        assert_eq!(input.adapters.len(), binding.by.len());
    }
    assert!(
        said.inputs
            .iter()
            .any(|input| input.adapters == ["csv_to_json_rows.v1, which loses only what the declared types give back"])
    );
    assert!(
        said.inputs
            .iter()
            .any(|input| input.from.as_deref() == Some("the mission, which is given input/time_entries.csv"))
    );
}

#[test]
fn outputs_say_who_reads_them() {
    let said = of(&compiled("billing-audit"), "normalize_sources");
    let rates = said.outputs.iter().find(|output| output.path == "work/rates.rows.json").unwrap();
    assert_eq!(rates.read_by, ["step `resolve_contracts` as normalized_rows"]);
    assert_eq!(rates.slot.as_deref(), Some("normalized_rows"));
}

#[test]
fn gates_are_explained_from_both_sides() {
    let plan = compiled("billing-audit");
    let gate = &plan.gates[0];
    let waits = of(&plan, &gate.before[0]);
    assert!(waits.gates.iter().any(|told| told.starts_with("waits for ")), "{:?}", waits.gates);
    let seen = of(&plan, &gate.after[0]);
    assert!(seen.gates.iter().any(|told| told.starts_with("its outputs are shown at gate ")), "{:?}", seen.gates);
}

#[test]
fn the_worst_case_is_attempts_times_one_attempt() {
    for example in ["billing-audit", "resume-screening", "website-build"] {
        let plan = compiled(example);
        for step in &plan.steps {
            let said = of(&plan, &step.step_id);
            assert_eq!(said.budget.len(), 4);
            for cost in &said.budget {
                assert_eq!(cost.attempts, u64::from(step.repair_policy.max_retries) + 1);
                assert_eq!(cost.each.unwrap() * cost.attempts, cost.most, "{example} {} {}", step.step_id, cost.part);
            }
            assert_eq!(said.repair.len(), step.repair_policy.boundaries.len());
            let checks: usize =
                said.checks.iter().flat_map(|phase| &phase.checks).map(|line| line.split(", ").count()).sum();
            assert_eq!(checks, step.validators.len(), "{example} {}", step.step_id);
            assert_eq!(said.hash, step.spec_hash);
            assert!(serde_json::to_value(&said).unwrap()["hash"].as_str().unwrap().starts_with("sha256:"));
        }
    }
}

#[test]
fn an_adapter_that_was_put_in_is_explained_like_any_step() {
    let plan = compiled("billing-audit");
    let step = plan.steps.iter().find(|step| step.step_kind == StepKind::InsertedAdapter).unwrap();
    let said = of(&plan, &step.step_id);
    assert!(said.runs[0].ends_with("which the compiler put in"), "{:?}", said.runs);
    assert!(said.inputs[0].from.is_some());
    assert!(!said.outputs[0].read_by.is_empty(), "{:?}", said.outputs);
}

#[test]
fn the_text_is_narrow_and_has_no_blanks_at_line_ends() {
    for example in ["billing-audit", "resume-screening", "website-build"] {
        let plan = compiled(example);
        for step in &plan.steps {
            let text = of(&plan, &step.step_id).text();
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
            for line in text.lines() {
                let words = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
                assert!(line.chars().count() <= 100 || words > 60, "{line}");
                assert_eq!(line, line.trim_end());
            }
            for title in ["\nRuns\n", "\nGives\n", "\nPolicy\n", "\nFails\n", "\nSpends at most\n", "\nHash\n"] {
                assert!(text.contains(title), "{title}{text}");
            }
        }
    }
}

#[test]
fn the_text_carries_no_commands_to_the_terminal() {
    let mut plan = compiled("billing-audit");
    plan.steps[0].label = "a\u{1b}[31mred\nnext\u{202e}turned".to_owned();
    let text = of(&plan, &plan.steps[0].step_id).text();
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
    assert!(text.contains("[31mred next"), "{text}");
}
