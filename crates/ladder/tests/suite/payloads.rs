//! The suite of payloads: a test for each `tests/suite/ladder/<rung>_<nn>_<name>/`, what goes in and what must come out.
//!
//! A case has a contract (`contract.json`, or `contract` with the path of a shared one), an input (`input.txt` for raw
//! text, `input.json` for a value), and perhaps `proposals.json` and `phase`. Secrets are written as `@@rule@@` and made
//! up when a case is read; `@@u:rule@@` is the same in JSON escapes, `@@uu:rule@@` in escapes within a text,
//! `@@h1:rule@@` and `@@h2:rule@@` are its halves.
//!
//! `expected.json` holds outcome, payload, changes, findings, what each rung did if it did not simply pass, and what
//! became of each proposal. `DEED_BLESS=1 cargo test -p deed-ladder --test suite` rewrites it; look before you commit.

use deed_ladder::{Climbed, Input, Ladder, climb, frozen, read, redo, undo};
use deed_model::{LadderContract, LadderOutcome, LadderReport, Phase, Proposals, Rung, RungStatus};
use deed_testkit::Suite;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/ladder");
const SECRETS: [&str; 2] = ["aws-access-key-id", "stripe-key"];

enum Payload {
    Text(String),
    Value(Value),
}

struct Case {
    name: String,
    folder: PathBuf,
    contract: LadderContract,
    payload: Payload,
    proposals: Proposals,
    phase: Phase,
}

fn secret(rule: &str) -> String {
    let sample = deed_detect::sample(rule, 7).unwrap();
    sample.text[sample.secret].to_owned()
}

/// Puts made-up secrets in the place of their names.
fn filled(text: &str) -> String {
    let mut text = text.to_owned();
    for rule in SECRETS {
        let value = secret(rule);
        let escaped: String = value.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
        let (first, second) = value.split_at(value.len() / 2);
        for (mark, with) in [
            ("", value.as_str()),
            ("u:", escaped.as_str()),
            ("uu:", escaped.replace('\\', "\\\\").as_str()),
            ("h1:", first),
            ("h2:", second),
        ] {
            text = text.replace(&format!("@@{mark}{rule}@@"), with);
        }
    }
    text
}

/// Puts their names in the place of made-up secrets.
fn masked(text: &str) -> String {
    SECRETS.iter().fold(text.to_owned(), |text, rule| text.replace(&secret(rule), &format!("@@{rule}@@")))
}

fn file(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|bytes| filled(&String::from_utf8(bytes).unwrap()))
}

impl Case {
    fn read(folder: PathBuf) -> Self {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let fail = |what: &str, why: String| -> ! { panic!("{name}: {what}: {why}") };
        let shared = |path: String| file(&Path::new(SUITE).join(path.trim())).unwrap();
        let contract = file(&folder.join("contract.json"))
            .or_else(|| file(&folder.join("contract")).map(shared))
            .unwrap_or_else(|| fail("contract", "missing".to_owned()));
        let contract = serde_json::from_str(&contract).unwrap_or_else(|e| fail("contract", e.to_string()));
        let payload = match (file(&folder.join("input.txt")), file(&folder.join("input.json"))) {
            (Some(text), None) => Payload::Text(text),
            (None, Some(json)) => Payload::Value(serde_json::from_str(&json).unwrap()),
            _ => fail("input", "one of input.txt and input.json is needed".to_owned()),
        };
        let proposals = file(&folder.join("proposals.json")).map(|text| serde_json::from_str(&text).unwrap());
        let phase = file(&folder.join("phase")).map(|text| serde_json::from_value(json!(text.trim())).unwrap());
        Self {
            folder,
            contract,
            payload,
            proposals: proposals.unwrap_or_default(),
            phase: phase.unwrap_or(Phase::StepOutput),
            name,
        }
    }

