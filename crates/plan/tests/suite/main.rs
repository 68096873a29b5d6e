//! Every code of the compiler: a test for each plan that is refused for it, and the same plan fixed. `DEED_BLESS=1` writes
//! the expected findings anew.
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

use deed_catalog::builtin;
use deed_diag::{Document, Format, Report, Style};
use deed_plan::{Lowered, lower};
use deed_testkit::Suite;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/plans")
}

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|path| path.is_dir());
    cases.sort();
    cases
}

fn lowered(path: &Path) -> Lowered {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let bytes = fs::read(path).unwrap();
    match Document::read(&name, &bytes, Format::of_name(&name)) {
        Ok(document) => lower(&document, builtin().unwrap()),
        Err(report) => Lowered { compiled: None, code: Default::default(), isolated: Default::default(), report },
    }
}

/// One line for each finding: weight, code, place, message.
fn rendered(report: &Report) -> String {
    let mut lines: Vec<String> = Vec::new();
    for finding in report.diagnostics() {
        let at = finding.place.as_ref().and_then(|place| place.pointer.as_deref()).unwrap_or("");
        lines.push(format!("{} {} {at} {}\n", finding.severity, finding.code, finding.message));
    }
    lines.concat()
}

/// A case is refused for its code, with exactly the expected findings, and the fixed plan is not.
fn is_refused_for_its_code(case: PathBuf) {
    let name = case.file_name().unwrap().to_string_lossy().into_owned();
    let code = name.split('_').next().unwrap().to_uppercase();
    let has_code = |report: &Report| report.diagnostics().iter().any(|finding| finding.code.as_str() == code);
    let broken = lowered(&case.join("plan.yaml"));
    let found = rendered(&broken.report);
    assert!(has_code(&broken.report), "{code} is not among the findings\n{found}");
    let expected = case.join("expected.txt");
    if std::env::var_os("DEED_BLESS").is_some() {
        fs::write(&expected, &found).unwrap();
    } else {
        assert_eq!(found, fs::read_to_string(&expected).unwrap(), "other findings than expected");
    }
    let fixed = lowered(&case.join("fixed.yaml"));
    let accepted = fixed.compiled.is_some() && !has_code(&fixed.report);
    assert!(accepted, "the fixed plan is refused\n{}", fixed.report.render(Style::Plain));
}

fn the_suite_is_as_large_as_it_claims() {
    assert!(cases().len() >= 60, "{} cases", cases().len());
}

/// Plans beyond count are refused at once, and a plan at the limit is not.
fn the_number_of_steps_is_limited() {
    let plan = |steps: usize| {
        let step = |index: usize| format!("{{\"id\":\"s{index}\",\"label\":\"l\",\"objective\":\"o\"}}");
        let steps: Vec<String> = (0..steps).map(step).collect();
        let text = format!("{{\"plan\":\"p\",\"mission\":{{\"objective\":\"o\"}},\"steps\":[{}]}}", steps.join(","));
        let document = Document::read("plan.json", text.as_bytes(), Format::Json).unwrap();
        let report = lower(&document, builtin().unwrap()).report;
        report.diagnostics().iter().any(|finding| finding.code.as_str() == "D1909")
    };
    assert!(plan(20_001) && plan(100_000));
    assert!(!plan(20_000));
}

fn every_code_has_a_case() {
    let mut sources = String::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            sources.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
    let word = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let used: BTreeSet<&str> =
        sources.split("codes::").skip(1).filter_map(|rest| rest.split(|c| !word(c)).next()).collect();
    let codes: BTreeSet<String> = deed_diag::pages()
        .filter(|page| page.code.as_str().starts_with("D19") && used.contains(page.name))
        .map(|page| page.code.as_str().to_lowercase())
        .collect();
    assert!(codes.len() >= 45, "{} codes", codes.len());
    let covered: BTreeSet<String> =
        cases().iter().filter_map(|case| case.file_name()?.to_str()?.split('_').next().map(str::to_owned)).collect();
    // Twenty thousand steps and one more are made by the test above, two profiles of one kind by a catalogue in
    // `ranks.rs`. D1900 is the net for what the schema allows and the reader does not; nothing is known that it catches.
    let elsewhere = ["d1900", "d1909", "d1972"];
    let missing: Vec<&String> = codes.difference(&covered).filter(|code| !elsewhere.contains(&code.as_str())).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

fn main() -> ExitCode {
    let mut suite = Suite::new();
    suite.cases("plans", &root(), is_refused_for_its_code);
    suite.test("the_suite_is_as_large_as_it_claims", the_suite_is_as_large_as_it_claims);
    suite.test("the_number_of_steps_is_limited", the_number_of_steps_is_limited);
    suite.test("every_code_has_a_case", every_code_has_a_case);
    suite.run()
}
