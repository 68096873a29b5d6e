//! Every column of every event, the head, events with a chain computed anew, and stored content: `verify` sees each change.

use super::fixture::*;
use crate::registry::copy;
use deed_canon::{ContentHash, Link, append};
use deed_store::RunStore;
use rusqlite::params;
use serde_json::{Value, json};
use std::path::Path;

struct Base {
    dir: tempfile::TempDir,
    runs: RunStore,
}

fn base() -> Base {
    let (dir, store) = store();
    whole(&store);
    let runs = blobs(dir.path());
    Base { dir, runs }
}

/// The findings of `verify` after a change.
fn tampered(base: &Base, expected: Option<ContentHash>, tamper: impl FnOnce(&rusqlite::Connection)) -> Vec<String> {
    let scratch = tempfile::tempdir().unwrap();
    copy(&base.dir.path().join("reports"), scratch.path());
    tamper(&database(scratch.path()));
    let Some(store) = WorkspaceStore::open_if_there_with(scratch.path(), quick()).unwrap() else { return Vec::new() };
    let findings = store.verify(Some(&base.runs), expected).unwrap().findings;
    assert!(findings.iter().all(|found| found.help.is_some() && !found.message.contains("registry")), "{findings:?}");
    findings.iter().map(|found| found.code.to_string()).collect()
}

#[test]
fn every_column_of_every_event_is_guarded() {
    let base = base();
    assert_eq!(tampered(&base, None, |_| {}), Vec::<String>::new());
    let flip = |column: &str| {
        format!("substr({column}, 1, length({column}) - 1) || CASE substr({column}, -1) WHEN '0' THEN '1' ELSE '0' END")
    };
    for seq in 0..*lengths().last().unwrap() {
        let edits = [
            format!("seq = {}", 1000 + seq),
            format!("hash = {}", flip("hash")),
            "body = body || ' '".to_owned(),
            "body = replace(body, 'ada', 'eve')".to_owned(),
        ];
        for edit in edits {
            let statement = format!("UPDATE events SET {edit} WHERE seq = {seq}");
            let found = tampered(&base, None, |db| assert_eq!(db.execute(&statement, []).unwrap(), 1));
            assert!(!found.is_empty(), "{statement}");
        }
        let removed = format!("DELETE FROM events WHERE seq >= {seq}");
        assert!(
            !tampered(&base, None, |db| {
                db.execute(&removed, []).unwrap();
            })
            .is_empty(),
            "{removed}"
        );
    }
    assert!(
        !tampered(&base, None, |db| {
            db.execute("DELETE FROM head", []).unwrap();
        })
        .is_empty()
    );
}

/// Computes the whole chain anew after the bodies of events were changed.
fn rechained(db: &rusqlite::Connection, change: impl Fn(u64, Value) -> Value) {
    let mut statement = db.prepare("SELECT body FROM events ORDER BY seq").unwrap();
    let bodies: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let mut end: Option<Link> = None;
    for (seq, body) in (0u64..).zip(bodies) {
        let body = change(seq, serde_json::from_str(&body).unwrap());
        let link = append(end.as_ref().map(Link::head).as_ref(), body).unwrap();
        let text = deed_canon::canonical_string(&link.body).unwrap();
        let (prev, hash) = (link.prev.map(|prev| prev.to_string()), link.hash.to_string());
        let update = "UPDATE events SET prev = ?1, hash = ?2, body = ?3 WHERE seq = ?4";
        db.execute(update, params![prev, hash, text, i64::try_from(seq).unwrap()]).unwrap();
        end = Some(link);
    }
    let update = "UPDATE head SET hash = ?1 WHERE id = 1";
    db.execute(update, params![end.unwrap().hash.to_string()]).unwrap();
}

#[test]
fn an_event_that_the_rules_do_not_allow_is_found_behind_a_whole_chain() {
    let base = base();
    let kept = open(&base.dir.path().join("reports")).head().unwrap().unwrap().hash;
    let forged = |kind: &'static str, member: &'static str, value: Value| {
        move |_: u64, mut body: Value| {
            if body["event"]["kind"] == kind {
                body["event"][member] = value.clone();
            }
            body
        }
    };
    for change in [
        forged("file_written", "version", json!(7)),
        forged("run_ended", "files", json!(1)),
        forged("person_removed", "person_id", json!("ada")),
        forged("file_removed", "path", json!("people/none")),
    ] {
        assert_eq!(tampered(&base, None, |db| rechained(db, &change)), ["D3022"]);
    }
    // A change that the rules allow is found by a head that was kept elsewhere.
    let reason = forged("file_removed", "reason", json!("another"));
    assert_eq!(tampered(&base, None, |db| rechained(db, &reason)), Vec::<String>::new());
    assert_eq!(tampered(&base, Some(kept), |db| rechained(db, &reason)), ["D1221"]);
}

#[test]
fn content_that_is_lost_or_altered_is_named() {
    let base = base();
    let store = open(&base.dir.path().join("reports"));
    let hex = content("report").sha256.hex();
    let blob = base.dir.path().join("runs/blobs/sha256").join(&hex[..2]).join(&hex);
    assert!(Path::new(&blob).is_file());
    let mut writable = std::fs::metadata(&blob).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut writable, 0o600);
    std::fs::set_permissions(&blob, writable).unwrap();
    std::fs::write(&blob, "forged").unwrap();
    let found = store.verify(Some(&base.runs), None).unwrap().findings;
    assert!(found.len() == 1 && found[0].message.contains("agents/monthly/report.html"), "{found:?}");
    std::fs::remove_file(&blob).unwrap();
    assert_eq!(store.verify(Some(&base.runs), None).unwrap().findings.len(), 1);
    assert!(!store.verify(None, None).unwrap().findings.is_empty());
}