    fn input(&self) -> Input<'_> {
        match &self.payload {
            Payload::Text(text) => Input::Text(text),
            Payload::Value(value) => Input::Value(value),
        }
    }

    /// What `undo` must give back: the raw text where it was no JSON, the value otherwise.
    fn original(&self) -> Value {
        match &self.payload {
            Payload::Text(text) => match read(text) {
                Ok(reading) if reading.repairs.is_empty() => reading.value,
                _ => Value::String(text.clone()),
            },
            Payload::Value(value) => value.clone(),
        }
    }

    fn ladder(&self) -> Ladder {
        Ladder::new(self.contract.clone()).unwrap_or_else(|faults| panic!("{}: {faults:?}", self.name))
    }

    fn climb(&self, ladder: &Ladder) -> Climbed {
        climb(ladder, self.input(), self.phase, &self.proposals)
    }

    fn rung(&self) -> &str {
        self.name.split('_').next().unwrap()
    }
}

fn cases() -> Vec<Case> {
    let mut folders: Vec<PathBuf> = fs::read_dir(SUITE)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| !folder.file_name().unwrap().to_string_lossy().starts_with('_'))
        .collect();
    folders.sort();
    folders.into_iter().map(Case::read).collect()
}

/// The part of a climb that a case pins down.
fn told(climbed: &Climbed) -> Value {
    let report = serde_json::to_value(&climbed.report).unwrap();
    let some = |list: &str, keys: &[&str]| -> Vec<Value> {
        let kept = |item: &Value| keys.iter().map(|key| ((*key).to_owned(), item[key].clone())).collect::<Map<_, _>>();
        report[list].as_array().into_iter().flatten().map(|item| Value::Object(kept(item))).collect()
    };
    let mut rungs = Map::new();
    for record in &climbed.report.rungs {
        let name = if rungs.contains_key("L3") && record.rung == Rung::L3 { "L3_end" } else { record.rung.as_str() };
        rungs.insert(name.to_owned(), json!(record.status));
    }
    rungs.retain(|_, status| *status != json!(RungStatus::Passed));
    let proposals: Vec<Value> = climbed
        .report
        .proposals
        .iter()
        .map(|record| json!({ "id": record.proposal.id, "verdict": record.verdict }))
        .collect();
    json!({
        "outcome": climbed.report.outcome,
        "payload": climbed.payload,
        "changes": some("changes", &["rung", "rule", "confidence", "patch"]),
        "findings": some("findings", &["rung", "code", "blocks", "pointer"]),
        "rungs": rungs,
        "proposals": proposals,
        "suggestions": climbed.report.suggestions.len(),
    })
}

