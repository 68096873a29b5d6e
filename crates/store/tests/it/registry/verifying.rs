//! Findings of `verify`, and rewrites that only a head recorded elsewhere reveals.

use super::fixture::*;
use deed_canon::{ChainHead, append, canonical_string};
use deed_diag::Severity;
use deed_model::{AuditEvent, RegistryEvent};
use deed_pack::Purpose;
use deed_store::Verification;
use rusqlite::params;
use std::path::Path;

fn found(dir: &Path) -> Vec<(&'static str, String)> {
    let findings = open(dir).verify(None).unwrap().findings;
    findings.into_iter().map(|d| (d.code.as_str(), d.message)).collect()
}

fn tampered(message: &str) -> (&'static str, String) {
    ("D1220", format!("the audit log was tampered with: {message}"))
}

#[test]
fn the_first_broken_link_is_named_with_its_kind() {
    let (base, registry) = registry(&lifecycle());
    drop(registry);
    let last = lifecycle().len() - 1;
    let edit = |seq: usize| format!("UPDATE events SET body = replace(body, '\"ann\"', '\"bob\"') WHERE seq = {seq}");
    let insert = "INSERT INTO events SELECT seq + 1, hash, prev, body FROM events ORDER BY seq DESC LIMIT 1";
    for (sql, message) in [
        (edit(0), "event 0 was edited".to_owned()),
        (edit(5), "event 5 was edited".to_owned()),
        (edit(last), format!("event {last} was edited")),
        ("UPDATE events SET body = '{}' WHERE seq = 5".to_owned(), "event 5 was edited".to_owned()),
        ("UPDATE events SET hash = 'x' WHERE seq = 5".to_owned(), "event 5 was edited".to_owned()),
        ("DELETE FROM events WHERE seq = 0".to_owned(), "event 0 was deleted".to_owned()),
        ("DELETE FROM events WHERE seq = 5".to_owned(), "event 5 was deleted".to_owned()),
        ("DELETE FROM events WHERE seq IN (5, 6, 9)".to_owned(), "event 5 was deleted".to_owned()),
        (format!("DELETE FROM events WHERE seq = {last}"), format!("the log was cut off before event {last}")),
        ("DELETE FROM events WHERE seq > 5".to_owned(), "the log was cut off before event 6".to_owned()),
        ("DELETE FROM events".to_owned(), "the log was cut off before event 0".to_owned()),
        (insert.to_owned(), format!("event {} was edited", last + 1)),
        (
            "UPDATE head SET seq = 5, hash = (SELECT hash FROM events WHERE seq = 5)".to_owned(),
            "event 6 was inserted".to_owned(),
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        copy(base.path(), dir.path());
        assert!(database(dir.path()).execute(&sql, []).unwrap() > 0, "{sql}");
        assert_eq!(found(dir.path()), [tampered(&message)], "{sql}");
        names_the_damage_and_points_to_verify(dir.path(), &message);
    }
}

/// Other operations report the same damage and point to `verify`; `verify` does not point to itself.
#[track_caller]
fn names_the_damage_and_points_to_verify(dir: &Path, message: &str) {
    let registry = open(dir);
    let error = registry.load_pinned("prod", "ctxpack.desk", "acme").unwrap_err();
    assert!(error.to_string().ends_with(message), "{error}");
    let points_to_verify = |d: &deed_diag::Diagnostic| d.help.as_ref().unwrap().contains("deed pack verify");
    assert!(error.diagnostics().iter().all(points_to_verify), "{error:?}");
    let verification = registry.verify(None).unwrap();
    assert!(!verification.findings.iter().any(points_to_verify), "{verification:?}");
    assert_eq!(verification.head, None);
}

#[test]
fn events_that_changed_places_are_named() {
    let (dir, registry) = registry(&lifecycle());
    drop(registry);
    let swap = "UPDATE events SET seq = -1 WHERE seq = 5; UPDATE events SET seq = 5 WHERE seq = 9;
                UPDATE events SET seq = 9 WHERE seq = -1";
    database(dir.path()).execute_batch(swap).unwrap();
    let found = found(dir.path());
    assert!([tampered("event 5 was moved"), tampered("event 5 was edited")].contains(&found[0]), "{found:?}");
}

#[test]
fn a_wrong_head_of_a_sound_chain_is_distinguished_from_a_broken_chain() {
    let last = lifecycle().len() - 1;
    for (sql, message) in [
        ("DELETE FROM head", "the row that records the log's end is missing".to_owned()),
        ("UPDATE head SET hash = 'x'", "the row that records the log's end cannot be read".to_owned()),
        (
            "UPDATE head SET hash = (SELECT hash FROM events WHERE seq = 3)",
            format!("the log's head names another event {last} than the log has"),
        ),
    ] {
        let (dir, registry) = registry(&lifecycle());
        drop(registry);
        database(dir.path()).execute(sql, []).unwrap();
        assert_eq!(found(dir.path()), [("D1221", message.clone())]);
        names_the_damage_and_points_to_verify(dir.path(), &message);
    }
}

#[test]
fn the_head_that_was_verified_comes_back() {
    let (_dir, registry) = registry(&[]);
    let expected = Verification { findings: Vec::new(), head: None, events: 0 };
    assert_eq!(registry.verify(None).unwrap(), expected);
    run(&registry, &lifecycle());
    let expected =
        Verification { findings: Vec::new(), head: registry.head().unwrap(), events: lifecycle().len() as u64 };
    assert_eq!(registry.verify(None).unwrap(), expected);
}

/// Removes the last event with all its traces, as if it had never been.
fn forget_last(dir: &Path) {
    let sql = "
        DELETE FROM events WHERE seq = (SELECT seq FROM head);
        UPDATE head SET (seq, hash) = (SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1)";
    database(dir).execute_batch(sql).unwrap();
}

#[test]
fn only_a_recorded_head_reveals_a_history_that_was_rewritten_whole() {
    let (dir, registry) = registry(&lifecycle()[..19]);
    let noted = registry.head().unwrap().unwrap().hash;
    let earlier = registry.log(&Default::default()).unwrap()[3].link.hash;
    assert_eq!(registry.verify(Some(noted)).unwrap().findings, []);
    assert_eq!(registry.verify(Some(earlier)).unwrap().findings, []);
    drop(registry);
    forget_last(dir.path());
    let registry = open(dir.path());
    // The revocation is gone without a trace that this registry could show.
    assert_eq!(registry.verify(None).unwrap().findings, []);
    registry.load(&pack_ref("1.1.0"), Purpose::Replay).unwrap();
    let findings = registry.verify(Some(noted)).unwrap().findings;
    assert_eq!(findings.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), ["D1221"]);
    assert_eq!(registry.verify(Some(earlier)).unwrap().findings, []);
}

