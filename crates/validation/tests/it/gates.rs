use deed_diag::Severity;
use deed_validation::{PackFile, lint};

/// Lints rules of a pack, and compares codes, places and severities.
#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let file = PackFile::read("pack.yaml", text.as_bytes()).unwrap();
    let report = lint(&file).report;
    let found: Vec<(String, String)> = report
        .diagnostics()
        .iter()
        .map(|found| {
            let pointer = found.place.as_ref().and_then(|place| place.pointer.clone()).unwrap_or_default();
            (found.code.as_str().to_owned(), pointer)
        })
        .collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(code, place)| (code.as_str(), place.as_str())).collect();
    assert_eq!(found, expected, "{:#?}", report.diagnostics());
    let errors = report.diagnostics().iter().any(|found| found.severity == Severity::Error);
    assert_eq!(lint(&file).passed(), !errors);
}

fn rules(rules: &str) -> String {
    format!("pack_ref: valpack.acme.own@v1\nphases: [step_output]\nrules:\n{rules}")
}

#[test]
fn unknown_phases_keys_and_checks_are_findings_with_their_place() {
    check(
        "pack_ref: valpack.acme.own@v1\nphases: [step_outputs]\nrules: [{ id: a, artifact_path: '*', read_as: bytes, checks: [not_empty] }]\n",
        &[("D0206", "/phases/0")],
    );
    check(
        &rules("  - { id: a, artifact_path: '*', read_as: bytes, chekcs: [not_empty] }\n"),
        &[("D0203", "/rules/0/chekcs"), ("D2906", "/rules/0")],
    );
    check(
        &rules("  - { id: a, artifact_path: '*', read_as: bytes, checks: [empty] }\n"),
        &[("D0206", "/rules/0/checks/0")],
    );
}

#[test]
fn a_reference_has_a_namespace_a_name_and_a_version() {
    for bad in ["valpack.own@v1", "valpack.acme.own", "pack.acme.own@v1", "valpack.acme.own@1", "valpack.Acme.own@v1"] {
        let text = format!(
            "pack_ref: {bad}\nphases: [ingestion]\nrules: [{{ id: a, artifact_path: '*', read_as: bytes, checks: [not_empty] }}]\n"
        );
        check(&text, &[("D2819", "/pack_ref")]);
    }
}

#[test]
fn patterns_that_match_nothing_and_rules_that_are_never_reached_are_errors() {
    for bad in ["/output/*", "output//a.json", "output/../a", "out/*.json", "output\\\\a", "report.html", "./output/a"]
    {
        let text = rules(&format!("  - {{ id: a, artifact_path: \"{bad}\", read_as: bytes, checks: [not_empty] }}\n"));
        check(&text, &[("D2904", "/rules/0/artifact_path")]);
    }
    for good in ["*", "*.json", "o*", "output/*", "output/a.json", "plan/*.json", "input/*/x"] {
        check(
            &rules(&format!("  - {{ id: a, artifact_path: \"{good}\", read_as: bytes, checks: [not_empty] }}\n")),
            &[],
        );
    }
    check(
        &rules(
            "  - { id: a, artifact_path: '*', read_as: bytes, checks: [not_empty] }\n  - { id: b, artifact_path: '*.json', read_as: json, checks: [parses] }\n",
        ),
        &[("D2905", "/rules/1/artifact_path")],
    );
}

#[test]
fn a_contract_that_does_not_compile_is_named_at_its_place() {
    check(
        &rules(
            "  - id: a\n    artifact_path: '*.json'\n    read_as: json\n    contract: { contract: c, schema: { type: object }, domain: [{ id: d, rule: { unheard: [1] }, message: m }] }\n",
        ),
        &[("D1753", "/rules/0/contract/domain/0/rule")],
    );
    check(
        &rules(
            "  - id: a\n    artifact_path: '*.json'\n    read_as: json\n    contract: { contract: c, schema: { openapi: a.yaml, operation: x } }\n",
        ),
        &[("D1753", "/rules/0/contract/schema")],
    );
}

#[test]
fn parts_that_do_not_fit_the_reading_are_errors() {
    check(
        &rules("  - { id: a, artifact_path: '*.csv', read_as: csv_rows, checks: [html_title] }\n"),
        &[("D2906", "/rules/0/checks/0")],
    );
    check(&rules("  - { id: a, artifact_path: '*.csv', read_as: csv_rows }\n"), &[("D2906", "/rules/0")]);
    check(
        &rules(
            "  - { id: a, artifact_path: '*.html', read_as: html, contract: { contract: c, schema: { type: object } } }\n",
        ),
        &[("D2906", "/rules/0/contract")],
    );
    check(
        &rules("  - { id: a, artifact_path: '*.json', read_as: json, schema_from: artifact, checks: [parses] }\n"),
        &[("D2906", "/rules/0/schema_from")],
    );
}

#[test]
fn rungs_that_wait_for_a_model_are_warned_of() {
    let with = |mode: &str| {
        rules(&format!(
            "  - id: a\n    artifact_path: '*.json'\n    read_as: json\n    contract: {{ contract: c, schema: {{ type: object }}, modes: {{ L6: {mode} }} }}\n"
        ))
    };
    // JSON outputs of steps are shown to the model that a profile binds to the corrector, and nothing else is.
    check(&with("block"), &[]);
    let elsewhere = |text: String| text.replace("phases: [step_output]", "phases: [step_output, ingestion]");
    check(&elsewhere(with("block")), &[("D2907", "/rules/0/contract/modes/L6")]);
    check(&elsewhere(with("'off'")), &[]);
    let yaml = with("block").replace("read_as: json", "read_as: yaml");
    check(&yaml, &[("D2907", "/rules/0/contract/modes/L6")]);
    let of_phase = |phase: &str| {
        elsewhere(with("block")).replace("modes: { L6: block }", &format!("phases: {{ {phase}: {{ L6: block }} }}"))
    };
    check(&of_phase("step_output"), &[]);
    check(&of_phase("ingestion"), &[("D2907", "/rules/0/contract/phases/ingestion/L6")]);
}

#[test]
fn secrets_are_found_and_not_repeated() {
    let text = rules("  - { id: a, artifact_path: '*', read_as: bytes, checks: [not_empty] }\n")
        + "# ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8\n";
    let file = PackFile::read("pack.yaml", text.as_bytes()).unwrap();
    let report = lint(&file).report;
    assert!(report.diagnostics().iter().any(|found| found.code.as_str() == "D2909"), "{:?}", report.diagnostics());
    assert!(!format!("{:?}", report.diagnostics()).contains("A1b2C3d4"));
}
