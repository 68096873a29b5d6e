//! The suite of raw texts: a test for each `tests/suite/repair/<case>/input.txt` and what must come of it.
//!
//! `expected.json` holds `{"value": …, "repairs": [kind, …]}`, each kind once in the order of its first use, or
//! `{"refused": reason}`. `DEED_BLESS=1 cargo test -p deed-ladder --test suite texts::` rewrites it; look before you commit.

use deed_ladder::{Certainty, Reading, RepairKind, Unreadable, UnreadableKind, read, repaired_text};
use deed_testkit::Suite;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/repair");

struct Case {
    name: String,
    folder: PathBuf,
    input: String,
}

fn cases() -> Vec<Case> {
    let mut folders: Vec<PathBuf> = fs::read_dir(SUITE).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.into_iter().map(case).collect()
}

fn case(folder: PathBuf) -> Case {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let input = fs::read_to_string(folder.join("input.txt")).unwrap_or_else(|e| panic!("{name}: {e}"));
    Case { name, folder, input }
}

fn kinds(reading: &Reading) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for repair in &reading.repairs {
        if !kinds.contains(&repair.kind.as_str()) {
            kinds.push(repair.kind.as_str());
        }
    }
    kinds
}

fn outcome(outcome: &Result<Reading, Unreadable>) -> Value {
    match outcome {
        Ok(reading) => json!({ "value": reading.value, "repairs": kinds(reading) }),
        Err(unreadable) => json!({ "refused": unreadable.reason.as_str() }),
    }
}

fn expected(folder: &Path) -> Option<Value> {
    let bytes = fs::read(folder.join("expected.json")).ok()?;
    Some(serde_json::from_slice(&bytes).unwrap())
}

