//! Records, stores, and access to their databases for tampering.

use deed_canon::{ContentHash, Envelope};
use deed_model::{Budget, RUN_EVENT_VERSION, RunEvent, RunOptions, RunOutcome, RunRecord, RunRequest};
use deed_ports::{JournalEntry, JournalExtent, JournalRead, JournalWrite, StoreError, StoreErrorKind, Wait};
use deed_store::{Durability, RunStore, RunStoreOptions};
use std::fs;
use std::path::Path;

/// Options for tests that are not about durability.
pub(crate) fn quick() -> RunStoreOptions {
    let mut options = RunStoreOptions::default();
    options.durability = Durability::None;
    options
}

pub(crate) fn store() -> (tempfile::TempDir, RunStore) {
    let dir = tempfile::tempdir().unwrap();
    let store = RunStore::create_or_open_with(dir.path(), quick()).unwrap();
    (dir, store)
}

pub(crate) fn reopen(dir: &Path) -> RunStore {
    RunStore::open_with(dir, quick()).unwrap()
}

pub(crate) fn record(event: RunEvent) -> RunRecord {
    RunRecord { version: RUN_EVENT_VERSION, at: "2026-11-15T10:00:00Z".to_owned(), event }
}

pub(crate) fn request(run_id: &str) -> RunRequest {
    RunRequest {
        run_id: run_id.to_owned(),
        plan: "plan".to_owned(),
        plan_hash: ContentHash::of_bytes(b"plan"),
        plan_blob: ContentHash::of_bytes(b"plan bytes"),
        code_places: std::collections::BTreeMap::new(),
        code: [("é".to_owned(), ContentHash::of_bytes(b"code"))].into(),
        types_blob: None,
        profile: None,
        models_blob: None,
        validation: Vec::new(),
        workspace: None,
        inputs: Vec::new(),
        grant: Budget { tool_calls: Some(3), ..Budget::default() },
        options: RunOptions::default(),
        actor: "somebody \u{1F600} \"quoted\"".to_owned(),
        forked: None,
    }
}

pub(crate) fn submitted(run_id: &str) -> RunRecord {
    record(RunEvent::Submitted { run: Box::new(request(run_id)) })
}

pub(crate) fn progress(done: u64) -> RunRecord {
    record(RunEvent::Progress { step: "s".to_owned(), done, total: None, note: Some(format!("note \u{0} {done}")) })
}

pub(crate) fn ended() -> RunRecord {
    record(RunEvent::Ended { outcome: RunOutcome::Succeeded, why: None })
}

pub(crate) fn sealed() -> RunRecord {
    let seal = Envelope { payload_type: "t".to_owned(), payload: "cA==".to_owned(), signatures: Vec::new() };
    record(RunEvent::Sealed { seal })
}

/// A run with its first event and so many more.
pub(crate) fn begin(store: &RunStore, run_id: &str, more: u64) {
    store.create(run_id, submitted(run_id)).unwrap();
    store.append(run_id, (1..=more).map(progress).collect(), Wait::Durable).unwrap();
}

/// The numbers that events of a run report, in order.
pub(crate) fn numbers(entries: &[JournalEntry]) -> Vec<u64> {
    let number = |entry: &JournalEntry| match &entry.record.event {
        RunEvent::Progress { done, .. } => Some(*done),
        _ => None,
    };
    entries.iter().filter_map(number).collect()
}

#[track_caller]
pub(crate) fn assert_sound(store: &RunStore) -> JournalExtent {
    let extent = store.verify().unwrap().unwrap_or_else(|broken| panic!("{broken:?}"));
    // The head is another for each journal; tests of heads read it from `verify`.
    JournalExtent { head: None, ..extent }
}

/// Asserts an error of a kind.
#[track_caller]
pub(crate) fn fails<T: std::fmt::Debug>(result: Result<T, StoreError>, kind: StoreErrorKind) -> StoreError {
    let error = result.expect_err("this should have failed");
    assert_eq!(error.kind, kind, "{error:?}");
    assert!(!error.message.is_empty());
    error
}

pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Opens the database for tampering.
pub(crate) fn database(dir: &Path) -> rusqlite::Connection {
    let conn = rusqlite::Connection::open(dir.join("journal.sqlite")).unwrap();
    conn.pragma_update(None, "synchronous", "OFF").unwrap();
    conn
}

/// This test binary, as a command that runs one of its tests.
pub(crate) fn child(test: &str) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args([&format!("runs::{test}"), "--exact", "--nocapture", "--test-threads=1"]);
    command
}
