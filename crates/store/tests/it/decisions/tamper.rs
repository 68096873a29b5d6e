//! Every column of every row, every row, every file: changed, removed, added. `verify` always sees it and names the
//! first entry that does not hold, and no answer changes silently.

use super::fixture::*;
use deed_canon::{Link, append, parse};
use deed_store::DecisionLog;
use rusqlite::params;
use std::path::{Path, PathBuf};

/// Damages a copy of a log, and returns the codes and places that `verify` names.
fn verified(damage: impl FnOnce(&Path)) -> Vec<(String, String)> {
    let (dir, log) = recorded(DECISIONS);
    drop(log);
    damage(dir.path());
    let found = match DecisionLog::open_with(dir.path(), quick()) {
        Ok(log) => {
            let log = log.expect("the file is there");
            // What is damaged is not read either, unless only files or the head's history are.
            let findings = log.verify(None).unwrap().findings;
            assert!(!findings.is_empty());
            findings
        }
        Err(error) => error.diagnostics().to_vec(),
    };
    let place = |d: &deed_diag::Diagnostic| d.place.as_ref().map(|place| place.source.clone()).unwrap_or_default();
    found.iter().map(|d| (d.code.as_str().to_owned(), place(d))).collect()
}

fn first(found: &[(String, String)]) -> (&str, &str) {
    (found[0].0.as_str(), found[0].1.as_str())
}

#[test]
fn every_column_of_every_row_is_guarded() {
    for seq in 0..DECISIONS {
        for (column, value) in [
            ("hash", format!("sha256:{}", "0".repeat(64))),
            ("hash", "nonsense".to_owned()),
            ("prev", format!("sha256:{}", "0".repeat(64))),
            ("body", "{}".to_owned()),
        ] {
            let found = verified(|dir| {
                let sql = format!("UPDATE events SET {column} = ?1 WHERE seq = ?2");
                assert_eq!(database(dir).execute(&sql, params![value, seq as i64]).unwrap(), 1);
            });
            assert_eq!(first(&found), ("D2120", format!("decision:{seq}").as_str()), "{column} of {seq}: {found:?}");
        }
    }
}

#[test]
fn every_text_of_every_entry_is_guarded() {
    let (_dir, log) = recorded(DECISIONS);
    let places = ["at", "actor", "decision/record_id", "decision/outcome", "decision/status", "decision/verdict"];
    for entry in log.list().unwrap() {
        for place in places {
            let mut body = entry.link.body.clone();
            let text = body.pointer_mut(&format!("/{place}")).unwrap();
            *text = match place {
                "decision/status" => "rejected".into(),
                "decision/verdict" => "reject".into(),
                _ => format!("{}0", text.as_str().unwrap()).into(),
            };
            let seq = entry.link.seq as i64;
            let found = verified(|dir| {
                let text = deed_canon::canonical_string(&body).unwrap();
                database(dir).execute("UPDATE events SET body = ?1 WHERE seq = ?2", params![text, seq]).unwrap();
            });
            assert_eq!(first(&found), ("D2120", format!("decision:{seq}").as_str()), "{place} of {seq}");
        }
    }
}

#[test]
fn rows_that_are_removed_moved_or_added_are_seen() {
    for seq in 0..DECISIONS as i64 {
        let found = verified(|dir| {
            database(dir).execute("DELETE FROM events WHERE seq = ?1", [seq]).unwrap();
        });
        assert!(matches!(found[0].0.as_str(), "D2120" | "D2121"), "{seq}: {found:?}");
    }
    let swapped = verified(|dir| {
        let swap = "UPDATE events SET seq = -1 WHERE seq = 1; UPDATE events SET seq = 1 WHERE seq = 2;
                    UPDATE events SET seq = 2 WHERE seq = -1;";
        database(dir).execute_batch(swap).unwrap();
    });
    assert_eq!(first(&swapped), ("D2120", "decision:1"));
    let appended = verified(|dir| {
        let copy = "INSERT INTO events(seq, prev, hash, body) SELECT 99, prev, hash,
                    json_set(body, '$.decision.record_id', 'dec_99') FROM events WHERE seq = 0";
        database(dir).execute_batch(copy).unwrap();
    });
    assert_eq!(appended[0].0, "D2120");
}

#[test]
fn the_head_and_the_objects_of_the_database_are_guarded() {
    let found = |sql: &'static str| verified(|dir| database(dir).execute_batch(sql).unwrap());
    assert_eq!(first(&found("DELETE FROM head")).0, "D2121");
    assert_eq!(first(&found("UPDATE head SET seq = 2")).0, "D2121");
    assert_eq!(first(&found("UPDATE head SET hash = 'x'")).0, "D2121");
    assert_eq!(first(&found("DROP INDEX events_by_record")).0, "D2124");
    assert_eq!(first(&found("CREATE TABLE other(x)")).0, "D2124");
    assert_eq!(first(&found("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END")).0, "D2124");
    assert_eq!(first(&found("UPDATE meta SET format = 2")).0, "D2126");
    assert_eq!(first(&found("DELETE FROM meta")).0, "D2124");
}

