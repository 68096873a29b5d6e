//! Outputs of unknown number, as the compiler sees them.

use deed_catalog::builtin;
use deed_diag::{Document, Format};
use deed_model::WriteSet;
use deed_plan::{Lowered, explain, lower};

fn step(id: &str, outputs: &str, more: &str) -> String {
    format!(
        "  - id: {id}\n    label: Write\n    objective: MUST write\n    code: {{ language: python, source: pass }}\n    expected_outputs: {outputs}\n{more}"
    )
}

fn compiled(steps: &str) -> Lowered {
    let text = format!(
        "plan: sets\nmission: {{ objective: Write pages }}\npolicy_profile_id: generic.inference-allowed.v1\nsteps:\n{steps}"
    );
    let document = Document::read("plan.yaml", text.as_bytes(), Format::Yaml).unwrap();
    lower(&document, builtin().unwrap())
}

fn contract(path: &str) -> String {
    format!(
        "    artifact_contracts: {{ \"{path}\": {{ format: html, kind_key: web.page.html }} }}\n    success_criteria: [\"{path} exists\"]\n"
    )
}

fn page(id: &str, path: &str, bounds: &str) -> String {
    step(id, &format!("[{{ path: \"{path}\", role: primary{bounds} }}]"), &contract(path))
}

#[track_caller]
fn refused(steps: &str, code: &str, says: &str, at: &str) {
    let lowered = compiled(steps);
    assert!(lowered.compiled.is_none(), "{steps}");
    let found = lowered.report.diagnostics().iter().find(|found| found.code.as_str() == code);
    let found = found.unwrap_or_else(|| panic!("{code}: {:#?}", lowered.report));
    assert!(found.message.contains(says), "{found:?}");
    let place = found.place.as_ref().unwrap_or_else(|| panic!("a place: {found:?}"));
    assert_eq!(place.pointer.as_deref(), Some(at), "{found:?}");
}

#[test]
fn a_set_has_its_bounds_in_the_contract_and_in_the_explanation() {
    let reads = "    depends_on: [a]\n    input_file_paths: [\"output/pages/*.html\"]\n";
    let b = step("b", "[{ path: output/b.html }]", &format!("{reads}{}", contract("output/b.html")));
    let plan = compiled(&format!("{}{b}", page("a", "./output/pages/*.html", ", at_least: 0, at_most: 50")));
    let plan = plan.compiled.unwrap_or_else(|| panic!("{:#?}", plan.report));
    let a = plan.steps.iter().find(|step| step.step_id == "a").unwrap();
    let set = WriteSet { path: "output/pages/*.html".to_owned(), at_least: 0, at_most: 50 };
    assert_eq!((&a.io_contract.write_paths[0], &a.io_contract.write_sets[..]), (&set.path, &[set.clone()][..]));
    assert_eq!(plan.steps.iter().find(|step| step.step_id == "b").unwrap().io_contract.read_paths, [set.path]);
    let explained = explain(&plan, "a").unwrap();
    assert!(explained.outputs[0].contract.iter().any(|line| line.contains("a set of 0 to 50 files")), "{explained:?}");
    assert_eq!(explained.outputs[0].read_by, ["step `b` by its path"]);
    let usual = compiled(&page("a", "output/pages/*.html", "")).compiled.unwrap();
    assert_eq!(
        (usual.steps[0].io_contract.write_sets[0].at_least, usual.steps[0].io_contract.write_sets[0].at_most),
        (1, 1000)
    );
}

#[test]
fn a_set_is_one_part_of_one_folder() {
    let at = "/steps/0/expected_outputs/0/path";
    refused(&page("a", "output/*/x.html", ""), "D1935", "sets are not nested", at);
    refused(&page("a", "output/*/*.html", ""), "D1935", "sets are not nested", at);
    refused(&page("a", "output/**.html", ""), "D1935", "one `*`, and no more", at);
    refused(&page("a", "output/../*.html", ""), "D1934", "leads out", at);
    refused(&page("a", "input/*.html", ""), "D1939", "may not be written", at);
}

