//! A full disk at every durable step of every operation.

use super::fixture::*;
use crate::registry::copy;
use deed_store::Options;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fails the `nth` step, counted from 0, for want of space.
fn full_at(nth: usize) -> Options {
    let taken = AtomicUsize::new(0);
    quick().with_steps(move |_| match taken.fetch_add(1, Ordering::SeqCst) == nth {
        true => Err(io::Error::from(io::ErrorKind::StorageFull)),
        false => Ok(()),
    })
}

#[test]
fn a_full_disk_at_any_step_leaves_nothing_half_written() {
    let (base, stored) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    drop(open(base.path()));
    let (lengths, runs) = (lengths(), blobs(stored.path()));
    let mut faults = 0;
    for op in 0..life().len() {
        for nth in 0.. {
            let scratch = tempfile::tempdir().unwrap();
            copy(base.path(), scratch.path());
            let outcome = make(&WorkspaceStore::open_or_create_with(scratch.path(), full_at(nth)).unwrap(), op);
            if outcome.is_ok() {
                assert!(nth >= 3, "operation {op} has only {nth} durable steps");
                break;
            }
            failed(outcome, "D1242");
            faults += 1;
            let store = open(scratch.path());
            assert_eq!(events(&store), lengths[op]);
            assert_clean(&store, &runs);
            make(&store, op).unwrap();
            assert_eq!(events(&store), lengths[op + 1]);
        }
        make(&open(base.path()), op).unwrap();
    }
    assert!(faults > 30, "only {faults} faults");
    assert_eq!(open(base.path()).head().unwrap().unwrap().hash, undisturbed());
}

#[test]
fn a_full_disk_while_creating_can_be_tried_again() {
    for nth in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("reports");
        let outcome = WorkspaceStore::open_or_create_with(&path, full_at(nth));
        if outcome.is_ok() {
            assert!(nth >= 4);
            break;
        }
        failed(outcome, "D1242");
        let left = WorkspaceStore::open_if_there(&path).unwrap();
        assert!(left.is_none_or(|store| events(&store) == 0));
        whole(&open(&path));
    }
}

#[test]
fn a_folder_with_other_files_is_no_workspace() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    failed(WorkspaceStore::open_or_create(dir.path()), "D3021");
    assert!(!dir.path().join("workspace.sqlite").exists());
    assert!(WorkspaceStore::open_if_there(dir.path()).unwrap().is_none());
}
