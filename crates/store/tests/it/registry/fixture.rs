//! A pack, keys, and a whole lifecycle as a list of operations, each of which appends one event.

use deed_canon::{ContentHash, Envelope, KeyId, SigningKey};
use deed_diag::{Diagnostic, Severity};
use deed_model::{
    AdapterType, ArchiveKind, Endpoint, KeyStatus, PackRef, PackUse, RecheckTrigger, RegistryPolicy, RegressionMetric,
    ReviewRole, SelfReview, TrustedKey,
};
pub(crate) use deed_pack::PinnedUse;
use deed_pack::{
    AcceptedRegression, ArchiveRecord, Candidate, EnvironmentKey, RecheckRecord, review_statement, signature_statement,
};
use deed_store::{Durability, Options, Outcome, Registry, RegistryError, Stamp};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

pub(crate) const ROLES: [ReviewRole; 2] = [ReviewRole::Security, ReviewRole::Data];

pub(crate) fn document(pack_id: &str, version: &str, words: &str) -> Value {
    let mut value: Value =
        serde_json::from_str(include_str!("../../../../pack/src/lifecycle/tests/pack.json")).unwrap();
    value["pack_meta"]["pack_id"] = json!(pack_id);
    value["pack_meta"]["pack_version"] = json!(version);
    value["business_context"]["summary"]["what_we_do"] = json!(words);
    value
}

pub(crate) fn candidate(version: &str) -> Candidate {
    candidate_of("ctxpack.desk", version, "answers tickets")
}

pub(crate) fn candidate_of(pack_id: &str, version: &str, words: &str) -> Candidate {
    Candidate::new(&document(pack_id, version, words), &[]).unwrap()
}

/// A version with an overlay and a golden case.
pub(crate) fn overlaid(version: &str) -> Candidate {
    let mut pack = document("ctxpack.desk", version, "answers tickets");
    pack["pack_meta"]["overlays"] = json!(["ctxpack.desk.prod@1.0.0"]);
    let overlay = json!({
        "overlay_ref": "ctxpack.desk.prod@1.0.0",
        "base": format!("ctxpack.desk@{version}"),
        "changes": [{ "kind": "locale_default", "key": "language", "value": "de" }],
    });
    let golden = [("01_allow".to_owned(), json!({ "expect": { "outcome": "compiled" } }))];
    Candidate::new(&pack, &[overlay]).unwrap().with_golden(&golden).unwrap()
}

pub(crate) fn key(seed: u8) -> SigningKey {
    SigningKey::from_seed(&[seed; 32])
}

pub(crate) fn key_id(seed: u8) -> KeyId {
    key(seed).public().id()
}

pub(crate) fn signer(seed: u8) -> TrustedKey {
    grant(seed, true, &[])
}

pub(crate) fn reviewer(seed: u8) -> TrustedKey {
    grant(seed, false, &ReviewRole::ALL)
}

fn grant(seed: u8, may_sign: bool, roles: &[ReviewRole]) -> TrustedKey {
    let public_key = key(seed).public();
    TrustedKey {
        key_id: public_key.id(),
        public_key,
        issuer: "acme".to_owned(),
        may_sign,
        review_roles: roles.to_vec(),
        person: None,
        status: KeyStatus::Active,
    }
}

pub(crate) fn signed(candidate: &Candidate, seed: u8) -> Envelope {
    signature_statement(candidate).unwrap().sign(&key(seed)).unwrap()
}

pub(crate) fn reviewed(candidate: &Candidate, role: ReviewRole, seed: u8) -> Envelope {
    review_statement(candidate, role, None).unwrap().sign(&key(seed)).unwrap()
}

pub(crate) fn stamp() -> Stamp {
    Stamp { at: "2026-01-01T00:00:00Z".to_owned(), actor: "ann".to_owned(), began: None }
}

pub(crate) fn pack_ref(version: &str) -> PackRef {
    PackRef::of("ctxpack.desk", version).unwrap()
}

/// Options for tests that are not about power cuts.
pub(crate) fn quick() -> Options {
    with(|options| options.durability = Durability::None)
}

