//! Heads that are noted outside the journal: an older copy of it is found, a crash is not taken for one.

use super::fixture::*;
use deed_canon::ChainHead;
use deed_ports::{AnchorStatus, JournalRead, JournalWrite, StoreErrorKind, Wait};
use deed_store::RunStore;
use std::fs;
use std::path::{Path, PathBuf};

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn runs(&self) -> PathBuf {
        self.0.path().join("runs")
    }

    fn anchor(&self) -> PathBuf {
        self.0.path().join("anchor")
    }

    fn open(&self) -> RunStore {
        RunStore::create_or_open_with(&self.runs(), quick()).unwrap().anchored_in(&self.anchor()).unwrap()
    }
}

/// Copies the journal as it is on disk.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in ["journal.sqlite", "journal.sqlite-wal"] {
        if from.join(name).exists() {
            fs::copy(from.join(name), to.join(name)).unwrap();
        }
    }
    let _ = fs::remove_file(to.join("journal.sqlite-shm"));
}

#[test]
fn an_older_copy_of_the_journal_is_found() {
    let home = Home::new();
    let store = home.open();
    begin(&store, "a", 3);
    store.anchor("a", Wait::Durable).unwrap();
    let head = store.settle("a").unwrap().unwrap();
    assert_eq!(store.anchored("a").unwrap(), AnchorStatus::Extends);
    drop(store);
    copy(&home.runs(), &home.0.path().join("copy"));
    let store = home.open();
    store.append("a", vec![progress(4)], Wait::Durable).unwrap();
    // Behind the journal is where a crash leaves it.
    assert_eq!(store.anchored("a").unwrap(), AnchorStatus::Extends);
    store.anchor("a", Wait::Ordered).unwrap();
    let later = store.settle("a").unwrap().unwrap();
    assert_eq!((head.seq, later.seq), (3, 4));
    drop(store);
    copy(&home.0.path().join("copy"), &home.runs());
    let store = home.open();
    let rolled = AnchorStatus::RolledBack { run_id: Some("a".to_owned()), head: later };
    assert_eq!(store.anchored("a").unwrap(), rolled);
    // Recording heads again does not lower it.
    store.anchor("a", Wait::Durable).unwrap();
    assert_eq!(store.anchored("a").unwrap(), rolled);
    store.reanchor("a").unwrap();
    assert_eq!(store.anchored("a").unwrap(), AnchorStatus::Extends);
    assert_eq!(mode(&home.anchor()), 0o700);
    assert_eq!(mode(&home.anchor().join("a")), 0o600);
}

#[test]
fn a_run_that_is_gone_and_a_list_that_was_cut_are_found() {
    let home = Home::new();
    let store = home.open();
    begin(&store, "a", 1);
    store.anchor("a", Wait::Durable).unwrap();
    drop(store);
    copy(&home.runs(), &home.0.path().join("copy"));
    let store = home.open();
    begin(&store, "b", 1);
    store.append("b", vec![ended(), sealed()], Wait::Durable).unwrap();
    store.anchor("b", Wait::Durable).unwrap();
    assert!(!home.anchor().join("b").exists(), "the list has the end of a sealed run");
    assert_eq!(store.anchored("b").unwrap(), AnchorStatus::Extends);
    let list: ChainHead = store.head(None).unwrap().unwrap();
    drop(store);
    copy(&home.0.path().join("copy"), &home.runs());
    let store = home.open();
    for run in ["a", "b"] {
        assert_eq!(store.anchored(run).unwrap(), AnchorStatus::RolledBack { run_id: None, head: list });
    }
}

#[test]
fn notes_that_are_missing_or_no_heads() {
    let home = Home::new();
    let store = home.open();
    begin(&store, "a", 1);
    assert_eq!(store.anchored("a").unwrap(), AnchorStatus::Unknown);
    assert_eq!(store.anchored("b").unwrap(), AnchorStatus::Extends, "there is no such run");
    store.anchor("a", Wait::Durable).unwrap();
    fs::write(home.anchor().join("a"), "nonsense\n").unwrap();
    fails(store.anchored("a"), StoreErrorKind::Corrupt);
    store.reanchor("a").unwrap();
    assert_eq!(store.anchored("a").unwrap(), AnchorStatus::Extends);
    // A process that was killed while it wrote leaves a file that the next one replaces.
    fs::write(home.anchor().join("anchor.new"), "half").unwrap();
    store.append("a", vec![progress(2)], Wait::Durable).unwrap();
    store.anchor("a", Wait::Durable).unwrap();
    assert_eq!(fs::read_to_string(home.anchor().join("a")).unwrap().split(' ').next(), Some("2"));
}

/// Only an accepted rollback replaces a note that cannot be read: it may have named a higher head.
#[test]
fn an_unreadable_note_is_not_replaced_by_a_later_head() {
    let home = Home::new();
    let store = home.open();
    begin(&store, "a", 1);
    store.anchor("a", Wait::Durable).unwrap();
    for name in ["a", "runs.list"] {
        let note = home.anchor().join(name);
        let before = fs::read_to_string(&note).unwrap();
        fs::write(&note, "nonsense\n").unwrap();
        fails(store.anchor("a", Wait::Durable), StoreErrorKind::Corrupt);
        assert_eq!(fs::read_to_string(&note).unwrap(), "nonsense\n");
        fs::write(&note, before).unwrap();
    }
    store.anchor("a", Wait::Durable).unwrap();
}

/// A database that cannot be read is an error of the store, and not the rollback of a run.
#[test]
fn a_failed_query_is_not_reported_as_a_rollback() {
    let home = Home::new();
    let store = home.open();
    begin(&store, "a", 1);
    store.anchor("a", Wait::Durable).unwrap();
    let head = store.head(Some("a")).unwrap().unwrap();
    database(&home.runs()).execute_batch("ALTER TABLE events RENAME TO elsewhere").unwrap();
    fails(store.anchored("a"), StoreErrorKind::Unavailable);
    fails(store.contains(Some("a"), &head), StoreErrorKind::Unavailable);
    fails(RunStore::contains_in(&home.runs(), Some("a"), &head), StoreErrorKind::Unavailable);
    fails(RunStore::compare_in(&home.runs(), &home.anchor()), StoreErrorKind::Unavailable);
}

/// Many threads and stores note ends at once: what is noted is never lower than before, and never ahead of the journal.
#[test]
fn notes_only_rise() {
    let home = Home::new();
    begin(&home.open(), "a", 0);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let home = &home;
            scope.spawn(move || {
                let store = home.open();
                let mut last = 0;
                for n in 0..25 {
                    store.append("a", vec![progress(thread * 25 + n)], Wait::Durable).unwrap();
                    store.anchor("a", Wait::Ordered).unwrap();
                    let text = fs::read_to_string(home.anchor().join("a")).unwrap();
                    let noted: u64 = text.split(' ').next().unwrap().parse().unwrap();
                    assert!(noted >= last && noted > 0);
                    last = noted;
                    assert_eq!(store.anchored("a").unwrap(), AnchorStatus::Extends);
                }
            });
        }
    });
    let store = home.open();
    assert_eq!(fs::read_to_string(home.anchor().join("a")).unwrap().split(' ').next(), Some("100"));
    assert_eq!(store.settle("a").unwrap().unwrap().seq, 100);
}
