//! Loading, listing, histories and the log.

use super::fixture::*;
use deed_model::ReviewRole;
use deed_pack::{PackState, PinnedEnvironment, Purpose, verify_offline};
use deed_store::LogFilter;

#[test]
fn the_published_documents_are_loaded() {
    let (_dir, registry) = registry(&lifecycle()[..16]);
    let pack = overlaid("1.1.0");
    let loaded = registry.load_pinned("prod", "ctxpack.desk", "acme").unwrap();
    assert_eq!(*loaded.candidate.pack_ref(), pack_ref("1.0.0"));
    let loaded = registry.load(&pack_ref("1.1.0"), Purpose::NewWork).unwrap();
    assert_eq!(loaded.candidate.document(), pack.document());
    assert_eq!(loaded.candidate.overlays()[0].document(), pack.overlays()[0].document());
    assert_eq!(loaded.proof.signer, key_id(1));
    assert_eq!(loaded.proof.reviews.iter().map(|r| r.role).collect::<Vec<_>>(), ROLES);
    assert_eq!(loaded.head, registry.head().unwrap());
}

#[test]
fn deprecated_is_for_replay_and_revoked_for_nothing() {
    let (_dir, registry) = registry(&lifecycle()[..18]);
    refused(registry.load(&pack_ref("1.1.0"), Purpose::NewWork).map(|_| ()), &["D1206"]);
    registry.load(&pack_ref("1.1.0"), Purpose::Replay).unwrap();
    registry.revoke(&pack_ref("1.1.0"), "leaks", PinnedUse::TakenDown, &stamp()).unwrap();
    refused(registry.load(&pack_ref("1.1.0"), Purpose::Replay).map(|_| ()), &["D1207"]);
    registry.load(&pack_ref("1.1.0"), Purpose::Audit).unwrap();
    refused(registry.load(&pack_ref("9.9.9"), Purpose::Replay).map(|_| ()), &["D1205"]);
}

#[test]
fn a_list_has_the_state_of_every_version() {
    let (_dir, registry) = registry(&lifecycle());
    registry.record_lint(&candidate("3.0.0"), 1, &stamp()).unwrap();
    let four = candidate("4.0.0");
    registry.record_lint(&four, 0, &stamp()).unwrap();
    for role in ROLES {
        registry.record_review(&four, &reviewed(&four, role, 2), &stamp()).unwrap();
    }
    let listed = registry.list().unwrap();
    let states: Vec<(String, PackState)> = listed.iter().map(|l| (l.pack_ref.version.to_string(), l.state)).collect();
    let expected = [
        ("1.0.0", PackState::Promoted),
        ("1.1.0", PackState::Revoked),
        ("3.0.0", PackState::Linted),
        ("4.0.0", PackState::Reviewed),
    ];
    assert_eq!(states, expected.map(|(v, s)| (v.to_owned(), s)));
    assert_eq!(listed[0].pinned_in, [PinnedEnvironment { tenant_id: "acme".into(), environment: "prod".into() }]);
    assert_eq!(listed[1].reason.as_deref(), Some("leaks"));
    assert_eq!(listed[3].tenant_id.as_deref(), Some("acme"));
    assert_eq!(listed[3].reviewed_by, [ReviewRole::Security, ReviewRole::Data]);
    let history = registry.history(&pack_ref("1.1.0")).unwrap();
    assert!(history.pinned_in.is_empty() && history.revocation.is_some());
    assert_eq!(registry.history(&pack_ref("1.0.0")).unwrap().pinned_in.len(), 1);
}

#[test]
fn the_log_can_be_read_whole_and_by_subject() {
    let (_dir, registry) = registry(&lifecycle());
    let all = registry.log(&LogFilter::default()).unwrap();
    assert_eq!(all.len(), lifecycle().len());
    let subject = Some("pack:ctxpack.desk@1.1.0".to_owned());
    let some = registry.log(&LogFilter { subject, from: Some(10), last: None }).unwrap();
    let names: Vec<&str> = some.iter().map(|e| e.event.event.name()).collect();
    let expected = [
        "pack_reviewed",
        "pack_reviewed",
        "pack_signed",
        "pack_published",
        "pack_pinned",
        "pack_deprecated",
        "pack_revoked",
    ];
    assert_eq!(names, expected);
    let last = registry.log(&LogFilter { last: Some(1), ..LogFilter::default() }).unwrap();
    assert_eq!(last, all[all.len() - 1..]);
}

#[test]
fn an_export_verifies_without_the_registry() {
    let (_dir, registry) = registry(&lifecycle()[..8]);
    let pack = candidate("1.0.0");
    let reviews: Vec<_> = ROLES.into_iter().map(|role| reviewed(&pack, role, 2)).collect();
    let store = registry.trust_store().unwrap();
    let proof = verify_offline(pack.document(), &[], &[], &signed(&pack, 1), &reviews, &store).unwrap();
    assert_eq!(
        proof.content_hash,
        registry.load(&pack_ref("1.0.0"), Purpose::NewWork).unwrap().publication.content_hash
    );
}

#[test]
fn publishing_again_puts_back_a_lost_file() {
    let (dir, registry) = registry(&lifecycle()[..9]);
    let pack = candidate("1.0.0");
    let hex = pack.sha256().hex();
    let path = dir.path().join("blobs/sha256").join(&hex[..2]).join(&hex);
    std::fs::remove_file(&path).unwrap();
    refused(registry.load_pinned("prod", "ctxpack.desk", "acme").map(|_| ()), &["D1223"]);
    registry.publish(&pack, &stamp()).unwrap();
    registry.load_pinned("prod", "ctxpack.desk", "acme").unwrap();
}
