//! Every column of every row, every row, every file: changed, removed, added. `verify` always sees it,
//! and no answer changes silently.

use super::fixture::*;
use deed_canon::Link;
use deed_model::TrustStore;
use deed_pack::{PackHistory, Purpose};
use deed_store::{LogEntry, LogFilter, PackListing, Registry, RegistryError};
use rusqlite::params;
use std::path::Path;

/// Everything that can be asked, as it was before the tampering.
struct Answers {
    pinned: deed_canon::ContentHash,
    trust: TrustStore,
    histories: Vec<PackHistory>,
    list: Vec<PackListing>,
    log: Vec<LogEntry>,
}

const VERSIONS: [&str; 2] = ["1.0.0", "1.1.0"];

fn answers(registry: &Registry) -> Answers {
    Answers {
        pinned: registry.load_pinned("prod", "ctxpack.desk", "acme").unwrap().candidate.content_hash(),
        trust: registry.trust_store().unwrap(),
        histories: VERSIONS.iter().map(|v| registry.history(&pack_ref(v)).unwrap()).collect(),
        list: registry.list().unwrap(),
        log: registry.log(&LogFilter::default()).unwrap(),
    }
}

#[track_caller]
fn same_or_refused<T: PartialEq + std::fmt::Debug>(what: &str, found: Result<T, RegistryError>, expected: &T) {
    if let Ok(found) = found {
        assert_eq!(found, *expected, "{what}: an answer changed silently");
    }
}

/// Tampers with a copy, and asserts that it is found and that no answer changed.
#[track_caller]
fn check(base: &Path, expected: &Answers, what: &str, tamper: impl FnOnce(&Path)) {
    let scratch = tempfile::tempdir().unwrap();
    copy(base, scratch.path());
    tamper(scratch.path());
    let Ok(registry) = Registry::open_with(scratch.path(), quick()) else { return };
    let findings = registry.verify(None).map(|v| v.findings);
    assert!(findings.as_ref().map_or(true, |f| !errors(f).is_empty()), "{what}: not found");
    let loaded = registry.load_pinned("prod", "ctxpack.desk", "acme").map(|l| l.candidate.content_hash());
    same_or_refused(what, loaded, &expected.pinned);
    assert!(registry.load(&pack_ref("1.1.0"), Purpose::Replay).is_err(), "{what}: a revoked version was loaded");
    same_or_refused(what, registry.trust_store(), &expected.trust);
    for (version, history) in VERSIONS.iter().zip(&expected.histories) {
        same_or_refused(what, registry.history(&pack_ref(version)), history);
    }
    same_or_refused(what, registry.list(), &expected.list);
    same_or_refused(what, registry.log(&LogFilter::default()), &expected.log);
}

/// A whole lifecycle on disk, closed, and what it answered.
fn base() -> (tempfile::TempDir, Answers) {
    let (dir, registry) = registry(&lifecycle());
    let answers = answers(&registry);
    drop(registry);
    (dir, answers)
}

fn sql(statement: &str) -> impl FnOnce(&Path) + '_ {
    move |dir| {
        assert!(database(dir).execute(statement, []).unwrap() > 0, "{statement}: nothing was touched");
    }
}

/// Changes the last hex digit of a hash.
const FLIP: &str = "substr(?, 1, length(?) - 1) || CASE substr(?, -1) WHEN '0' THEN '1' ELSE '0' END";

fn flip(column: &str) -> String {
    FLIP.replace('?', column)
}

#[test]
fn every_column_of_every_event_is_guarded() {
    let (dir, expected) = base();
    for seq in 0..lifecycle().len() as i64 {
        let edits = [
            format!("seq = {}", 1000 + seq),
            format!("prev = {}", if seq == 0 { "hash".to_owned() } else { flip("prev") }),
            format!("hash = {}", flip("hash")),
            "body = body || ' '".to_owned(),
            "body = replace(body, '\"ann\"', '\"bob\"')".to_owned(),
            "body = replace(body, '\"kind\":\"pack_revoked\"', '\"kind\":\"pack_deprecated\"') || ''".to_owned(),
            "body = '{}'".to_owned(),
        ];
        for edit in edits {
            if edit.contains("pack_revoked") && !revokes(dir.path(), seq) {
                continue;
            }
            let statement = format!("UPDATE events SET {edit} WHERE seq = {seq}");
            check(dir.path(), &expected, &statement, sql(&statement));
        }
        let statement = format!("DELETE FROM events WHERE seq = {seq}");
        check(dir.path(), &expected, &statement, sql(&statement));
    }
}