/// Appends an event as the registry would, without asking whether it is allowed.
fn forge(dir: &Path, event: RegistryEvent) {
    let conn = database(dir);
    let head: (i64, String) = conn.query_row("SELECT seq, hash FROM head", [], |r| Ok((r.get(0)?, r.get(1)?))).unwrap();
    let event = AuditEvent { format: 1, at: "2026-01-01T00:00:00Z".into(), actor: "mallory".into(), event };
    let body = serde_json::to_value(&event).unwrap();
    let head = ChainHead { seq: head.0 as u64, hash: head.1.parse().unwrap() };
    let link = append(Some(&head), body.clone()).unwrap();
    let (seq, hash) = (link.seq as i64, link.hash.to_string());
    let row = params![seq, head.hash.to_string(), hash, canonical_string(&body).unwrap()];
    conn.execute("INSERT INTO events(seq, prev, hash, body) VALUES (?1, ?2, ?3, ?4)", row).unwrap();
    conn.execute("UPDATE head SET seq = ?1, hash = ?2", params![seq, hash]).unwrap();
}

#[test]
fn an_event_that_was_not_allowed_is_found_and_gains_nothing() {
    let pack = candidate("5.0.0");
    let (dir, registry) = registry(&[trusting(), readying(&pack)].into_iter().flatten().collect::<Vec<_>>());
    let other = candidate_of("ctxpack.desk", "5.0.0", "answers calls");
    registry.record_lint(&other, 0, &stamp()).unwrap();
    let envelope =
        registry.history(&pack_ref("5.0.0")).unwrap().candidates[&pack.content_hash()].signatures[0].envelope;
    drop(registry);
    // The bytes of the forgery are in place; only the signature is missing.
    let hex = other.sha256().hex();
    let shelf = dir.path().join("blobs/sha256").join(&hex[..2]);
    std::fs::create_dir_all(&shelf).unwrap();
    std::fs::write(shelf.join(&hex), other.bytes()).unwrap();
    forge(
        dir.path(),
        RegistryEvent::PackPublished {
            pack_ref: pack_ref("5.0.0"),
            content_hash: other.content_hash(),
            document: other.sha256(),
            envelope,
            golden: Vec::new(),
            overlays: Vec::new(),
            tenant_id: "acme".into(),
            shared: false,
        },
    );
    let registry = open(dir.path());
    let findings = registry.verify(None).unwrap().findings;
    assert_eq!(findings[0].code.as_str(), "D1225", "{findings:?}");
    refused(registry.load(&pack_ref("5.0.0"), Purpose::NewWork).map(|_| ()), &["D1203"]);
    refused(registry.pin(&pack_ref("5.0.0"), "prod", "acme", &[], &stamp()), &["D1203"]);
}

