//! The process ends at every durable step of every operation, and while a file is stored.

use super::fixture::*;
use crate::registry::copy;
use deed_store::{Options, RunStore, RunStoreOptions};
use std::sync::atomic::{AtomicUsize, Ordering};

const CHILD: &str = "DEED_WORKSPACE_CRASH";

fn at(nth: usize) -> impl Fn(&'static str) -> std::io::Result<()> + Send + Sync {
    let taken = AtomicUsize::new(0);
    move |_| {
        if taken.fetch_add(1, Ordering::SeqCst) == nth {
            // No destructor runs, no transaction is rolled back, no file is removed.
            std::process::abort();
        }
        Ok(())
    }
}

/// Not a test of its own: the process that dies. Without its variable it does nothing.
#[test]
fn child_dies() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let parts: Vec<&str> = task.split('|').collect();
    let nth: usize = parts[2].parse().unwrap();
    match parts[1].parse::<usize>() {
        Ok(op) => {
            let options = Options::default().with_steps(at(nth));
            make(&WorkspaceStore::open_or_create_with(parts[0].as_ref(), options).unwrap(), op).unwrap();
        }
        // The content of a file, before any event names it.
        Err(_) => {
            let options = RunStoreOptions::default().with_steps(at(nth));
            let runs = RunStore::create_or_open_with(parts[0].as_ref(), options).unwrap();
            runs.put_durable(&mut b"one".as_slice()).unwrap();
        }
    }
}

fn dies(folder: &std::path::Path, op: &str, nth: usize) -> bool {
    let task = format!("{}|{op}|{nth}", folder.display());
    let output = child("crash::child_dies").env(CHILD, task).output().unwrap();
    if output.status.success() {
        return false;
    }
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(6), "{output:?}");
    true
}

#[test]
fn a_crash_at_any_step_leaves_the_state_before_or_after() {
    let (base, stored) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (lengths, runs) = (lengths(), blobs(stored.path()));
    let mut crashes = 0;
    for op in 0..life().len() {
        for nth in 0.. {
            let scratch = tempfile::tempdir().unwrap();
            copy(base.path(), scratch.path());
            if !dies(scratch.path(), &op.to_string(), nth) {
                break;
            }
            crashes += 1;
            let store = open(scratch.path());
            assert_eq!(events(&store), lengths[op], "no step comes after the commit");
            assert_clean(&store, &runs);
            make(&store, op).unwrap();
            assert_eq!(events(&store), lengths[op + 1]);
        }
        make(&open(base.path()), op).unwrap();
    }
    assert!(crashes > 30, "only {crashes} crashes");
    assert_eq!(open(base.path()).head().unwrap().unwrap().hash, undisturbed());
}

#[test]
fn a_crash_while_a_file_is_stored_leaves_it_whole_or_absent() {
    let mut crashes = 0;
    for nth in 0.. {
        let scratch = tempfile::tempdir().unwrap();
        if !dies(scratch.path(), "content", nth) {
            break;
        }
        crashes += 1;
        let runs = RunStore::create_or_open(scratch.path()).unwrap();
        let sha256 = content("one").sha256;
        assert!(
            runs.check_blob(&sha256).is_ok_and(|bytes| bytes == 3)
                || deed_ports::BlobRead::locate(&runs, &sha256).is_err()
        );
        runs.put_durable(&mut b"one".as_slice()).unwrap();
        assert_eq!(runs.check_blob(&sha256).unwrap(), 3);
    }
    assert!(crashes > 4, "only {crashes} crashes");
}
