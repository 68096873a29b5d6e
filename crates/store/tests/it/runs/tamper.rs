//! Changes to the database file, and the findings of `verify`.

use super::fixture::*;
use deed_canon::{ChainHead, append, canonical_string};
use deed_ports::{BrokenLink, JournalRead, JournalWrite, StoreErrorKind, Wait};
use deed_store::RunStore;
use rusqlite::{Connection, params};
use serde_json::Value;

/// Two runs of which the second is sealed, and a connection to their database.
fn victim() -> (tempfile::TempDir, RunStore, Connection) {
    let (dir, store) = store();
    begin(&store, "a", 6);
    begin(&store, "b", 2);
    store.append("b", vec![ended(), sealed()], Wait::Durable).unwrap();
    assert_sound(&store);
    let conn = database(dir.path());
    (dir, store, conn)
}

fn unlock(conn: &Connection) {
    for trigger in ["events_keep", "events_stay", "small_blobs_stay"] {
        conn.execute_batch(&format!("DROP TRIGGER {trigger}")).unwrap();
    }
}

/// Asserts the finding of `verify` after some statements.
#[track_caller]
fn check(sql: &str, run_id: Option<&str>, seq: u64, what: &str) {
    let (_dir, store, conn) = victim();
    unlock(&conn);
    conn.execute_batch(sql).unwrap();
    finds(&store, run_id, seq, what);
}

#[track_caller]
fn finds(store: &RunStore, run_id: Option<&str>, seq: u64, what: &str) {
    let expected = BrokenLink { run_id: run_id.map(str::to_owned), seq, what: what.to_owned() };
    assert_eq!(store.verify().unwrap(), Err(expected));
}

/// A link with another body in its place, hashed as it should be.
fn forge(conn: &Connection, run_id: &str, seq: u64, change: impl FnOnce(&mut Value)) {
    let row = |seq: u64| -> (String, String) {
        let sql = "SELECT hash, body FROM events WHERE run_id = ?1 AND seq = ?2";
        conn.query_row(sql, params![run_id, seq as i64], |r| Ok((r.get(0)?, r.get(1)?))).unwrap()
    };
    let head = seq.checked_sub(1).map(|seq| ChainHead { seq, hash: row(seq).0.parse().unwrap() });
    let mut body: Value = serde_json::from_str(&row(seq).1).unwrap();
    change(&mut body);
    let link = append(head.as_ref(), body).unwrap();
    let (hash, text) = (link.hash.to_string(), canonical_string(&link.body).unwrap());
    let sql = "UPDATE events SET hash = ?3, body = ?4 WHERE run_id = ?1 AND seq = ?2";
    conn.execute(sql, params![run_id, seq as i64, hash, text]).unwrap();
}

#[test]
fn rows_cannot_be_changed_while_the_triggers_stand() {
    let (_dir, store, conn) = victim();
    for sql in ["UPDATE events SET body = '{}'", "DELETE FROM events", "UPDATE small_blobs SET bytes = x''"] {
        let outcome = conn.execute(sql, []);
        assert!(outcome.is_err() || sql.contains("small_blobs"), "{sql}");
    }
    assert_sound(&store);
    unlock(&conn);
    let error = fails(store.verify(), StoreErrorKind::Corrupt);
    assert!(error.message.contains("`events_keep` is missing"), "{error}");
}

/// To change an event one drops a trigger, and then the store cannot be opened. It can be verified all the same.
#[test]
fn the_broken_link_is_named_where_the_tables_were_altered_too() {
    let edit = "UPDATE events SET body = replace(body, '\"done\":3', '\"done\":4') WHERE run_id = 'a'";
    let unreadable = "UPDATE events SET body = CAST(x'7bff7d' AS TEXT) WHERE run_id = 'a' AND seq = 4";
    for (sql, seq) in [(edit.to_owned(), 3), (unreadable.to_owned(), 4), (format!("{edit};{unreadable}"), 3)] {
        let (dir, store, conn) = victim();
        drop(store);
        unlock(&conn);
        conn.execute_batch(&sql).unwrap();
        let error = fails(RunStore::open_with(dir.path(), quick()), StoreErrorKind::Corrupt);
        assert!(error.help.unwrap().contains("`verify`"));
        let what = format!("event {seq} was edited");
        let expected = BrokenLink { run_id: Some("a".to_owned()), seq, what };
        assert_eq!(RunStore::verify_in(dir.path()).unwrap(), Err(expected));
    }
}

