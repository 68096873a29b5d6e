//! Opening: missing, foreign and newer logs, and logs that may only be read.

use super::fixture::*;
use std::fs;

#[test]
fn a_folder_without_a_log_has_no_memories() {
    let dir = tempfile::tempdir().unwrap();
    assert!(MemoryStore::open_if_there(&dir.path().join("memory")).unwrap().is_none());
    assert!(!dir.path().join("memory").exists());
}

#[test]
fn a_foreign_folder_and_a_foreign_database_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    failed(MemoryStore::open_or_create(dir.path()), "D2220");
    assert!(!dir.path().join("memory.sqlite").exists());
    let other = tempfile::tempdir().unwrap();
    database(other.path()).execute("CREATE TABLE meta(id INTEGER)", []).unwrap();
    failed(MemoryStore::open_or_create(other.path()), "D2220");
    failed(MemoryStore::open_if_there(other.path()), "D2220");
}

#[test]
fn a_newer_log_and_a_newer_event_are_refused() {
    let (dir, store) = store();
    run(&store, &lives()[..1]);
    drop(store);
    let path = dir.path().join("memory");
    database(&path).execute("UPDATE memory_log SET format = 2", []).unwrap();
    failed(MemoryStore::open_or_create(&path), "D2221");
    database(&path).execute("UPDATE memory_log SET format = 1", []).unwrap();
    let conn = database(&path);
    let body: String = conn.query_row("SELECT body FROM events WHERE seq = 2", [], |r| r.get(0)).unwrap();
    let link = deed_canon::Link {
        seq: 2,
        prev: Some(
            conn.query_row("SELECT hash FROM events WHERE seq = 1", [], |r| r.get::<_, String>(0))
                .unwrap()
                .parse()
                .unwrap(),
        ),
        body: serde_json::from_str(&body.replace("\"format\":1", "\"format\":9")).unwrap(),
        hash: deed_canon::ContentHash::of_bytes(b""),
    };
    let hash = link.expected_hash().unwrap().to_string();
    let text = deed_canon::canonical_string(&link.body).unwrap();
    conn.execute("UPDATE events SET body = ?1, hash = ?2 WHERE seq = 2", [&text, &hash]).unwrap();
    conn.execute("UPDATE head SET hash = ?1", [&hash]).unwrap();
    drop(conn);
    failed(open(&path).state(), "D2221");
}

#[test]
fn a_log_that_may_only_be_read_is_read() {
    let (dir, store) = store();
    run(&store, &lives());
    drop(store);
    let mut options = quick();
    options.read_only = true;
    let store = MemoryStore::open_if_there_with(&dir.path().join("memory"), options).unwrap().unwrap();
    assert_eq!(recalled(&store, "2026-01-02T12:00:00Z").len(), 1);
    assert_clean(&store);
    failed(
        store.expire(&stamp(59)).map(drop).and_then(|()| store.propose(&language("it", 0.99), &rules(), &stamp(59))),
        "D1244",
    );
}

#[test]
fn only_the_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let (dir, store) = store();
    run(&store, &lives()[..1]);
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(store.dir()), 0o700);
    assert_eq!(mode(&dir.path().join("memory/memory.sqlite")), 0o600);
}