fn every_case_climbs_as_expected(cases: &[Case]) {
    let bless = std::env::var("DEED_BLESS").is_ok();
    let mut wrong = Vec::new();
    for case in cases {
        let found = masked(&format!("{:#}\n", told(&case.climb(&case.ladder()))));
        let path = case.folder.join("expected.json");
        if bless {
            fs::write(path, found).unwrap();
            continue;
        }
        if !fs::read_to_string(path).is_ok_and(|text| same(&text, &found)) {
            wrong.push(format!("{}: {found}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn same(expected: &str, found: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    read(expected) == read(found)
}

/// Runs a law over every case and names all that break it.
#[track_caller]
fn holds(cases: &[Case], law: impl Fn(&Case, &Ladder, &Climbed) -> Result<(), String>) {
    let mut broken = Vec::new();
    for case in cases {
        let ladder = case.ladder();
        let climbed = case.climb(&ladder);
        if let Err(why) = law(case, &ladder, &climbed) {
            broken.push(format!("{}: {why}", case.name));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn must(what: &str, is: bool) -> Result<(), String> {
    if is { Ok(()) } else { Err(what.to_owned()) }
}

fn every_climb_can_be_undone_and_redone(cases: &[Case]) {
    holds(cases, |case, _, Climbed { payload, report }| {
        let Some(payload) = payload else {
            return must("no output hash without a payload", report.output_hash.is_none());
        };
        let undone = undo(report, payload).map_err(|e| format!("undo: {e}"))?;
        must("undo gives the input back", undone == case.original())?;
        let redone = redo(report, &undone).map_err(|e| format!("redo: {e}"))?;
        must("redo gives the output", redone == *payload)?;
        must("undo refuses another payload", undo(report, &json!({"not": "this"})).is_err())?;
        must("redo refuses another input", redo(report, &json!({"not": "this"})).is_err())
    });
}

fn a_second_climb_of_what_was_accepted_changes_nothing(cases: &[Case]) {
    holds(cases, |case, ladder, Climbed { payload, report }| {
        let Some(payload) = payload.as_ref().filter(|_| report.outcome == LadderOutcome::Accepted) else {
            return Ok(());
        };
        let text = serde_json::to_string(payload).unwrap();
        for input in [Input::Value(payload), Input::Text(&text)] {
            let again = climb(ladder, input, case.phase, &Proposals::default());
            must("changed", again.report.changes.is_empty())?;
            must("another hash", again.report.output_hash == report.output_hash)?;
            must("another payload", again.payload.as_ref() == Some(payload))?;
            must("no longer accepted", again.report.outcome == LadderOutcome::Accepted)?;
        }
        Ok(())
    });
}

fn two_climbs_are_told_in_the_same_bytes(cases: &[Case]) {
    holds(cases, |case, _, climbed| {
        let other = case.climb(&case.ladder());
        let bytes = |climbed: &Climbed| serde_json::to_string(&climbed.report).unwrap();
        must("other bytes", bytes(climbed) == bytes(&other) && climbed.payload == other.payload)
    });
}

fn frozen_proposals_give_the_same_report(cases: &[Case]) {
    holds(cases, |case, ladder, climbed| {
        let replayed = climb(ladder, case.input(), case.phase, &frozen(&climbed.report));
        must("another report", replayed == *climbed)
    });
}

/// All cases in one test, because the validator takes longer to build than a case does to climb.
fn every_report_is_of_its_published_schema() {
    let validator = jsonschema::validator_for(&deed_model::schema_for::<LadderReport>()).unwrap();
    holds(&cases(), |_, _, climbed| {
        let report = serde_json::to_value(&climbed.report).unwrap();
        must("not of its schema", validator.is_valid(&report))?;
        let read: LadderReport = serde_json::from_value(report).map_err(|e| e.to_string())?;
        must("reads back as another", read == climbed.report)
    });
}

fn what_conformance_accepts_is_valid(cases: &[Case]) {
    holds(cases, |case, ladder, climbed| {
        let mode = ladder.mode(case.phase, Rung::L4);
        let accepted = climbed.report.outcome == LadderOutcome::Accepted;
        if !accepted || mode != deed_model::LadderMode::Block {
            return Ok(());
        }
        let schema = jsonschema::options().should_validate_formats(true).build(&case.contract.schema).unwrap();
        must("not valid", climbed.payload.as_ref().is_some_and(|payload| schema.is_valid(payload)))
    });
}

fn what_the_guard_stops_is_never_repeated(cases: &[Case]) {
    holds(cases, |_, _, Climbed { payload, report }| {
        let stopped = report.findings.iter().any(|finding| finding.blocks && finding.rung == Rung::L3);
        let text = serde_json::to_string(report).unwrap();
        must("repeats it", !stopped || SECRETS.iter().all(|rule| !text.contains(&secret(rule))))?;
        must("lets it through", !stopped || payload.is_none())
    });
}

fn whoever_is_rejected_is_told_why(cases: &[Case]) {
    holds(cases, |_, _, Climbed { payload, report }| {
        let blocks = report.findings.iter().any(|finding| finding.blocks);
        let rejected = report.outcome == LadderOutcome::Rejected;
        must("rejected and told why go together", blocks == rejected)?;
        must("only a rejected one has no payload", payload.is_some() || rejected)
    });
}

fn changes_are_told_by_the_rung_that_made_them(cases: &[Case]) {
    holds(cases, |_, _, Climbed { report, .. }| {
        // What the guard stops at the end takes its changes with it.
        let stopped = report.rungs.last().is_some_and(|record| record.status == RungStatus::Stopped);
        for rung in Rung::ALL.into_iter().filter(|_| !stopped) {
            let made = report.changes.iter().filter(|change| change.rung == rung).count();
            let told: usize =
                report.rungs.iter().filter(|record| record.rung == rung).map(|record| record.changes).sum();
            must(rung.as_str(), made == told)?;
        }
        let order: Vec<Rung> = report.rungs.iter().map(|record| record.rung).collect();
        let expected: Vec<Rung> = Rung::ALL.into_iter().chain([Rung::L3]).collect();
        must("the rungs in their order", order == expected)
    });
}

fn correct_json_is_never_altered() {
    let mut seen = 0;
    for case in cases() {
        let Payload::Text(text) = &case.payload else { continue };
        let strict = serde_json::from_str::<Value>(text).is_ok() && read(text).is_ok_and(|r| r.repairs.is_empty());
        seen += usize::from(strict);
        let report = case.climb(&case.ladder()).report;
        let touched = !report.repairs.is_empty() || report.changes.iter().any(|change| change.rung == Rung::L0);
        assert!(!(strict && touched), "{}", case.name);
        assert!(strict || !case.name.contains("_correct_"), "{}", case.name);
    }
    assert!(seen >= 5, "{seen}");
}

fn the_suite_is_as_large_as_it_claims() {
    let cases = cases();
    let malformed = |case: &&Case| match &case.payload {
        Payload::Text(text) => serde_json::from_str::<Value>(text).is_err(),
        Payload::Value(_) => false,
    };
    let dirty = cases.iter().filter(malformed).count();
    assert!(cases.len() >= 160 && dirty >= 60, "{} cases, {dirty} malformed", cases.len());
    for rung in Rung::ALL {
        let of_rung = cases.iter().filter(|case| case.rung() == rung.as_str().to_lowercase()).count();
        assert!(of_rung >= 8, "{rung}: {of_rung}");
    }
    let known: BTreeSet<String> = Rung::ALL.iter().map(|rung| rung.as_str().to_lowercase()).collect();
    assert!(cases.iter().all(|case| known.contains(case.rung())));
}

fn the_suite_shows_every_code_of_a_climb() {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for case in cases() {
        seen.extend(case.climb(&case.ladder()).report.findings.into_iter().map(|finding| finding.code));
    }
    let all = [
        "D1701", "D1702", "D1703", "D1704", "D1706", "D1710", "D1711", "D1712", "D1713", "D1714", "D1715", "D1716",
        "D1717", "D1718", "D1730", "D1731", "D1732", "D1733", "D1734", "D1735", "D1736", "D1737", "D1740", "D1741",
        "D1750", "D1751", "D1752", "D1782",
    ];
    let unseen: Vec<&&str> = all.iter().filter(|code| !seen.contains(**code)).collect();
    assert!(unseen.is_empty(), "{unseen:?}");
}

/// The checks that hold for every case.
const CHECKS: [fn(&[Case]); 9] = [
    every_case_climbs_as_expected,
    every_climb_can_be_undone_and_redone,
    a_second_climb_of_what_was_accepted_changes_nothing,
    two_climbs_are_told_in_the_same_bytes,
    frozen_proposals_give_the_same_report,
    what_conformance_accepts_is_valid,
    what_the_guard_stops_is_never_repeated,
    whoever_is_rejected_is_told_why,
    changes_are_told_by_the_rung_that_made_them,
];

/// Adds a test for each case, and those of the suite as a whole.
pub(crate) fn add(suite: &mut Suite) {
    suite.cases("payloads", Path::new(SUITE), |folder| {
        let case = [Case::read(folder)];
        CHECKS.iter().for_each(|check| check(&case));
    });
    suite.test("payloads::every_report_is_of_its_published_schema", every_report_is_of_its_published_schema);
    suite.test("payloads::correct_json_is_never_altered", correct_json_is_never_altered);
    suite.test("payloads::the_suite_is_as_large_as_it_claims", the_suite_is_as_large_as_it_claims);
    suite.test("payloads::the_suite_shows_every_code_of_a_climb", the_suite_shows_every_code_of_a_climb);
}
