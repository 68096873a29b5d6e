//! What the log recalls, through the disk.

use super::fixture::*;
use serde_json::json;

#[test]
fn promoted_memories_are_recalled_with_the_event_that_promoted_them() {
    let (_dir, store) = store();
    run(&store, &lives());
    let recalled = recalled(&store, "2026-01-02T12:00:00Z");
    let [one] = &recalled[..] else { panic!("{recalled:?}") };
    let id = id_of(&store, "fr");
    let event = store.log(Some(&id)).unwrap().into_iter().find(|e| e.event.event.name() == "memory_promoted").unwrap();
    let item = json!({
        "id": id, "tenant_id": "acme", "subject": "customer:1", "intent_id": "desk.answer", "tier": "semantic",
        "class": "preference", "entity": "customer:1", "predicate": "language", "value": "fr",
        "promoted_at": "2026-01-02T00:00:00Z", "classification": "INTERNAL", "provenance": ["feedback:1"],
        "confidence": 0.5, "reviewed_by": "data",
    });
    assert_eq!(*one, json!({ "item": item, "promotion": event.link.hash.to_string() }));
}

#[test]
fn nothing_is_recalled_outside_of_its_lifetime_or_after_its_revocation() {
    let (_dir, store) = store();
    run(&store, &lives());
    for as_of in ["2026-01-01T00:00:00Z", "2026-01-01T23:59:59Z", "2026-01-03T00:00:00Z", "2027-01-01T00:00:00Z"] {
        assert_eq!(recalled(&store, as_of), [json!(null); 0], "{as_of}");
    }
    assert_eq!(recalled(&store, "2026-01-02T23:59:59Z").len(), 1);
}

#[test]
fn the_content_of_what_the_checks_reject_is_not_on_disk() {
    let (dir, store) = store();
    let mail = "jane.roe@mail.acme.io";
    let captured =
        store.propose(&proposal(json!({ "text": format!("write to {mail}") })), &rules(), &stamp(1)).unwrap();
    assert_eq!(captured.rejected.iter().map(|r| r.as_str()).collect::<Vec<_>>(), ["personal_data_not_allowed"]);
    drop(store);
    fn files(dir: &std::path::Path, found: &mut Vec<Vec<u8>>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { files(&path, found) } else { found.push(std::fs::read(path).unwrap()) }
        }
    }
    let mut found = Vec::new();
    files(dir.path(), &mut found);
    assert!(found.len() >= 2);
    assert!(found.iter().all(|bytes| !String::from_utf8_lossy(bytes).contains(mail)));
}

/// A connection that folds its own writes sees what one that reads from the disk sees.
#[test]
fn the_fold_in_memory_is_the_fold_of_the_disk() {
    let (dir, store) = store();
    for op in lives() {
        op(&store).unwrap();
        let fresh = open(&dir.path().join("memory"));
        assert_eq!(*store.state().unwrap(), *fresh.state().unwrap());
        assert_eq!(store.head().unwrap(), fresh.head().unwrap());
        assert_clean(&store);
    }
}
