//! Creating, opening, and folders that are not registries.

use super::fixture::*;
use deed_store::Registry;

#[test]
fn a_created_registry_can_be_opened_and_is_private() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("registry");
    assert_clean(&Registry::create(&dir).unwrap());
    let registry = Registry::open(&dir).unwrap();
    registry.trust_key(&signer(1), None, &stamp()).unwrap();
    assert!(is_private(&dir, 0o700));
    for name in ["registry.sqlite", "registry.sqlite-wal", "registry.sqlite-shm"] {
        assert!(is_private(&dir.join(name), 0o600), "{name}");
    }
    failed(Registry::create(&dir), "D1245");
    assert_eq!(registry.trust_store().unwrap().keys, [signer(1)]);
}

#[test]
fn a_folder_without_a_registry_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    failed(Registry::open(dir.path()), "D1240");
    failed(Registry::open(&dir.path().join("nowhere")), "D1240");
    std::fs::write(dir.path().join("letters.txt"), "dear").unwrap();
    failed(Registry::create(dir.path()), "D1247");
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("registry.sqlite"), vec![7; 4096]).unwrap();
    failed(Registry::open(other.path()), "D1246");
    let empty = tempfile::tempdir().unwrap();
    std::fs::write(empty.path().join("registry.sqlite"), "").unwrap();
    failed(Registry::open(empty.path()), "D1240");
}

/// A loop of links cannot be read by any user; the superuser ignores modes.
#[test]
fn a_registry_that_cannot_be_read_is_not_taken_for_none() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    symlink("registry.sqlite", dir.path().join("registry.sqlite")).unwrap();
    let error = Registry::open(dir.path()).unwrap_err();
    assert!(error.to_string().starts_with("the registry cannot be read: "), "{error}");
    failed::<()>(Err(error), "D1244");

    let (dir, registry) = registry(&trusting());
    drop(registry);
    for path in [dir.path().to_owned(), dir.path().join("registry.sqlite")] {
        let before = std::fs::metadata(&path).unwrap().permissions();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
        let superuser = std::fs::File::open(&path).is_ok();
        let opened = Registry::open(dir.path());
        std::fs::set_permissions(&path, before).unwrap();
        if !superuser {
            failed(opened, "D1244");
        }
    }
}

#[test]
fn an_unknown_format_and_a_foreign_rule_are_refused() {
    let (dir, registry) = registry(&[]);
    drop(registry);
    let conn = rusqlite::Connection::open(dir.path().join("registry.sqlite")).unwrap();
    for (kind, name, rest) in [
        ("TRIGGER", "t", "AFTER INSERT ON events BEGIN DELETE FROM head; END"),
        ("TRIGGER", "events", "AFTER INSERT ON events BEGIN DELETE FROM head; END"),
        ("VIEW", "v", "AS SELECT * FROM events"),
        ("TABLE", "notes", "(text)"),
        ("INDEX", "events_by_hash", "ON events(hash)"),
    ] {
        conn.execute_batch(&format!("CREATE {kind} {name} {rest}")).unwrap();
        failed(Registry::open(dir.path()), "D1246");
        conn.execute_batch(&format!("DROP {kind} {name}")).unwrap();
        open(dir.path());
    }
    for format in [1, 3] {
        conn.execute("UPDATE meta SET format = ?1", [format]).unwrap();
        failed(Registry::open(dir.path()), "D1241");
    }
}

#[test]
fn an_event_of_an_unknown_format_is_refused() {
    let (dir, registry) = registry(&trusting());
    drop(registry);
    let conn = rusqlite::Connection::open(dir.path().join("registry.sqlite")).unwrap();
    let body: String = conn.query_row("SELECT body FROM events WHERE seq = 0", [], |r| r.get(0)).unwrap();
    let body: serde_json::Value = serde_json::from_str(&body.replace("\"format\":1", "\"format\":2")).unwrap();
    let link = deed_canon::append(None, body.clone()).unwrap();
    let text = deed_canon::canonical_string(&body).unwrap();
    let hash = link.hash.to_string();
    conn.execute("DELETE FROM events WHERE seq >= 1", []).unwrap();
    conn.execute("UPDATE events SET body = ?1, hash = ?2", [&text, &hash]).unwrap();
    conn.execute("UPDATE head SET seq = 0, hash = ?1", [&hash]).unwrap();
    let registry = open(dir.path());
    refused(registry.policy(), &["D1226"]);
    assert_eq!(registry.verify(None).unwrap().findings[0].code.as_str(), "D1226");
}

#[test]
fn what_cannot_be_written_can_still_be_read() {
    let (dir, writer) = registry(&lifecycle());
    let expected = (writer.list().unwrap(), writer.head().unwrap());
    let read_only = || Registry::open_with(dir.path(), with(|options| options.read_only = true)).unwrap();
    // Beside a writer that has not settled its log, and after it has.
    for _ in 0..2 {
        let reader = read_only();
        assert_eq!((reader.list().unwrap(), reader.head().unwrap()), expected);
        assert_eq!(reader.verify(None).unwrap().findings, []);
        reader.load_pinned("prod", "ctxpack.desk", "acme").unwrap();
        failed(reader.set_policy(&lenient(), "again", &stamp()), "D1244");
        drop(reader);
    }
    drop(writer);
    let reader = read_only();
    assert_eq!((reader.list().unwrap(), reader.head().unwrap()), expected);
    failed(reader.set_policy(&lenient(), "again", &stamp()), "D1244");
}

#[test]
fn a_folder_of_another_user_is_read_and_not_written() {
    use std::os::unix::fs::PermissionsExt;
    let (dir, registry) = registry(&trusting());
    drop(registry);
    let database = dir.path().join("registry.sqlite");
    let mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&database, 0o400);
    mode(dir.path(), 0o500);
    let superuser = std::fs::File::options().append(true).open(&database).is_ok();
    if !superuser {
        let reader = Registry::open(dir.path()).unwrap();
        assert_eq!(events(&reader), trusting().len());
        failed(reader.set_policy(&lenient(), "again", &stamp()), "D1244");
    }
    mode(dir.path(), 0o700);
    mode(&database, 0o600);
}