#[test]
fn no_other_output_can_be_a_file_of_a_set() {
    let at = "/steps/1/expected_outputs/0/path";
    let two = |one: &str, other: &str| format!("{}{}", page("a", one, ""), page("b", other, ""));
    refused(&two("output/p/*.html", "output/p/a*.html"), "D2023", "a file could be of", at);
    refused(&two("output/p/*.html", "output/P/*-x.HTML"), "D2023", "a file could be of", at);
    refused(&two("output/p/index.html", "output/p/*.html"), "D2023", "`output/p/index.html` of step `a` could be", at);
    refused(
        &two("output/p/*.html", "output/p/index.html"),
        "D2023",
        "could be a file of",
        "/steps/0/expected_outputs/0/path",
    );
    refused(&two("output/p/*.html", "output/p/*.html"), "D1936", "is written by step `a` already", at);
    for (one, other) in [
        ("output/p/a*.html", "output/p/b*.html"),
        ("output/p/*.html", "output/q/*.html"),
        ("output/p/*.html", "output/p/sub/*.html"),
        ("output/p/a-*.html", "output/p/b.html"),
    ] {
        let lowered = compiled(&two(one, other));
        assert!(lowered.compiled.is_some(), "{one} {other}: {:#?}", lowered.report);
    }
}

#[test]
fn bounds_make_sense_and_are_for_sets() {
    refused(
        &page("a", "output/x.html", ", at_least: 1"),
        "D2024",
        "is one file",
        "/steps/0/expected_outputs/0/at_least",
    );
    let at = "/steps/0/expected_outputs/0/at_most";
    refused(&page("a", "output/*.html", ", at_most: 0"), "D2024", "no number of files", at);
    refused(&page("a", "output/*.html", ", at_least: 9, at_most: 3"), "D2024", "at least 9 and at most 3", at);
    refused(&page("a", "output/*.html", ", at_most: 10001"), "D2024", "at most 10000 files", at);
}

#[test]
fn one_file_of_a_set_cannot_be_read_by_name() {
    let reads = "    depends_on: [a]\n    input_file_paths: [\"output/pages/index.html\"]\n";
    let b = step("b", "[{ path: output/b.html }]", &format!("{reads}{}", contract("output/b.html")));
    let lowered = compiled(&format!("{}{b}", page("a", "output/pages/*.html", "")));
    let found = lowered.report.diagnostics().iter().find(|found| found.code.as_str() == "D1938").cloned().unwrap();
    assert!(found.help.as_ref().unwrap().contains("read all of the set `output/pages/*.html`"), "{found:?}");
}

#[test]
fn adapters_take_one_file() {
    let rows = "    abstract_outputs: [{ slot: normalized_rows, entity_schema_id: generic.record, preferred_kind_keys: [table.csv] }]\n    artifact_contracts: { \"output/parts/*.csv\": { format: csv, kind_key: table.csv } }\n    success_criteria: [\"output/parts/*.csv exists\"]\n";
    let a = step("a", "[{ path: \"output/parts/*.csv\", slot: normalized_rows }]", rows);
    let reads = "    depends_on: [a]\n    abstract_inputs: [{ slot: normalized_rows, entity_schema_id: generic.record, accepted_kind_keys: [table.json_rows] }]\n";
    let b = step("b", "[{ path: output/b.html, role: primary }]", &format!("{reads}{}", contract("output/b.html")));
    refused(&format!("{a}{b}"), "D2025", "adapters take one file", "/steps/1/abstract_inputs/0");
    // In its own form it is read as it is.
    let reads = reads.replace("table.json_rows", "table.csv");
    let b = step("b", "[{ path: output/b.html, role: primary }]", &format!("{reads}{}", contract("output/b.html")));
    let lowered = compiled(&format!("{a}{b}"));
    assert!(lowered.compiled.is_some(), "{:#?}", lowered.report);
}