pub(crate) fn with(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

pub(crate) fn open(dir: &Path) -> Registry {
    Registry::open_with(dir, quick()).unwrap()
}

pub(crate) type Op = Box<dyn Fn(&Registry) -> Result<Outcome, RegistryError>>;

fn op(run: impl Fn(&Registry) -> Result<Outcome, RegistryError> + 'static) -> Op {
    Box::new(run)
}

/// Lets one person review in two roles, and trusts key 1 to sign and key 2 to review.
pub(crate) fn trusting() -> Vec<Op> {
    vec![
        op(|r| r.set_policy(&lenient(), "one person", &stamp())),
        op(|r| r.trust_key(&signer(1), None, &stamp())),
        op(|r| r.trust_key(&reviewer(2), None, &stamp())),
    ]
}

/// A policy for the two roles of the test's packs.
pub(crate) fn lenient() -> RegistryPolicy {
    RegistryPolicy { required_roles: ROLES.to_vec(), self_review: SelfReview::Allowed }
}

/// From draft to signed.
pub(crate) fn readying(candidate: &Candidate) -> Vec<Op> {
    let c = candidate.clone();
    let mut ops = vec![op(move |r| r.record_lint(&c, 0, &stamp()))];
    for role in ROLES {
        let c = candidate.clone();
        ops.push(op(move |r| r.record_review(&c, &reviewed(&c, role, 2), &stamp())));
    }
    let c = candidate.clone();
    ops.push(op(move |r| r.record_signature(&c, &signed(&c, 1), &stamp())));
    ops
}

/// From draft to published.
pub(crate) fn publishing(candidate: &Candidate) -> Vec<Op> {
    let mut ops = readying(candidate);
    let c = candidate.clone();
    ops.push(op(move |r| r.publish(&c, &stamp())));
    ops
}

/// An environment of `acme`.
pub(crate) fn place(environment: &str) -> EnvironmentKey {
    EnvironmentKey {
        tenant_id: "acme".to_owned(),
        environment: environment.to_owned(),
        pack_id: "ctxpack.desk".to_owned(),
    }
}

pub(crate) fn usage(run: &str) -> PackUse {
    PackUse::Run { run_id: run.to_owned() }
}

pub(crate) fn pinning(version: &'static str, environment: &'static str) -> Op {
    op(move |r| r.pin(&pack_ref(version), environment, "acme", &[], &stamp()))
}

/// An endpoint of an environment.
pub(crate) fn endpoint(environment: &str, base_url: &str) -> Endpoint {
    Endpoint {
        endpoint_ref: "internal://orders".to_owned(),
        environment: environment.to_owned(),
        adapter_type: AdapterType::OpenApi,
        base_url: base_url.to_owned(),
        private_addresses: false,
        credential: None,
        openapi: None,
    }
}

/// Everything that can happen: each operation appends exactly one event, in this order.
pub(crate) fn lifecycle() -> Vec<Op> {
    let mut ops = trusting();
    ops.extend(publishing(&candidate("1.0.0")));
    ops.push(pinning("1.0.0", "prod"));
    ops.extend(publishing(&overlaid("1.1.0")));
    ops.push(op(|r| r.pin(&pack_ref("1.1.0"), "prod", "acme", &["prod".to_owned()], &stamp())));
    ops.push(op(|r| r.roll_back(&place("prod"), &pack_ref("1.0.0"), &stamp())));
    ops.push(op(|r| r.trust_key(&signer(3), Some(&key_id(1)), &stamp())));
    ops.push(op(|r| r.deprecate(&pack_ref("1.1.0"), "superseded", PinnedUse::TakenDown, &stamp())));
    ops.push(op(|r| r.revoke(&pack_ref("1.1.0"), "leaks", PinnedUse::TakenDown, &stamp())));
    ops.push(op(|r| r.trust_key(&signer(4), None, &stamp())));
    ops.push(op(|r| r.revoke_key(&key_id(4), "lost", &stamp())));
    ops.push(op(|r| r.observe(&pack_ref("1.0.0"), None, "acme", &usage("r-1"), &stamp())));
    ops.push(op(|r| r.observe(&pack_ref("1.0.0"), Some("prod"), "acme", &usage("r-2"), &stamp())));
    ops.push(op(|r| r.promote(&pack_ref("1.0.0"), "prod", "acme", &stamp())));
    ops.push(pinning("1.0.0", "stage"));
    ops.push(op(|r| r.unpin(&place("stage"), "closed", &stamp())));
    ops.push(op(|r| r.set_endpoint(&endpoint("prod", "https://orders.test"), &stamp())));
    ops.push(op(|r| r.remove_endpoint("prod", "internal://orders", "moved", &stamp())));
    ops.push(op(|r| r.set_policy(&RegistryPolicy::default(), "a second person is here", &stamp())));
    ops.push(op(|r| r.accept_regression(&pack_ref("1.0.0"), &acceptance("1.0.0", 1), &stamp())));
    ops.push(op(|r| rechecked(r, 1)));
    ops.push(op(|r| rechecked(r, 0)));
    ops.push(op(|r| r.name_archive("incidents", &archive(2), &stamp())));
    ops.push(op(|r| r.forget_archive("incidents", "replaced", &stamp())));
    ops
}

/// The acceptance of a finding about a version.
pub(crate) fn acceptance(version: &str, finding: u8) -> AcceptedRegression {
    AcceptedRegression {
        seq: 0,
        content_hash: candidate(version).content_hash(),
        metric: RegressionMetric::Policy,
        finding: ContentHash::of_bytes(&[finding]),
        what: "the gate is looser".to_owned(),
        role: ReviewRole::Security,
        reason: "it is meant".to_owned(),
    }
}

/// Records a recheck of 1.0.0 with that many errors.
pub(crate) fn rechecked(registry: &Registry, errors: u64) -> Result<Outcome, RegistryError> {
    let found = RecheckRecord { seq: 0, dependency_hash: ContentHash::of_bytes(b"ontology"), errors, warnings: 0 };
    registry.record_recheck(&pack_ref("1.0.0"), RecheckTrigger::OntologyUpdated, "ont.desk", &found, &stamp())
}

/// An archive with that many recordings.
pub(crate) fn archive(recordings: u64) -> ArchiveRecord {
    let content_hash = ContentHash::of_bytes(&recordings.to_be_bytes());
    ArchiveRecord { seq: 0, kind: ArchiveKind::Incident, path: "incidents".to_owned(), content_hash, recordings }
}

pub(crate) fn run(registry: &Registry, ops: &[Op]) {
    for (at, op) in ops.iter().enumerate() {
        assert!(matches!(op(registry), Ok(Outcome::Recorded(_))), "operation {at}: {:?}", op(registry));
    }
}

/// A registry in a new folder after some operations.
pub(crate) fn registry(ops: &[Op]) -> (tempfile::TempDir, Registry) {
    let dir = tempfile::tempdir().unwrap();
    let registry = Registry::create_with(dir.path(), quick()).unwrap();
    run(&registry, ops);
    (dir, registry)
}

/// The head that an undisturbed lifecycle ends with.
pub(crate) fn undisturbed() -> ContentHash {
    registry(&lifecycle()).1.head().unwrap().unwrap().hash
}

pub(crate) fn events(registry: &Registry) -> usize {
    registry.head().unwrap().map_or(0, |h| h.seq as usize + 1)
}

pub(crate) fn errors(findings: &[Diagnostic]) -> Vec<&Diagnostic> {
    findings.iter().filter(|d| d.severity == Severity::Error).collect()
}

#[track_caller]
pub(crate) fn assert_clean(registry: &Registry) {
    let findings = registry.verify(None).unwrap().findings;
    assert!(errors(&findings).is_empty(), "{findings:#?}");
}

pub(crate) fn codes(error: &RegistryError) -> Vec<&'static str> {
    error.diagnostics().iter().map(|d| d.code.as_str()).collect()
}