fn revokes(dir: &Path, seq: i64) -> bool {
    let sql = "SELECT instr(body, '\"kind\":\"pack_revoked\"') FROM events WHERE seq = ?1";
    database(dir).query_row(sql, [seq], |r| r.get::<_, i64>(0)).unwrap() > 0
}

#[test]
fn an_event_that_was_edited_and_hashed_anew_does_not_fit() {
    let (dir, expected) = base();
    for seq in 0..lifecycle().len() as i64 {
        check(dir.path(), &expected, &format!("event {seq} hashed anew"), |dir| {
            let conn = database(dir);
            let (prev, body): (Option<String>, String) = conn
                .query_row("SELECT prev, body FROM events WHERE seq = ?1", [seq], |r| Ok((r.get(0)?, r.get(1)?)))
                .unwrap();
            let body = body.replace("\"ann\"", "\"bob\"");
            let mut link = Link {
                seq: seq as u64,
                prev: prev.map(|p| p.parse().unwrap()),
                body: serde_json::from_str(&body).unwrap(),
                hash: deed_canon::ContentHash::of_bytes(b""),
            };
            link.hash = link.expected_hash().unwrap();
            let update = "UPDATE events SET body = ?1, hash = ?2 WHERE seq = ?3";
            conn.execute(update, params![body, link.hash.to_string(), seq]).unwrap();
        });
    }
}

#[test]
fn swapped_events_are_found() {
    let (dir, expected) = base();
    for (a, b) in [(0, 1), (3, 4), (2, 9), (17, 18)] {
        let swap_places = format!(
            "UPDATE events SET seq = -1 WHERE seq = {a}; UPDATE events SET seq = {a} WHERE seq = {b};
             UPDATE events SET seq = {b} WHERE seq = -1"
        );
        check(dir.path(), &expected, &swap_places, |dir| database(dir).execute_batch(&swap_places).unwrap());
        let swap_bodies = format!(
            "UPDATE events SET body = (SELECT body FROM events e WHERE e.seq = {a} + {b} - events.seq)
             WHERE seq IN ({a}, {b})"
        );
        check(dir.path(), &expected, &swap_bodies, |dir| database(dir).execute_batch(&swap_bodies).unwrap());
    }
}

#[test]
fn the_head_and_the_format_are_guarded() {
    let (dir, expected) = base();
    let flipped = format!("UPDATE head SET hash = {}", flip("hash"));
    for statement in [
        "UPDATE head SET seq = seq + 1",
        "UPDATE head SET seq = seq - 1",
        "DELETE FROM head",
        &flipped,
        "UPDATE head SET hash = 'x'",
        "UPDATE meta SET format = 3",
        "DELETE FROM meta",
    ] {
        check(dir.path(), &expected, statement, sql(statement));
    }
}

/// Removing an event also takes a lower count; the places still reveal it.
#[test]
fn an_event_that_was_removed_with_the_head_put_right_is_missed() {
    let (dir, expected) = base();
    for seq in 0..lifecycle().len() as i64 - 1 {
        let gap = format!("DELETE FROM events WHERE seq = {seq}");
        let close = format!(
            "{gap}; UPDATE events SET seq = -seq WHERE seq > {seq}; UPDATE events SET seq = -seq - 1 WHERE seq < 0"
        );
        let fix = "UPDATE head SET (seq, hash) = (SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1)";
        for removal in [gap, close] {
            let statements = format!("{removal}; {fix}");
            check(dir.path(), &expected, &statements, |dir| database(dir).execute_batch(&statements).unwrap());
        }
    }
}

/// The indexes with the statements that made them.
fn indexes(dir: &Path) -> Vec<(String, String)> {
    let conn = database(dir);
    let mut statement = conn.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index'").unwrap();
    statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?))).unwrap().map(Result::unwrap).collect()
}