#[test]
fn altered_tables_with_sound_events_are_reported() {
    let error = |sql: &str| {
        let (dir, store, conn) = victim();
        drop(store);
        conn.execute_batch(sql).unwrap();
        fails(RunStore::open_with(dir.path(), quick()), StoreErrorKind::Corrupt);
        fails(RunStore::verify_in(dir.path()), StoreErrorKind::Corrupt)
    };
    let held = "every link of 2 runs and 12 events holds, but the tables of the journal's database were altered: ";
    let dropped = error("DROP TRIGGER events_stay");
    assert_eq!(dropped.message, format!("{held}the trigger `events_stay` is missing"));
    let help = dropped.help.unwrap();
    let put_back = help.split('`').nth(1).unwrap();
    assert!(put_back.starts_with("CREATE TRIGGER events_stay BEFORE UPDATE ON events"), "{help}");
    // The fix in the help works.
    let (dir, store, conn) = victim();
    drop(store);
    conn.execute_batch("DROP TRIGGER events_stay").unwrap();
    conn.execute_batch(put_back).unwrap();
    assert_sound(&reopen(dir.path()));
    let foreign = error("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM heads; END");
    assert_eq!(foreign.message, format!("{held}it has an unexpected trigger `t`"));
    // Tables that cannot be read are named themselves.
    let gone =
        error("DROP TRIGGER events_keep; DROP TRIGGER events_stay; ALTER TABLE events RENAME COLUMN body TO text");
    let message = "the tables of the journal's database were altered: the table `events` was replaced by another";
    assert_eq!(gone.message, message);
    let gone = error("DROP TABLE heads");
    assert_eq!(gone.message, "the tables of the journal's database were altered: the table `heads` is missing");
}

#[test]
fn verifying_a_folder_without_a_journal_is_refused() {
    let (dir, store, conn) = victim();
    drop(store);
    assert_eq!(RunStore::verify_in(dir.path()).unwrap().unwrap().events, 12);
    conn.execute_batch("PRAGMA user_version = 3").unwrap();
    let error = fails(RunStore::verify_in(dir.path()), StoreErrorKind::Unavailable);
    assert_eq!(error.message, "the journal of runs has format 3; this version reads 2");
    fails(RunStore::verify_in(&dir.path().join("nowhere")), StoreErrorKind::Unknown);
    let empty = tempfile::tempdir().unwrap();
    std::fs::write(empty.path().join("journal.sqlite"), "").unwrap();
    fails(RunStore::verify_in(empty.path()), StoreErrorKind::Unknown);
}

/// Trouble that names the event, and not the folder.
#[test]
fn text_that_is_not_utf_8_is_damage_at_its_event() {
    let (_dir, store, conn) = victim();
    unlock(&conn);
    conn.execute_batch("UPDATE events SET body = CAST(x'7bff7d' AS TEXT) WHERE run_id = 'a' AND seq = 2").unwrap();
    let error = fails(store.events("a", 0), StoreErrorKind::Corrupt);
    assert_eq!(error.message, "the journal of run `a` was altered at event 2");
    assert!(error.help.unwrap().contains("`verify`"));
    let (_dir, store, conn) = victim();
    unlock(&conn);
    conn.execute_batch("UPDATE events SET body = CAST(x'7bff7d' AS TEXT) WHERE run_id = '' AND seq = 1").unwrap();
    let error = fails(store.runs(), StoreErrorKind::Corrupt);
    assert_eq!(error.message, "the list of runs was altered at link 1");
    let (_dir, store, conn) = victim();
    conn.execute_batch("UPDATE heads SET hash = CAST(x'ff' AS TEXT) WHERE run_id = 'a'").unwrap();
    fails(store.events("a", 0), StoreErrorKind::Corrupt);
    fails(store.runs(), StoreErrorKind::Corrupt);
    let name = "INSERT INTO heads VALUES (CAST(x'ff' AS TEXT), 0, 'sha256:0', 'open')";
    check(name, Some("\u{fffd}"), 0, "the list of runs does not name this run: it was inserted");
}

