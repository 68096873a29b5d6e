//! Bad requests are refused with a code, a place and help, and record nothing.

use super::fixture::*;
use deed_model::ReviewRole;
use deed_store::Registry;

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