fn blobs(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for shard in std::fs::read_dir(dir.join("blobs/sha256")).unwrap() {
        files.extend(std::fs::read_dir(shard.unwrap().path()).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.sort();
    files
}

#[test]
fn every_stored_file_is_guarded() {
    let (dir, log) = recorded(DECISIONS);
    let entries = log.list().unwrap();
    let files = blobs(dir.path());
    assert_eq!(files.len(), DECISIONS * 2);
    for file in &files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let of = |hash: deed_canon::ContentHash| hash.hex() == name;
        let owner = entries.iter().find(|e| of(e.event.decision.case) || of(e.event.decision.recording)).unwrap();
        let place = format!("decision:{}", owner.link.seq);
        let relative = file.strip_prefix(dir.path()).unwrap();
        let flipped = verified(|dir| {
            let mut bytes = std::fs::read(dir.join(relative)).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::fs::write(dir.join(relative), bytes).unwrap();
        });
        assert_eq!(flipped, [("D2123".to_owned(), place.clone())]);
        let removed = verified(|dir| std::fs::remove_file(dir.join(relative)).unwrap());
        assert_eq!(removed, [("D2123".to_owned(), place)]);
    }
}

/// Writes another history with matching hashes over the log.
fn rewrite(dir: &Path, change: impl Fn(usize, &mut serde_json::Value)) {
    let conn = database(dir);
    let bodies: Vec<String> = {
        let mut statement = conn.prepare("SELECT body FROM events ORDER BY seq").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    conn.execute_batch("DELETE FROM events").unwrap();
    let mut last: Option<Link> = None;
    for (n, body) in bodies.iter().enumerate() {
        let mut body = parse(body.as_bytes()).unwrap();
        change(n, &mut body);
        let text = deed_canon::canonical_string(&body).unwrap();
        let link = append(last.as_ref().map(Link::head).as_ref(), body).unwrap();
        let prev = link.prev.map(|prev| prev.to_string());
        let insert = "INSERT INTO events(seq, prev, hash, body) VALUES (?1, ?2, ?3, ?4)";
        conn.execute(insert, params![link.seq as i64, prev, link.hash.to_string(), text]).unwrap();
        last = Some(link);
    }
    let head = last.unwrap();
    conn.execute("UPDATE head SET seq = ?1, hash = ?2", params![head.seq as i64, head.hash.to_string()]).unwrap();
}

#[test]
fn a_history_with_matching_hashes_is_seen_by_its_files_and_by_a_head_kept_elsewhere() {
    let (dir, log) = recorded(DECISIONS);
    let kept = log.head().unwrap().unwrap().hash;
    drop(log);
    rewrite(dir.path(), |n, body| {
        if n == 2 {
            body["decision"]["outcome"] = "denied".into();
        }
    });
    let verification = open(dir.path()).verify(Some(kept)).unwrap();
    let found: Vec<&str> = verification.findings.iter().map(|d| d.code.as_str()).collect();
    assert_eq!(found, ["D2121", "D2123"], "{:?}", verification.findings);
    assert_eq!(verification.findings[1].place.as_ref().unwrap().source, "decision:2");
    // Only the time was changed: no file says otherwise, and the head that was kept does.
    let (dir, log) = recorded(DECISIONS);
    drop(log);
    rewrite(dir.path(), |_, body| body["at"] = "2020-01-01T00:00:00Z".into());
    assert_clean(&open(dir.path()));
    let found = open(dir.path()).verify(Some(kept)).unwrap().findings;
    assert_eq!(found.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), ["D2121"]);
}

#[test]
fn a_damaged_log_is_neither_read_nor_written() {
    let (dir, log) = recorded(DECISIONS);
    drop(log);
    database(dir.path()).execute("UPDATE events SET body = '{}' WHERE seq = 1", []).unwrap();
    let log = open(dir.path());
    fails(log.list(), "D2120");
    fails(log.load(&case(0).record.record_id), "D2120");
    fails(record(&log, DECISIONS), "D2120");
    fails(log.head(), "D2120");
}

#[test]
fn an_entry_of_another_format_is_named() {
    let (dir, log) = recorded(2);
    drop(log);
    rewrite(dir.path(), |n, body| {
        if n == 1 {
            body["format"] = 9.into();
        }
    });
    let log = open(dir.path());
    fails(log.list(), "D2122");
    let found = log.verify(None).unwrap().findings;
    assert_eq!(found[0].code.as_str(), "D2122");
}