#[test]
fn an_index_that_was_dropped_or_replaced_is_refused() {
    let (dir, _) = base();
    let indexes = indexes(dir.path());
    assert_eq!(indexes.len(), 4);
    for (name, sql) in indexes {
        let revocations = "json_extract(body,'$.event.kind')<>'pack_revoked'";
        for replacement in [
            String::new(),
            sql.replace("$.event", "$.tneve"),
            format!("{sql} WHERE {revocations}"),
            format!("CREATE INDEX {name} ON head(seq)"),
            format!("CREATE VIEW {name} AS SELECT * FROM events"),
        ] {
            let scratch = tempfile::tempdir().unwrap();
            copy(dir.path(), scratch.path());
            let open_before = open(scratch.path());
            open_before.load_pinned("prod", "ctxpack.desk", "acme").unwrap();
            database(scratch.path()).execute_batch(&format!("DROP INDEX {name}; {replacement}")).unwrap();
            failed(Registry::open(scratch.path()), "D1222");
            failed(open_before.load(&pack_ref("1.1.0"), Purpose::Replay).map(|_| ()), "D1222");
            failed(open_before.pin(&pack_ref("1.0.0"), "test", "acme", &[], &stamp()), "D1222");
            let findings = open_before.verify(None).unwrap().findings;
            assert!(findings.iter().any(|d| d.code.as_str() == "D1222"), "{findings:?}");
        }
    }
}

/// Beneath SQLite's own rules: the schema says one thing, the index's pages another.
#[test]
fn an_index_that_lacks_entries_is_found() {
    let (dir, _) = base();
    for (name, sql) in indexes(dir.path()) {
        let scratch = tempfile::tempdir().unwrap();
        copy(dir.path(), scratch.path());
        let partial = format!("{sql} WHERE seq < 3");
        database(scratch.path()).execute_batch(&format!("DROP INDEX {name}; {partial}")).unwrap();
        let conn = database(scratch.path());
        conn.pragma_update(None, "writable_schema", true).unwrap();
        conn.execute("UPDATE sqlite_schema SET sql = ?1 WHERE name = ?2", [&sql, &name]).unwrap();
        drop(conn);
        let findings = open(scratch.path()).verify(None).unwrap().findings;
        assert_eq!(findings[0].code.as_str(), "D1222", "{findings:?}");
    }
}

/// A registry that is open notices what is done to the database meanwhile.
#[test]
fn an_open_registry_does_not_rely_on_earlier_reads() {
    let (dir, registry) = registry(&lifecycle());
    registry.load_pinned("prod", "ctxpack.desk", "acme").unwrap();
    let revocation = "SELECT seq FROM events WHERE json_extract(body, '$.event.kind') = 'pack_revoked'";
    database(dir.path()).execute(&format!("UPDATE events SET body = '{{}}' WHERE seq = ({revocation})"), []).unwrap();
    refused(registry.load(&pack_ref("1.1.0"), Purpose::Replay).map(|_| ()), &["D1220"]);
    refused(registry.pin(&pack_ref("1.0.0"), "test", "acme", &[], &stamp()), &["D1220"]);
}

fn files(dir: &Path) -> Vec<std::path::PathBuf> {
    let shelves = std::fs::read_dir(dir.join("blobs/sha256")).unwrap().map(|e| e.unwrap().path());
    shelves.flat_map(|shelf| std::fs::read_dir(shelf).unwrap().map(|e| e.unwrap().path())).collect()
}

#[test]
fn every_stored_file_is_guarded() {
    let (dir, expected) = base();
    let names = files(dir.path());
    // Two documents, an overlay and a golden case, four reviews, two signatures.
    assert_eq!(names.len(), 10);
    for file in names {
        let name = file.strip_prefix(dir.path()).unwrap().to_owned();
        let bytes = std::fs::read(&file).unwrap();
        let mut edited = bytes.clone();
        edited[bytes.len() / 2] ^= 1;
        let variants = [Some(edited), Some(bytes[..bytes.len() - 1].to_vec()), Some(Vec::new()), None];
        for content in variants {
            let what = format!("{}: {:?} bytes", name.display(), content.as_ref().map(Vec::len));
            check(dir.path(), &expected, &what, |dir| match content {
                Some(content) => std::fs::write(dir.join(&name), content).unwrap(),
                None => std::fs::remove_file(dir.join(&name)).unwrap(),
            });
        }
    }
}