/// Asserts a refusal with these codes, each with a place and help.
#[track_caller]
pub(crate) fn refused<T: std::fmt::Debug>(result: Result<T, RegistryError>, expected: &[&str]) {
    let error = result.expect_err("this should have been refused");
    assert!(matches!(error, RegistryError::Refused(_)), "{error:?}");
    assert_eq!(codes(&error), expected, "{error:?}");
    assert!(error.diagnostics().iter().all(|d| d.place.is_some() && d.help.is_some()), "{error:?}");
}

/// Asserts a failure of the environment with this code, a place and help.
#[track_caller]
pub(crate) fn failed<T: std::fmt::Debug>(result: Result<T, RegistryError>, expected: &str) {
    let error = result.expect_err("this should have failed");
    assert!(matches!(error, RegistryError::Environment(_)), "{error:?}");
    assert_eq!(codes(&error), [expected], "{error:?}");
    assert!(error.diagnostics().iter().all(|d| d.place.is_some() && d.help.is_some()), "{error:?}");
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

pub(crate) fn is_private(path: &Path, mode: u32) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777 == mode
}

/// The database, for those who would tamper with it.
pub(crate) fn database(dir: &Path) -> rusqlite::Connection {
    let conn = rusqlite::Connection::open(dir.join("registry.sqlite")).unwrap();
    conn.pragma_update(None, "synchronous", "OFF").unwrap();
    conn
}

/// This test binary, as a command that runs one of its tests.
pub(crate) fn child(test: &str) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args([&format!("registry::{test}"), "--exact", "--nocapture", "--test-threads=1"]);
    command
}
