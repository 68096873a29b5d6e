//! Making, opening, and folders that are not journals.

use super::fixture::*;
use deed_ports::{JournalRead, JournalWrite, StoreErrorKind, Wait};
use deed_store::RunStore;
use std::fs;

#[test]
fn a_created_store_is_private_and_can_be_opened_again() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("deep").join("runs");
    let store = RunStore::create_or_open(&dir).unwrap();
    begin(&store, "a", 1);
    assert_eq!(mode(&dir), 0o700);
    for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
        assert_eq!(mode(&dir.join(name)), 0o600, "{name}");
    }
    let again = RunStore::create_or_open(&dir).unwrap();
    assert_eq!(again.runs().unwrap(), store.runs().unwrap());
    drop((store, again));
    assert_eq!(RunStore::open(&dir).unwrap().runs().unwrap().len(), 1);
}

#[test]
fn a_folder_without_a_journal_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    fails(RunStore::open(dir.path()), StoreErrorKind::Unknown);
    fails(RunStore::open(&dir.path().join("nowhere")), StoreErrorKind::Unknown);
    let foreign = dir.path().join("journal.sqlite");
    fs::write(&foreign, vec![7; 8192]).unwrap();
    fails(RunStore::open(dir.path()), StoreErrorKind::Corrupt);
    fails(RunStore::create_or_open(dir.path()), StoreErrorKind::Corrupt);
    assert_eq!(fs::read(&foreign).unwrap(), vec![7; 8192], "it is left as it was");
    fs::write(&foreign, "").unwrap();
    fails(RunStore::open(dir.path()), StoreErrorKind::Unknown);
    database(dir.path()).execute_batch("CREATE TABLE mine(text)").unwrap();
    fails(RunStore::create_or_open(dir.path()), StoreErrorKind::Corrupt);
}

/// A folder that exists and cannot be listed may have the locks of runs: it is not taken for a new one.
#[test]
fn a_folder_that_cannot_be_listed_is_not_taken_for_empty() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("locks"), "").unwrap();
    fails(RunStore::open(dir.path()), StoreErrorKind::Unavailable);
}

#[test]
fn another_format_and_other_tables_are_refused() {
    let (dir, store) = store();
    begin(&store, "a", 1);
    drop(store);
    let conn = database(dir.path());
    for (change, back) in [
        ("CREATE TABLE notes(text)", "DROP TABLE notes"),
        ("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM heads; END", "DROP TRIGGER t"),
    ] {
        conn.execute_batch(change).unwrap();
        fails(RunStore::open(dir.path()), StoreErrorKind::Corrupt);
        conn.execute_batch(back).unwrap();
        assert_sound(&reopen(dir.path()));
    }
    conn.execute_batch("PRAGMA user_version = 3").unwrap();
    let error = fails(RunStore::open(dir.path()), StoreErrorKind::Unavailable);
    assert_eq!(error.message, "the journal of runs has format 3; this version reads 2");
    fails(RunStore::create_or_open(dir.path()), StoreErrorKind::Unavailable);
}

#[test]
fn an_event_of_a_later_version_is_refused_and_not_taken_for_damage() {
    let (dir, store) = store();
    begin(&store, "a", 1);
    let mut later = serde_json::to_value(progress(2)).unwrap();
    later["version"] = 2.into();
    let link = deed_canon::append(store.settle("a").unwrap().as_ref(), later).unwrap();
    let (prev, hash) = (link.prev.unwrap().to_string(), link.hash.to_string());
    let body = deed_canon::canonical_string(&link.body).unwrap();
    let conn = database(dir.path());
    conn.execute("INSERT INTO events VALUES ('a', 2, ?1, ?2, ?3)", [&prev, &hash, &body]).unwrap();
    conn.execute("UPDATE heads SET seq = 2, hash = ?1 WHERE run_id = 'a'", [&hash]).unwrap();
    fails(store.events("a", 0), StoreErrorKind::Unavailable);
    fails(store.verify(), StoreErrorKind::Unavailable);
}

const CHILD: &str = "DEED_STORE_UNPRIVILEGED";

/// Not a test of its own: a process that may read the folder and not write to it. Without its variable it does nothing.
#[test]
fn child_may_not_write() {
    let Ok(dir) = std::env::var(CHILD) else { return };
    let error = match RunStore::create_or_open(dir.as_ref()) {
        Ok(store) => store.append("a", vec![progress(2)], Wait::Durable).unwrap_err(),
        Err(error) => error,
    };
    println!("ERROR {:?} {:?}", error.kind, error.message);
    let error = match RunStore::open(dir.as_ref()) {
        Ok(store) => store.append("a", vec![progress(2)], Wait::Durable).unwrap_err(),
        Err(error) => error,
    };
    println!("ERROR {:?} {:?}", error.kind, error.message);
}

/// The superuser ignores modes, so that the attempt is made by an unprivileged user.
#[test]
fn a_folder_that_is_not_writable_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let (dir, store) = store();
    begin(&store, "a", 1);
    drop(store);
    // Whether SQLite's shared files are there or not.
    for open in [true, false] {
        let held = open.then(|| reopen(dir.path()));
        for entry in fs::read_dir(dir.path()).unwrap() {
            let path = entry.unwrap().path();
            let bits = if path.is_dir() { 0o555 } else { 0o444 };
            fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
        }
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
        let mut command = child("opening::child_may_not_write");
        command.env(CHILD, dir.path());
        if fs::write(dir.path().join("probe"), "").is_ok() {
            fs::remove_file(dir.path().join("probe")).unwrap();
            command.uid(65534).gid(65534);
        }
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let error: Vec<&str> =
            text.lines().filter_map(|line| line.split_once("ERROR ")).map(|(_, error)| error).collect();
        assert_eq!(error.len(), 2, "{text}\n{}", String::from_utf8_lossy(&output.stderr));
        assert!(error.iter().all(|error| error.starts_with("ReadOnly ")), "{error:?}");
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o700)).unwrap();
        drop(held);
    }
}

/// A journal without the index of runs gets one when it is opened, also where two processes open it at once.
#[test]
fn a_journal_of_the_format_before_is_migrated() {
    let (dir, store) = store();
    begin(&store, "a", 2);
    begin(&store, "b", 1);
    store.append("b", vec![ended(), sealed()], Wait::Durable).unwrap();
    drop(store);
    let older = "DROP INDEX listed_unsealed; DROP TABLE listed; PRAGMA user_version = 1;";
    database(dir.path()).execute_batch(older).unwrap();
    let extent = RunStore::verify_in(dir.path()).unwrap().unwrap();
    assert_eq!((extent.runs, extent.events), (2, 7), "it can be verified as it is");
    let opened = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| reopen(dir.path()))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    for store in &opened {
        let names: Vec<String> = store.newest(9).unwrap().into_iter().map(|run| run.run_id).collect();
        assert_eq!(names, ["b", "a"]);
        let open: Vec<String> = store.unsealed().unwrap().into_iter().map(|run| run.run_id).collect();
        assert_eq!(open, ["a"]);
        assert_sound(store);
    }
}
