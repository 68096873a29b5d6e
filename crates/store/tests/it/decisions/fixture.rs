//! Judged decisions, sealed by a second computation of id and hash.

use deed_canon::{ContentHash, TypeTag, derive_id, hash, to_canonical};
use deed_model::DecisionCase;
use deed_store::{DecisionLog, DecisionLogError, Durability, Options, Outcome, Stamp};
use serde_json::{Value, json};
use std::path::Path;

/// How many decisions the tests record.
pub(crate) const DECISIONS: usize = 6;

pub(crate) fn stamp() -> Stamp {
    Stamp { at: "2026-05-09T11:00:00Z".to_owned(), actor: "ann".to_owned(), began: None }
}

/// A recorded compile; the log does not read it.
pub(crate) fn recording(n: usize) -> Vec<u8> {
    to_canonical(&json!({ "recording": n })).unwrap()
}

/// The document of a case, before it is sealed.
pub(crate) fn document(n: usize) -> Value {
    let mut case: Value = serde_json::from_str(include_str!("case.json")).unwrap();
    case["record"]["trace_id"] = json!(format!("trace_{n}"));
    case["record"]["approvals"] = json!([]);
    case["recording"] = json!(ContentHash::of_bytes(&recording(n)));
    case
}

/// Gives a case the id and the hash of its content.
pub(crate) fn sealed(mut case: Value) -> DecisionCase {
    let tag = TypeTag::literal("deed/decision-record/v1");
    let record = case["record"].as_object_mut().unwrap();
    record.remove("record_hash");
    record.remove("record_id");
    let id = derive_id("dec", &hash(&tag, &Value::Object(record.clone())).unwrap());
    record.insert("record_id".to_owned(), json!(id));
    let whole = hash(&tag, &Value::Object(record.clone())).unwrap();
    record.insert("record_hash".to_owned(), json!(whole));
    serde_json::from_value(case).unwrap()
}

pub(crate) fn case(n: usize) -> DecisionCase {
    sealed(document(n))
}

/// A case with the approval of the template.
pub(crate) fn approved(n: usize) -> DecisionCase {
    let template: Value = serde_json::from_str(include_str!("case.json")).unwrap();
    let mut case = document(n);
    case["record"]["approvals"] = template["record"]["approvals"].clone();
    sealed(case)
}

pub(crate) fn quick() -> Options {
    let mut options = Options::default();
    options.durability = Durability::None;
    options
}

pub(crate) fn open(dir: &Path) -> DecisionLog {
    DecisionLog::open_with(dir, quick()).unwrap().unwrap()
}

pub(crate) fn record(log: &DecisionLog, n: usize) -> Result<Outcome, DecisionLogError> {
    log.record(&case(n), &recording(n), &stamp())
}

/// A log in a new folder with so many decisions.
pub(crate) fn recorded(decisions: usize) -> (tempfile::TempDir, DecisionLog) {
    let dir = tempfile::tempdir().unwrap();
    let log = DecisionLog::create_with(dir.path(), quick()).unwrap();
    for n in 0..decisions {
        assert!(matches!(record(&log, n), Ok(Outcome::Recorded(_))), "{:?}", record(&log, n));
    }
    (dir, log)
}

pub(crate) fn count(log: &DecisionLog) -> usize {
    log.head().unwrap().map_or(0, |head| head.seq as usize + 1)
}

/// The head that an undisturbed log ends with.
pub(crate) fn undisturbed() -> ContentHash {
    recorded(DECISIONS).1.head().unwrap().unwrap().hash
}

pub(crate) fn codes(error: &DecisionLogError) -> Vec<&'static str> {
    error.diagnostics().iter().map(|d| d.code.as_str()).collect()
}

#[track_caller]
pub(crate) fn assert_clean(log: &DecisionLog) {
    let verification = log.verify(None).unwrap();
    assert!(verification.findings.is_empty(), "{:#?}", verification.findings);
    assert_eq!(verification.sound.len() as u64, verification.decisions);
}

/// Asserts an error with this code, a place and help.
#[track_caller]
pub(crate) fn fails<T: std::fmt::Debug>(result: Result<T, DecisionLogError>, expected: &str) {
    let error = result.expect_err("this should have failed");
    assert_eq!(codes(&error), [expected], "{error:?}");
    assert!(error.diagnostics().iter().all(|d| d.place.is_some() && d.help.is_some()), "{error:?}");
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The database, for those who would tamper with it.
pub(crate) fn database(dir: &Path) -> rusqlite::Connection {
    let conn = rusqlite::Connection::open(dir.join("decisions.sqlite")).unwrap();
    conn.pragma_update(None, "synchronous", "OFF").unwrap();
    conn
}

/// This test binary, as a command that runs one of its tests.
pub(crate) fn child(test: &str) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args([&format!("decisions::{test}"), "--exact", "--nocapture", "--test-threads=1"]);
    command
}
