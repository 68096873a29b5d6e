//! Several writers at once.

use super::fixture::*;
use deed_store::{Outcome, Stamp};
use deed_workspace::{begin_run, end_run, put};
use std::sync::Barrier;

fn started() -> (tempfile::TempDir, WorkspaceStore) {
    let (dir, store) = store();
    make(&store, 0).unwrap();
    (dir, store)
}

/// What each of eight threads, each with a connection of its own, returns.
fn rivals(dir: &tempfile::TempDir, act: impl Fn(&WorkspaceStore, usize) -> Outcome + Sync) -> Vec<Outcome> {
    let (path, start) = (dir.path().join("reports"), Barrier::new(8));
    std::thread::scope(|scope| {
        let threads = (0..8).map(|n| {
            let (path, start, act) = (&path, &start, &act);
            scope.spawn(move || {
                let store = open(path);
                start.wait();
                act(&store, n)
            })
        });
        threads.collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn eight_writers_of_one_name_all_keep_their_version() {
    let (dir, store) = started();
    rivals(&dir, |store, n| {
        let text = n.to_string();
        store.append(&stamp(n), |state| put(state, &[upload("people/a", &text)], "ada")).unwrap()
    });
    let state = store.state().unwrap();
    let file = state.file("people/a").unwrap();
    let mut contents: Vec<_> = file.versions.iter().map(|version| version.content.unwrap()).collect();
    contents.sort_by_key(|content| content.sha256);
    let mut expected: Vec<_> = (0..8).map(|n| content(&n.to_string())).collect();
    expected.sort_by_key(|content| content.sha256);
    assert_eq!(contents, expected);
    assert_eq!(file.versions.iter().map(|version| version.version).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
}

#[test]
fn one_of_eight_writers_replaces_the_version_that_it_expects() {
    let (dir, store) = started();
    let done = rivals(&dir, |store, n| {
        let file = deed_workspace::NewFile { base: Some(0), ..upload("people/a", &n.to_string()) };
        store.append(&stamp(n), |state| put(state, &[file], "ada")).unwrap_or(Outcome::AlreadyDone)
    });
    assert_eq!(done.iter().filter(|outcome| matches!(outcome, Outcome::Recorded(_))).count(), 1);
    assert_eq!(store.state().unwrap().file("people/a").unwrap().versions.len(), 1);
}

#[test]
fn eight_processes_that_settle_one_run_write_its_outputs_once() {
    let (dir, store) = started();
    store.append(&stamp(0), |state| begin_run(state, "run-1", "monthly", &[], "ada")).unwrap();
    let done = rivals(&dir, |store, n| {
        let files = run_files();
        store.append(&stamp(n), |state| end_run(state, ended("run-1", &files))).unwrap()
    });
    assert_eq!(done.iter().filter(|outcome| matches!(outcome, Outcome::Recorded(_))).count(), 1);
    let state = store.state().unwrap();
    assert!(state.files().all(|file| file.versions.len() == 1));
    assert_eq!(state.run("run-1").unwrap().ended.unwrap().1, 3);
}

#[test]
fn a_writer_that_does_not_finish_is_named() {
    let (dir, store) = started();
    let mut options = quick();
    options.busy_timeout = std::time::Duration::from_millis(20);
    let path = dir.path().join("reports");
    let impatient = WorkspaceStore::open_or_create_with(&path, options).unwrap();
    let holder = database(&path);
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    failed(make(&impatient, 1), "D1243");
    assert_eq!(events(&store), 2);
    holder.execute_batch("ROLLBACK").unwrap();
    make(&impatient, 1).unwrap();
}

#[test]
fn a_time_that_is_none_is_refused() {
    let (_dir, store) = started();
    let bad = Stamp { at: "soon".to_owned(), ..stamp(1) };
    failed(store.append(&bad, |_| Ok(Vec::new())), "D0012");
}