#[test]
fn a_pin_that_crosses_tenants_in_the_log_loads_nothing() {
    let (dir, registry) = registry(&lifecycle()[..9]);
    let pack = candidate("1.0.0");
    drop(registry);
    forge(
        dir.path(),
        RegistryEvent::PackPinned {
            pack_ref: pack_ref("1.0.0"),
            content_hash: pack.content_hash(),
            environment: "prod".into(),
            tenant_id: "globex".into(),
            replaces: None,
            rollback: false,
            overlays: Vec::new(),
            took_ms: None,
        },
    );
    let registry = open(dir.path());
    refused(registry.load_pinned("prod", "ctxpack.desk", "globex").map(|_| ()), &["D1209"]);
    registry.load_pinned("prod", "ctxpack.desk", "acme").unwrap();
    assert_eq!(found(dir.path())[0].0, "D1225");
}

#[test]
fn a_key_that_was_revoked_since_is_a_warning_not_damage() {
    let (_dir, registry) = registry(&lifecycle()[..9]);
    registry.revoke_key(&key_id(1), "stolen", &stamp()).unwrap();
    let findings = registry.verify(None).unwrap().findings;
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].severity, findings[0].code.as_str()), (Severity::Warning, "D1228"));
    refused(registry.load_pinned("prod", "ctxpack.desk", "acme").map(|_| ()), &["D1302"]);
    // Another key of the issuer stands by the same bytes.
    let pack = candidate("1.0.0");
    registry.trust_key(&signer(5), None, &stamp()).unwrap();
    registry.record_signature(&pack, &signed(&pack, 5), &stamp()).unwrap();
    registry.load_pinned("prod", "ctxpack.desk", "acme").unwrap();
    assert_eq!(registry.verify(None).unwrap().findings, []);
}

#[test]
fn signatures_from_before_there_was_a_policy_stay_valid() {
    let pack = candidate("1.0.0");
    let (from, _) = registry(&[trusting(), readying(&pack)].into_iter().flatten().collect::<Vec<_>>());
    // A registry that never set a policy: what is signed now is judged by the default.
    let (dir, registry) = registry(&[]);
    registry.trust_key(&signer(1), None, &stamp()).unwrap();
    registry.trust_key(&reviewer(2), None, &stamp()).unwrap();
    registry.record_lint(&pack, 0, &stamp()).unwrap();
    for role in ROLES {
        registry.record_review(&pack, &reviewed(&pack, role, 2), &stamp()).unwrap();
    }
    refused(registry.record_signature(&pack, &signed(&pack, 1), &stamp()), &["D1216"]);
    drop(registry);
    // As an earlier version recorded it.
    copy(&from.path().join("blobs"), &dir.path().join("blobs"));
    let bytes = deed_pack::envelope_bytes(&signed(&pack, 1)).unwrap();
    let earlier = RegistryEvent::PackSigned {
        pack_ref: pack_ref("1.0.0"),
        content_hash: pack.content_hash(),
        key_id: key_id(1),
        envelope: deed_canon::ContentHash::of_bytes(&bytes),
        policy: None,
    };
    forge(dir.path(), earlier);
    assert_eq!(found(dir.path()), []);
    open(dir.path()).publish(&pack, &stamp()).unwrap();
    assert_clean(&open(dir.path()));
}