#[test]
fn edited() {
    let edit = "UPDATE events SET body = replace(body, '\"done\":3', '\"done\":4') WHERE run_id = 'a'";
    check(edit, Some("a"), 3, "event 3 was edited");
    check("UPDATE events SET body = '{' WHERE run_id = 'a' AND seq = 0", Some("a"), 0, "event 0 was edited");
    check("UPDATE events SET hash = prev WHERE run_id = 'a' AND seq = 5", Some("a"), 5, "event 5 was edited");
    let text = "UPDATE events SET body = CAST(x'7bff7d' AS TEXT) WHERE run_id = 'a' AND seq = 2";
    check(text, Some("a"), 2, "event 2 was edited");
}

#[test]
fn edited_and_hashed_anew() {
    for seq in [1, 3, 5] {
        let (_dir, store, conn) = victim();
        unlock(&conn);
        forge(&conn, "a", seq, |body| body["event"]["done"] = 77.into());
        finds(&store, Some("a"), seq, &format!("event {seq} was edited"));
        fails(store.events("a", 0), StoreErrorKind::Corrupt);
        fails(store.events("a", seq + 1), StoreErrorKind::Corrupt);
    }
    // The last one is held by the note of the end alone, the first by the list of runs.
    let (_dir, store, conn) = victim();
    unlock(&conn);
    forge(&conn, "a", 6, |body| body["event"]["done"] = 77.into());
    finds(&store, Some("a"), 6, "event 6 was edited");
    fails(store.append("a", vec![progress(7)], Wait::Durable), StoreErrorKind::Corrupt);
    let (_dir, store, conn) = victim();
    unlock(&conn);
    forge(&conn, "a", 0, |body| body["event"]["run"]["actor"] = "mallory".into());
    finds(&store, Some("a"), 0, "event 0 was edited: the list of runs names another first event");
}

#[test]
fn not_canonical() {
    let (_dir, store, conn) = victim();
    unlock(&conn);
    let sql = "SELECT prev, body FROM events WHERE run_id = 'a' AND seq = 6";
    let (prev, body): (String, String) = conn.query_row(sql, [], |r| Ok((r.get(0)?, r.get(1)?))).unwrap();
    let body = body.replacen(':', ": ", 1);
    let text = format!("deed/chain-link/v1\n{{\"body\":{body},\"prev\":\"{prev}\",\"seq\":6}}");
    let hash = deed_canon::ContentHash::of_bytes(text.as_bytes()).to_string();
    conn.execute("UPDATE events SET hash = ?1, body = ?2 WHERE run_id = 'a' AND seq = 6", [&hash, &body]).unwrap();
    conn.execute("UPDATE heads SET hash = ?1 WHERE run_id = 'a'", [&hash]).unwrap();
    finds(&store, Some("a"), 6, "event 6 was edited: it is not in canonical form");
}

#[test]
fn deleted() {
    check("DELETE FROM events WHERE run_id = 'a' AND seq = 0", Some("a"), 0, "event 0 was deleted");
    check("DELETE FROM events WHERE run_id = 'a' AND seq = 3", Some("a"), 3, "event 3 was deleted");
    check("DELETE FROM events WHERE run_id = 'a' AND seq IN (2, 3, 5)", Some("a"), 2, "event 2 was deleted");
}

