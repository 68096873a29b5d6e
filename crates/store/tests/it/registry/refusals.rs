//! Bad requests are refused with a code, a place and help, and record nothing.

use super::fixture::*;
use deed_model::{RecheckTrigger, ReviewRole};
use deed_pack::{AcceptedRegression, RecheckRecord};
use deed_store::{Outcome, Registry};

/// Runs a bad request and asserts its codes and that it left no trace.
#[track_caller]
fn traceless<T: std::fmt::Debug>(
    registry: &Registry,
    expected: &[&str],
    request: impl Fn(&Registry) -> Result<T, deed_store::RegistryError>,
) {
    let files = || walk(&registry.dir().join("blobs"));
    let before = (registry.head().unwrap(), files());
    refused(request(registry), expected);
    assert_eq!((registry.head().unwrap(), files()), before);
}

fn walk(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(walk(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn bad_requests_about_releases_leave_no_trace() {
    let pack = candidate("1.0.0");
    let ops = [trusting(), publishing(&pack)];
    let (_dir, registry) = registry(&ops.into_iter().flatten().collect::<Vec<_>>());
    let r = &registry;
    let one = acceptance("1.0.0", 1);
    let silent = AcceptedRegression { reason: " ".to_owned(), ..one.clone() };
    traceless(r, &["D1208"], |r| r.accept_regression(&pack_ref("1.0.0"), &silent, &stamp()));
    traceless(r, &["D1201"], |r| r.accept_regression(&pack_ref("1.0.0"), &acceptance("9.0.0", 1), &stamp()));
    traceless(r, &["D2420"], |r| r.name_archive("In cidents", &archive(1), &stamp()));
    traceless(r, &["D2420"], |r| r.forget_archive("incidents", "replaced", &stamp()));
    let found = RecheckRecord { seq: 0, dependency_hash: one.finding, errors: 0, warnings: 0 };
    let trigger = RecheckTrigger::RuntimeUpdated;
    traceless(r, &["D1205"], |r| r.record_recheck(&pack_ref("3.0.0"), trigger, "runtime", &found, &stamp()));

    // The same again is no second event, and another role is.
    r.accept_regression(&pack_ref("1.0.0"), &one, &stamp()).unwrap();
    let events_before = events(r);
    assert_eq!(r.accept_regression(&pack_ref("1.0.0"), &one, &stamp()).unwrap(), Outcome::AlreadyDone);
    assert_eq!(events(r), events_before);
    let history = r.history(&pack_ref("1.0.0")).unwrap();
    assert!(history.accepts(&one.content_hash, &one.finding));
    assert!(!history.accepts(&one.content_hash, &acceptance("1.0.0", 2).finding));
    r.name_archive("incidents", &archive(2), &stamp()).unwrap();
    assert_eq!(r.name_archive("incidents", &archive(2), &stamp()).unwrap(), Outcome::AlreadyDone);
    r.name_archive("incidents", &archive(3), &stamp()).unwrap();
    assert_eq!(r.archives().unwrap().archives["incidents"].recordings, 3);
    assert_clean(r);
}

#[test]
fn a_version_whose_last_recheck_failed_is_not_pinned_or_promoted() {
    let pack = candidate("1.0.0");
    let ops = [trusting(), publishing(&pack), vec![pinning("1.0.0", "prod")]];
    let (_dir, registry) = registry(&ops.into_iter().flatten().collect::<Vec<_>>());
    let r = &registry;
    r.observe(&pack_ref("1.0.0"), Some("prod"), "acme", &usage("r-1"), &stamp()).unwrap();
    rechecked(r, 2).unwrap();
    traceless(r, &["D2440"], |r| r.pin(&pack_ref("1.0.0"), "stage", "acme", &[], &stamp()));
    traceless(r, &["D2440"], |r| r.promote(&pack_ref("1.0.0"), "prod", "acme", &stamp()));
    rechecked(r, 0).unwrap();
    r.promote(&pack_ref("1.0.0"), "prod", "acme", &stamp()).unwrap();
    assert_clean(r);
}

#[test]
fn bad_requests_leave_no_trace() {
    let pack = candidate("1.0.0");
    let ops = [trusting(), publishing(&pack), readying(&candidate("2.0.0"))];
    let (_dir, registry) = registry(&ops.into_iter().flatten().collect::<Vec<_>>());
    let r = &registry;
    let (two, three) = (candidate("2.0.0"), candidate("3.0.0"));
    r.record_lint(&three, 0, &stamp()).unwrap();

    traceless(r, &["D1301"], |r| r.record_review(&three, &reviewed(&three, ReviewRole::Data, 9), &stamp()));
    traceless(r, &["D1307"], |r| r.record_review(&three, &reviewed(&two, ReviewRole::Data, 2), &stamp()));
    let mut forged = reviewed(&three, ReviewRole::Data, 2);
    forged.payload = reviewed(&three, ReviewRole::Security, 2).payload;
    traceless(r, &["D1306"], |r| r.record_review(&three, &forged, &stamp()));
    traceless(r, &["D1202", "D1202"], |r| r.record_signature(&three, &signed(&three, 1), &stamp()));
    traceless(r, &["D1203"], |r| r.publish(&three, &stamp()));
    let other = candidate_of("ctxpack.desk", "1.0.0", "answers calls");
    traceless(r, &["D1204"], |r| r.publish(&other, &stamp()));
    traceless(r, &["D1205"], |r| r.pin(&pack_ref("2.0.0"), "prod", "acme", &[], &stamp()));
    traceless(r, &["D1205"], |r| r.pin(&pack_ref("9.0.0"), "prod", "acme", &[], &stamp()));
    traceless(r, &["D1209"], |r| r.pin(&pack_ref("1.0.0"), "prod", "globex", &[], &stamp()));
    traceless(r, &["D1208"], |r| r.revoke(&pack_ref("1.0.0"), "", PinnedUse::TakenDown, &stamp()));
    traceless(r, &["D1211"], |r| r.load_pinned("prod", "ctxpack.desk", "acme"));
    traceless(r, &["D1226"], |r| r.record_lint(&candidate("4.0.0"), u64::MAX, &stamp()));
    assert_clean(r);
}

#[test]
fn a_revoked_pin_blocks_and_a_re_pin_frees() {
    let ops = [trusting(), publishing(&candidate("1.0.0")), publishing(&candidate("1.1.0"))];
    let (_dir, registry) = registry(&ops.into_iter().flatten().collect::<Vec<_>>());
    registry.pin(&pack_ref("1.1.0"), "prod", "acme", &[], &stamp()).unwrap();
    registry.revoke(&pack_ref("1.1.0"), "leaks", PinnedUse::TakenDown, &stamp()).unwrap();
    refused(registry.load_pinned("prod", "ctxpack.desk", "acme"), &["D1207"]);
    registry.pin(&pack_ref("1.0.0"), "prod", "acme", &[], &stamp()).unwrap();
    let loaded = registry.load_pinned("prod", "ctxpack.desk", "acme").unwrap();
    assert_eq!(*loaded.candidate.pack_ref(), pack_ref("1.0.0"));
    assert_clean(&registry);
}
