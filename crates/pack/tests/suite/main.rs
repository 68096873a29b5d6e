//! The suite of packs through the library: a test for each folder of `tests/suite/packs`. Every gate must find what a case
//! expects, and the report must look as it did. `tests/suite/case.rs` says how a case is written.
//!
//! A program with a main of its own, because its tests are found when it runs.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests"
)]

#[path = "../../../../tests/suite/case.rs"]
mod case;

use case::{Case, apply, cases, fields, root, sorted};
use deed_diag::{Diagnostic, Style};
use deed_pack::{Gate, PackFiles, SourceFile};
use deed_testkit::Suite;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Codes that no case can bring about: D0210 waits for keywords that the generated schema does not use, and D0409
/// for more rules than a case can hold (`tests/it/conflicts.rs` has them).
const OUT_OF_REACH: [&str; 2] = ["D0210", "D0409"];

/// A finding as `expect` writes it.
fn found_line(finding: &Diagnostic) -> String {
    let pointer = finding.place.as_ref().and_then(|place| place.pointer.as_deref());
    match pointer {
        None => format!("{} {}", finding.severity, finding.code),
        Some("") => format!("{} {} root", finding.severity, finding.code),
        Some(pointer) => format!("{} {} {pointer}", finding.severity, finding.code),
    }
}

/// Everything in which a case differs from what was found.
fn differences(case: &Case) -> Vec<String> {
    let report = case.report();
    let mut out = Vec::new();
    let findings = report.diagnostics().iter().filter(|d| d.stage == case.gate);
    let found: Vec<String> = findings.map(found_line).collect();
    if found != case.expect {
        out.push(format!(
            "{}: the {} gate\n  expected:\n{}\n  found:\n{}",
            case.name,
            case.gate,
            listed(&case.expect),
            listed(&found)
        ));
    }
    let rendered = report.render(Style::Plain);
    let path = case.folder.join("expected.txt");
    if std::env::var_os("DEED_BLESS").is_some() {
        fs::write(&path, &rendered).unwrap();
    } else if fs::read_to_string(&path).unwrap_or_default() != rendered {
        out.push(format!(
            "{}: expected.txt is not what is rendered now (DEED_BLESS=1 rewrites it):\n{rendered}",
            case.name
        ));
    }
    out
}

fn listed(lines: &[String]) -> String {
    if lines.is_empty() {
        "    nothing".to_owned()
    } else {
        lines.iter().map(|l| format!("    {l}")).collect::<Vec<_>>().join("\n")
    }
}

/// The gate of a case finds what the case expects, and the report looks as it did.
fn finds_what_it_expects(folder: PathBuf) {
    let case = Case::read(&folder).unwrap_or_else(|why| panic!("{why}"));
    let differences = differences(&case);
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

fn the_suite_covers_every_gate_and_every_code() {
    let cases = cases();
    assert!(cases.len() >= 60, "there are only {} cases", cases.len());
    for gate in Gate::ALL {
        let own: Vec<&Case> = cases.iter().filter(|case| case.gate == gate.as_str()).collect();
        let passing = own.iter().filter(|case| case.passes()).count();
        assert!(passing >= 1, "no case passes the {gate} gate");
        assert!(own.len() - passing >= 3, "too few cases fail the {gate} gate");
    }
    let expected: BTreeSet<&str> =
        cases.iter().flat_map(|case| &case.expect).filter_map(|line| line.split(' ').nth(1)).collect();
    let unseen: Vec<String> = gate_codes()
        .into_iter()
        .filter(|code| !expected.contains(code.as_str()) && !OUT_OF_REACH.contains(&code.as_str()))
        .collect();
    assert!(unseen.is_empty(), "no case expects {}", unseen.join(", "));
}

/// Every code that a gate declares; those of golden cases stand with the compiler.
fn gate_codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let mut open = vec![root().join("crates/pack/src/gates"), root().join("crates/context/src/golden")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(sorted(&path));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let names = text.split("codes::").skip(1);
        let names: Vec<&str> = names
            .map(|rest| {
                rest.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')).next().unwrap()
            })
            .collect();
        codes.extend(
            deed_diag::pages().filter(|page| names.contains(&page.name)).map(|page| page.code.as_str().to_owned()),
        );
    }
    assert!(codes.len() > 60, "the codes of the gates were not found");
    codes
}

fn no_secret_is_shown() {
    let cases: Vec<Case> = cases().into_iter().filter(|case| !case.secrets.is_empty()).collect();
    assert!(cases.len() >= 4, "only {} cases hold a secret", cases.len());
    for case in &cases {
        let report = case.report();
        let kept = fs::read_to_string(case.folder.join("expected.txt")).unwrap_or_default();
        let shown = [
            kept,
            report.render(Style::Plain),
            report.render(Style::Colour),
            report.render(Style::Lines),
            report.to_json().to_string(),
        ];
        for secret in &case.secrets {
            assert!(shown.iter().all(|text| !text.contains(secret.as_str())), "{} shows a secret", case.name);
        }
    }
}

fn a_case_with_an_unknown_key_is_refused() {
    let refused = |text: &str| fields(text.as_bytes()).unwrap_err();
    assert_eq!(refused("about: x\ngates: schema\n"), "unknown key `gates`");
    let edit: Map<String, Value> = [("fnd".to_owned(), Value::Null)].into_iter().collect();
    let pack = SourceFile { name: "pack.yaml".to_owned(), bytes: Vec::new() };
    let mut files = PackFiles { pack, overlays: BTreeMap::new(), golden: Vec::new() };
    assert_eq!(apply(&mut files, &edit, &mut Vec::new()).unwrap_err(), "unknown key `fnd`");
}

fn main() -> ExitCode {
    let mut suite = Suite::new();
    suite.cases("packs", &root().join("tests/suite/packs"), finds_what_it_expects);
    suite.test("the_suite_covers_every_gate_and_every_code", the_suite_covers_every_gate_and_every_code);
    suite.test("no_secret_is_shown", no_secret_is_shown);
    suite.test("a_case_with_an_unknown_key_is_refused", a_case_with_an_unknown_key_is_refused);
    suite.run()
}