#[test]
fn reordered() {
    let swap = |one: u64, two: u64| {
        format!(
            "UPDATE events SET seq = 1000 WHERE run_id = 'a' AND seq = {one};
             UPDATE events SET seq = {one} WHERE run_id = 'a' AND seq = {two};
             UPDATE events SET seq = {two} WHERE run_id = 'a' AND seq = 1000;"
        )
    };
    check(&swap(2, 3), Some("a"), 2, "event 2 was moved");
    check(&swap(1, 5), Some("a"), 1, "event 1 was moved");
    check(&swap(0, 6), Some("a"), 0, "event 0 was moved");
    check("UPDATE events SET seq = 9 WHERE run_id = 'a' AND seq = 4", Some("a"), 4, "event 4 was moved");
}

#[test]
fn truncated() {
    let cut = "DELETE FROM events WHERE run_id = 'a' AND seq > 4";
    check(cut, Some("a"), 5, "the log was cut off before event 5");
    // A sealed run is held by the list of runs, also where the note of its end was changed.
    let note = "DELETE FROM events WHERE run_id = 'b' AND seq > 3;
        UPDATE heads SET seq = 3, stage = 'ended', hash = (SELECT hash FROM events WHERE run_id = 'b' AND seq = 3)
        WHERE run_id = 'b'";
    check(note, Some("b"), 4, "the log was cut off before event 4");
    let (_dir, store, conn) = victim();
    unlock(&conn);
    conn.execute_batch(cut).unwrap();
    fails(store.events("a", 0), StoreErrorKind::Corrupt);
    fails(store.append("a", vec![progress(5)], Wait::Durable), StoreErrorKind::Corrupt);
    store.append("c", Vec::new(), Wait::Durable).unwrap_err();
}

#[test]
fn inserted() {
    let shift = "UPDATE events SET seq = -seq WHERE run_id = 'a' AND seq >= 3;
        UPDATE events SET seq = 1 - seq WHERE run_id = 'a' AND seq < 0;";
    let bogus = "INSERT INTO events SELECT run_id, 3, prev, hash, '{}' FROM events WHERE run_id = 'a' AND seq = 2;";
    check(&format!("{shift}{bogus}"), Some("a"), 3, "event 3 was inserted");

    // With a hash as it should be.
    let (_dir, store, conn) = victim();
    unlock(&conn);
    conn.execute_batch(&format!("{shift}{bogus}")).unwrap();
    forge(&conn, "a", 3, |body| *body = serde_json::to_value(progress(9)).unwrap());
    conn.execute_batch(
        "UPDATE events SET prev = (SELECT hash FROM events WHERE run_id = 'a' AND seq = 2) \
         WHERE run_id = 'a' AND seq = 3",
    )
    .unwrap();
    finds(&store, Some("a"), 3, "event 3 was inserted");

    // Behind the end.
    let (_dir, store, conn) = victim();
    let link = append(store.settle("a").unwrap().as_ref(), serde_json::to_value(progress(7)).unwrap()).unwrap();
    let (prev, hash) = (link.prev.unwrap().to_string(), link.hash.to_string());
    let body = canonical_string(&link.body).unwrap();
    conn.execute("INSERT INTO events VALUES ('a', 7, ?1, ?2, ?3)", [&prev, &hash, &body]).unwrap();
    finds(&store, Some("a"), 7, "event 7 was inserted");

    // Behind the seal, with the note of the end.
    let (_dir, store, conn) = victim();
    let link = append(store.settle("b").unwrap().as_ref(), serde_json::to_value(progress(7)).unwrap()).unwrap();
    let (prev, hash) = (link.prev.unwrap().to_string(), link.hash.to_string());
    conn.execute("INSERT INTO events VALUES ('b', 5, ?1, ?2, ?3)", [&prev, &hash, &body]).unwrap();
    conn.execute("UPDATE heads SET seq = 5, stage = 'open', hash = ?1 WHERE run_id = 'b'", [&hash]).unwrap();
    finds(&store, Some("b"), 5, "event 5 was inserted: the run was sealed before it");
}

