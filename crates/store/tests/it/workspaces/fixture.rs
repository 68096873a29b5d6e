//! A life of a workspace as a list of operations, each of which appends events.

use deed_canon::ContentHash;
use deed_diag::Diagnostic;
use deed_model::{RunOutcome, StoredContent, WorkspaceEvent, WorkspaceSettings};
pub(crate) use deed_store::WorkspaceStore;
use deed_store::{Durability, Options, Outcome, RegistryError, RunStore, RunStoreOptions, Stamp};
use deed_workspace::{
    Creation, FilePath, NewFile, Removal, RunFile, RunFiles, WorkspaceState, add_person, begin_run, change_settings,
    create, end_run, put, remove, remove_person,
};
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) fn stamp(second: usize) -> Stamp {
    Stamp { at: format!("2026-01-01T00:00:{second:02}Z"), actor: "ada".to_owned(), began: None }
}

pub(crate) fn quick() -> Options {
    let mut options = Options::default();
    options.durability = Durability::None;
    options
}

pub(crate) fn open(dir: &Path) -> WorkspaceStore {
    WorkspaceStore::open_or_create_with(dir, quick()).unwrap()
}

pub(crate) fn store() -> (tempfile::TempDir, WorkspaceStore) {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("reports"));
    (dir, store)
}

/// The blobs that the life names, as they would be stored before its events.
pub(crate) fn blobs(dir: &Path) -> RunStore {
    let mut options = RunStoreOptions::default();
    options.durability = Durability::None;
    let runs = RunStore::create_or_open_with(&dir.join("runs"), options).unwrap();
    for text in ["one", "two", "report", "page"] {
        runs.put_durable(&mut text.as_bytes()).unwrap();
    }
    runs
}

pub(crate) fn content(text: &str) -> StoredContent {
    StoredContent { sha256: ContentHash::of_bytes(text.as_bytes()), size_bytes: text.len() as u64 }
}

pub(crate) fn upload(path: &str, text: &str) -> NewFile {
    let path = FilePath::read(path).unwrap();
    NewFile { path, content: content(text), source: None, note: None, base: None }
}

type Transition = Box<dyn Fn(&WorkspaceState) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>>>;

fn op(transition: impl Fn(&WorkspaceState) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>> + 'static) -> Transition {
    Box::new(transition)
}

pub(crate) fn run_files() -> Vec<RunFile> {
    let file = |path: &str, text: &str| RunFile {
        artifact: format!("output/{path}"),
        content: content(text),
        step_id: "write".to_owned(),
        receipt_hash: ContentHash::of_bytes(b"receipt"),
    };
    vec![file("report.html", "report"), file("pages/1.html", "page"), file("pages/2.html", "page")]
}

pub(crate) fn ended<'r>(run_id: &'r str, files: &'r [RunFile]) -> RunFiles<'r> {
    let plan_hash = ContentHash::of_bytes(b"plan");
    RunFiles { run_id, plan_hash, outcome: RunOutcome::Succeeded, files, actor: "ada" }
}

/// Every kind of event: each operation appends at least one, in this order.
pub(crate) fn life() -> Vec<Transition> {
    let settings = || WorkspaceSettings { default_profile: Some("team@1.0.0".to_owned()), ..Default::default() };
    let roles = || BTreeSet::from(["finance".to_owned()]);
    vec![
        op(|state| {
            let settings = WorkspaceSettings::default();
            let (workspace, tenant_id, actor) = ("reports", "acme", "ada");
            create(state, Creation { workspace, tenant_id, purpose: None, settings: &settings, actor })
        }),
        op(move |state| change_settings(state, &settings(), "ada")),
        op(move |state| add_person(state, "rosa", None, &roles(), "ada")),
        op(|state| put(state, &[upload("people/a", "one"), upload("people/b/c", "two")], "ada")),
        op(|state| put(state, &[upload("people/a", "two")], "ada")),
        op(|state| begin_run(state, "run-1", "monthly", &[], "ada")),
        op(|state| end_run(state, ended("run-1", &run_files()))),
        op(|state| {
            let path = FilePath::read("people/a").unwrap();
            remove(state, Removal { path: &path, reason: "wrong", actor: "ada" })
        }),
        op(|state| remove_person(state, "rosa", None, "ada")),
    ]
}

/// Makes one operation of the life.
pub(crate) fn make(store: &WorkspaceStore, at: usize) -> Result<Outcome, RegistryError> {
    let life = life();
    store.append(&stamp(at), |state| life[at](state))
}

pub(crate) fn whole(store: &WorkspaceStore) {
    for at in 0..life().len() {
        let outcome = make(store, at);
        assert!(matches!(outcome, Ok(Outcome::Recorded(_))), "operation {at}: {outcome:?}");
    }
}

pub(crate) fn events(store: &WorkspaceStore) -> usize {
    store.head().unwrap().map_or(0, |head| head.seq as usize + 1)
}

/// The number of events after each operation, from none on.
pub(crate) fn lengths() -> Vec<usize> {
    let (_dir, store) = store();
    let mut lengths = vec![0];
    for at in 0..life().len() {
        make(&store, at).unwrap();
        lengths.push(events(&store));
    }
    lengths
}

/// The head that an undisturbed life ends with.
pub(crate) fn undisturbed() -> ContentHash {
    let (_dir, store) = store();
    whole(&store);
    store.head().unwrap().unwrap().hash
}

#[track_caller]
pub(crate) fn assert_clean(store: &WorkspaceStore, runs: &RunStore) {
    let findings = store.verify(Some(runs), None).unwrap().findings;
    assert!(findings.is_empty(), "{findings:#?}");
}

/// Asserts a failure with this code, that speaks of the workspace, with a place and help.
#[track_caller]
pub(crate) fn failed<T: std::fmt::Debug>(result: Result<T, RegistryError>, code: &str) {
    let error = result.expect_err("this should have failed");
    let codes: Vec<&str> = error.diagnostics().iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, [code], "{error:?}");
    for finding in error.diagnostics() {
        assert!(finding.place.is_some() && finding.help.is_some(), "{finding:?}");
        assert!(!finding.message.contains("registry"), "{finding:?}");
        assert_eq!(finding.stage.as_ref(), "workspace", "{finding:?}");
    }
}

pub(crate) fn database(dir: &Path) -> rusqlite::Connection {
    let conn = rusqlite::Connection::open(dir.join("workspace.sqlite")).unwrap();
    conn.pragma_update(None, "synchronous", "OFF").unwrap();
    conn
}

/// This test binary, as a command that runs one of its tests.
pub(crate) fn child(test: &str) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args([&format!("workspaces::{test}"), "--exact", "--nocapture", "--test-threads=1"]);
    command
}