fn every_case_reads_as_expected(cases: &[Case]) {
    let bless = std::env::var("DEED_BLESS").is_ok();
    let mut wrong = Vec::new();
    for case in cases {
        let found = outcome(&read(&case.input));
        if bless {
            fs::write(case.folder.join("expected.json"), format!("{found:#}\n")).unwrap();
        } else if Some(&found) != expected(&case.folder).as_ref() {
            wrong.push(format!("{}: {found}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn every_reading_is_proven_by_its_edits(cases: &[Case]) {
    for case in cases {
        if let Ok(reading) = read(&case.input) {
            let text = repaired_text(&case.input, &reading.repairs);
            let strict = deed_canon::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}\n{text}", case.name));
            assert_eq!(strict, reading.value, "{}", case.name);
            let again = read(&text).unwrap();
            assert_eq!(again, Reading { value: reading.value, repairs: Vec::new() }, "{}", case.name);
        }
    }
}

fn every_refusal_speaks_as_a_diagnostic_does(cases: &[Case]) {
    for case in cases {
        if let Err(unreadable) = read(&case.input) {
            let Unreadable { message, help, at, .. } = &unreadable;
            assert!(message.starts_with(|c: char| c.is_lowercase() || c == '`'), "{}: {message}", case.name);
            assert!(!message.ends_with('.') && !help.ends_with('.'), "{}: {message}", case.name);
            assert!(message.chars().count() < 130 && !message.contains('\n'), "{}: {message}", case.name);
            assert!(!help.is_empty() && *at <= case.input.len(), "{}: {at}", case.name);
        }
    }
}

fn the_suite_is_as_large_as_it_claims() {
    let cases = cases();
    let correct = cases.iter().filter(|c| c.name.contains("_correct_")).count();
    assert!(cases.len() >= 90 && correct >= 10 && cases.len() - correct >= 70, "{} and {correct}", cases.len());
    for case in &cases {
        let untouched = read(&case.input).is_ok_and(|reading| reading.repairs.is_empty());
        assert_eq!(untouched, case.name.contains("_correct_"), "{}", case.name);
    }
}

fn the_suite_shows_every_kind_and_every_reason() {
    let outcomes: Vec<_> = cases().iter().map(|case| read(&case.input)).collect();
    let kinds: BTreeSet<RepairKind> =
        outcomes.iter().flatten().flat_map(|r| r.repairs.iter().map(|r| r.kind)).collect();
    let reasons: BTreeSet<UnreadableKind> =
        outcomes.iter().filter_map(|o| o.as_ref().err()).map(|u| u.reason).collect();
    // Only a schema decides these: see `guided.rs`.
    let by_schema = [
        RepairKind::BarePhrase,
        RepairKind::MissingColon,
        RepairKind::MissingQuote,
        RepairKind::WrongCloser,
        RepairKind::DigitGroups,
        RepairKind::OtherValue,
        RepairKind::ListAdded,
        RepairKind::KeyValueLines,
        RepairKind::LoneValue,
        RepairKind::Table,
        RepairKind::ForeignValue,
        RepairKind::LanguageLiteral,
        RepairKind::SettingsLines,
        RepairKind::QueryString,
        RepairKind::MarkupElements,
        RepairKind::InsertRows,
        RepairKind::UnbracketedList,
    ];
    let unseen: Vec<_> =
        RepairKind::ALL.iter().filter(|kind| !kinds.contains(kind) && !by_schema.contains(kind)).collect();
    // The first needs a long text (see `repair_laws.rs`), the second a schema, the third more memory than a test has.
    let long = [UnreadableKind::TooManyCandidates, UnreadableKind::SeveralReadings, UnreadableKind::TooLarge];
    let unheard: Vec<_> = UnreadableKind::ALL.iter().filter(|r| !reasons.contains(r) && !long.contains(r)).collect();
    assert!(unseen.is_empty() && unheard.is_empty(), "{unseen:?} {unheard:?}");
}

fn the_record_knows_every_name() {
    for kind in RepairKind::ALL {
        assert_eq!(deed_model::RepairName::new(kind.as_str()).map(|name| name.as_str()), Some(kind.as_str()));
        assert_eq!(RepairKind::ALL.get(*kind as usize), Some(kind));
    }
}

fn names_are_stable_and_differ() {
    let names: BTreeSet<&str> = RepairKind::ALL.iter().map(|k| k.as_str()).collect();
    assert_eq!(names.len(), RepairKind::ALL.len());
    let names: BTreeSet<&str> = UnreadableKind::ALL.iter().map(|k| k.as_str()).collect();
    assert_eq!(names.len(), UnreadableKind::ALL.len());
}

fn the_least_sure_repair_speaks_for_the_whole() {
    let sure = |text: &str| read(text).unwrap().certainty();
    assert_eq!(sure("{\"a\": 1}"), Certainty::Exact);
    assert_eq!(sure("{'a': 1,}"), Certainty::Exact);
    assert_eq!(sure("{'a': open}"), Certainty::Likely);
    assert_eq!(sure("{'a': open, 'b': 'cut o"), Certainty::Partial);
}

fn a_repair_says_what_it_removed() {
    let raw = "{\"a\": None}";
    let reading = read(raw).unwrap();
    assert_eq!(reading.repairs.len(), 1);
    let repair = &reading.repairs[0];
    assert_eq!((repair.removed(raw), repair.inserted()), ("None", "null"));
    assert_eq!(repair.kind.message(), "rewrote a literal of another language");
}

fn a_refusal_points_at_its_place_and_stays_short() {
    let raw = format!("{{\"a\": {}}}", "x y ".repeat(100));
    let refusal = read(&raw).unwrap_err();
    assert_eq!((refusal.reason, refusal.at), (UnreadableKind::BareValue, 6));
    let shown: String = "x y ".repeat(10).trim_end().to_owned();
    assert_eq!(refusal.message, format!("a value without quotes can be read in several ways: `{shown}…`"));
    let refusal = read("Here: {'id': 9007199254740993}").unwrap_err();
    assert_eq!((refusal.reason, refusal.at), (UnreadableKind::UnsafeInteger, 13));
}

/// Adds a test for each case, and those of the suite as a whole.
pub(crate) fn add(suite: &mut Suite) {
    suite.cases("texts", Path::new(SUITE), |folder| {
        let case = [case(folder)];
        every_case_reads_as_expected(&case);
        every_reading_is_proven_by_its_edits(&case);
        every_refusal_speaks_as_a_diagnostic_does(&case);
    });
    suite.test("texts::the_suite_is_as_large_as_it_claims", the_suite_is_as_large_as_it_claims);
    suite.test("texts::the_suite_shows_every_kind_and_every_reason", the_suite_shows_every_kind_and_every_reason);
    suite.test("texts::the_record_knows_every_name", the_record_knows_every_name);
    suite.test("texts::names_are_stable_and_differ", names_are_stable_and_differ);
    suite.test("texts::the_least_sure_repair_speaks_for_the_whole", the_least_sure_repair_speaks_for_the_whole);
    suite.test("texts::a_repair_says_what_it_removed", a_repair_says_what_it_removed);
    suite.test("texts::a_refusal_points_at_its_place_and_stays_short", a_refusal_points_at_its_place_and_stays_short);
}