#[test]
fn a_run_that_was_removed_whole() {
    let remove = "DELETE FROM events WHERE run_id = 'a'; DELETE FROM heads WHERE run_id = 'a';";
    check(remove, Some("a"), 0, "the run was removed: link 0 of the list of runs names it");
    check("DELETE FROM events WHERE run_id = 'a'", Some("a"), 0, "the log was cut off before event 0");
    let (_dir, store, conn) = victim();
    unlock(&conn);
    conn.execute_batch(remove).unwrap();
    fails(store.runs(), StoreErrorKind::Corrupt);
}

#[test]
fn the_list_of_runs() {
    check("DELETE FROM events WHERE run_id = '' AND seq = 1", None, 1, "event 1 was deleted");
    check("DELETE FROM events WHERE run_id = '' AND seq = 2", None, 2, "the log was cut off before event 2");
    // Also where the note of its end was changed.
    let cut = |seq: u64| {
        format!(
            "DELETE FROM events WHERE run_id = '' AND seq > {seq};
             UPDATE heads SET seq = {seq}, hash = (SELECT hash FROM events WHERE run_id = '' AND seq = {seq})
             WHERE run_id = ''"
        )
    };
    check(&cut(1), Some("b"), 4, "the run is sealed, and the list of runs does not say so");
    check(&cut(0), Some("b"), 0, "the list of runs does not name this run: it was inserted");
    check("UPDATE heads SET run_id = 'ghost' WHERE run_id = ''", None, 2, "its recorded end is missing");
    let ghost = "INSERT INTO heads VALUES ('ghost', 0, 'sha256:0', 'open')";
    check(ghost, Some("ghost"), 0, "the list of runs does not name this run: it was inserted");
    let noted = "UPDATE heads SET stage = 'ended' WHERE run_id = 'a'";
    check(noted, Some("a"), 6, "the run is open, and is recorded as `ended`");
}

#[test]
fn events_of_one_run_do_not_pass_for_another() {
    let (_dir, store, conn) = victim();
    unlock(&conn);
    conn.execute_batch(
        "UPDATE events SET run_id = 'x' WHERE run_id = 'a'; UPDATE events SET run_id = 'a' WHERE run_id = 'b';
         UPDATE events SET run_id = 'b' WHERE run_id = 'x'; UPDATE heads SET run_id = 'x' WHERE run_id = 'a';
         UPDATE heads SET run_id = 'a' WHERE run_id = 'b'; UPDATE heads SET run_id = 'b' WHERE run_id = 'x';",
    )
    .unwrap();
    finds(&store, Some("a"), 0, "event 0 was edited: the list of runs names another first event");
}

/// The file itself, beneath SQLite.
#[test]
fn a_damaged_file_is_never_taken_for_sound() {
    let (dir, store, conn) = victim();
    drop((store, conn));
    let path = dir.path().join("journal.sqlite");
    let sound = std::fs::read(&path).unwrap();
    let mut silent = 0;
    for at in (0..sound.len()).step_by(97) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x40;
        std::fs::write(&path, &bytes).unwrap();
        // Bytes that no page uses may change without harm; events are the same then.
        if let Ok(store) = RunStore::open_with(dir.path(), quick())
            && let Ok(Ok(extent)) = store.verify()
        {
            silent += 1;
            assert_eq!((extent.runs, extent.events), (2, 12));
            assert_eq!(numbers(&store.events("a", 0).unwrap()), [1, 2, 3, 4, 5, 6]);
        }
    }
    assert!(silent < sound.len() / 97, "some damage must be noticed");
    std::fs::write(&path, &sound[..sound.len() / 2]).unwrap();
    assert!(RunStore::open_with(dir.path(), quick()).and_then(|store| store.verify()).is_err());
}
