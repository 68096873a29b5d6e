//! Proposals, rules, and a whole set of lives as a list of operations, each of which appends events.

use deed_canon::ContentHash;
use deed_diag::{Diagnostic, Severity};
use deed_memory::RecallQuery;
use deed_model::{
    Classification, MemoryProposal, MemoryRules, MemoryScope, PackOrigin, PackRef, ReviewDecision, ReviewRole,
    SelfReview, TierLifetime,
};
pub(crate) use deed_store::MemoryStore;
use deed_store::{Durability, MemoryVerdict, Options, Outcome, RegistryError, Stamp};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) fn rules() -> MemoryRules {
    MemoryRules {
        pack_ref: PackRef::of("ctxpack.desk", "1.0.0").unwrap(),
        pack_hash: ContentHash::of_bytes(b"pack"),
        pack_origin: PackOrigin::Proven,
        tenant_id: "acme".to_owned(),
        data_classification: Classification::Confidential,
        intents: vec!["desk.answer".to_owned()],
        tiers: vec![TierLifetime { tier: "semantic".to_owned(), ttl_seconds: 86_400 }],
        write_classes_allowed: vec!["preference".to_owned(), "correction".to_owned()],
        pii_write_back_allowed: false,
        auto_promote_confidence: Some(0.95),
        scope: MemoryScope::Tenant,
    }
}

pub(crate) fn proposal(changes: Value) -> MemoryProposal {
    let mut whole = json!({
        "tenant_id": "acme", "subject": "customer:1", "intent_id": "desk.answer", "tier": "semantic",
        "class": "preference", "classification": "INTERNAL", "provenance": ["feedback:1"], "confidence": 0.99,
    });
    whole.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    serde_json::from_value(whole).unwrap()
}

pub(crate) fn language(value: &str, confidence: f64) -> MemoryProposal {
    let fact = json!({ "entity": "customer:1", "predicate": "language", "value": value, "confidence": confidence });
    proposal(fact)
}

pub(crate) fn stamp(second: u32) -> Stamp {
    Stamp { at: format!("2026-01-01T00:00:{second:02}Z"), actor: "agent".to_owned(), began: None }
}

fn later(day: u32) -> Stamp {
    Stamp { at: format!("2026-01-{day:02}T00:00:00Z"), actor: "ann".to_owned(), began: None }
}

pub(crate) fn quick() -> Options {
    let mut options = Options::default();
    options.durability = Durability::None;
    options
}

pub(crate) fn open(dir: &Path) -> MemoryStore {
    MemoryStore::open_or_create_with(dir, quick()).unwrap()
}

pub(crate) fn store() -> (tempfile::TempDir, MemoryStore) {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("memory"));
    (dir, store)
}

pub(crate) type Op = Box<dyn Fn(&MemoryStore) -> Result<Outcome, RegistryError>>;

fn op(run: impl Fn(&MemoryStore) -> Result<Outcome, RegistryError> + 'static) -> Op {
    Box::new(run)
}

pub(crate) fn proposing(what: MemoryProposal, second: u32) -> Op {
    op(move |store| store.propose(&what, &rules(), &stamp(second)).map(|captured| captured.outcome))
}

/// The id of the only memory that states a value or a text.
pub(crate) fn id_of(store: &MemoryStore, says: &str) -> String {
    let state = store.state().unwrap();
    let of = |record: &&deed_memory::MemoryRecord| {
        record.keeps_content() && {
            let proposal = store.proposal(&record.content).unwrap();
            proposal.text.as_deref() == Some(says) || proposal.value == Some(json!(says))
        }
    };
    state.records().find(of).unwrap().memory_id.clone()
}

fn on(says: &'static str, run: impl Fn(&MemoryStore, &str) -> Result<Outcome, RegistryError> + 'static) -> Op {
    op(move |store| run(store, &id_of(store, says)))
}

pub(crate) fn verdict(accepted: bool) -> MemoryVerdict {
    MemoryVerdict {
        decision: if accepted { ReviewDecision::Accepted } else { ReviewDecision::Rejected },
        role: ReviewRole::Data,
        reason: "seen".to_owned(),
        self_review: SelfReview::Refused,
    }
}

/// Every kind of event: each operation appends at least one, in this order.
pub(crate) fn lives() -> Vec<Op> {
    vec![
        proposing(language("de", 0.99), 1),
        proposing(language("fr", 0.5), 2),
        proposing(proposal(json!({ "text": "gossip", "class": "gossip" })), 3),
        proposing(proposal(json!({ "text": "prefers e-mail" })), 4),
        on("fr", |store, id| store.review(id, &verdict(true), &later(2))),
        on("fr", |store, id| store.promote(id, &later(2))),
        proposing(proposal(json!({ "text": "hearsay", "confidence": 0.1 })), 5),
        on("hearsay", |store, id| store.review(id, &verdict(false), &later(2))),
        on("prefers e-mail", |store, id| store.revoke(id, "withdrawn", &later(2))),
        op(|store| store.expire(&later(9)).map(|(_, outcome)| outcome)),
    ]
}

pub(crate) fn run(store: &MemoryStore, ops: &[Op]) {
    for (at, op) in ops.iter().enumerate() {
        let outcome = op(store);
        assert!(matches!(outcome, Ok(Outcome::Recorded(_))), "operation {at}: {outcome:?}");
    }
}

/// The head that undisturbed lives end with.
pub(crate) fn undisturbed() -> ContentHash {
    let (_dir, store) = store();
    run(&store, &lives());
    store.head().unwrap().unwrap().hash
}

pub(crate) fn events(store: &MemoryStore) -> usize {
    store.head().unwrap().map_or(0, |head| head.seq as usize + 1)
}

/// The number of events after each operation, from none on.
pub(crate) fn lengths() -> Vec<usize> {
    let (_dir, store) = store();
    let mut lengths = vec![0];
    for op in lives() {
        op(&store).unwrap();
        lengths.push(events(&store));
    }
    lengths
}

pub(crate) fn recalled(store: &MemoryStore, as_of: &str) -> Vec<Value> {
    let query = RecallQuery {
        tenant_id: "acme",
        subjects: BTreeSet::from(["customer:1"]),
        intent_id: "desk.answer",
        as_of: as_of.parse().unwrap(),
    };
    store.recall(&query).unwrap().iter().map(|its| serde_json::to_value(its).unwrap()).collect()
}

pub(crate) fn errors(findings: &[Diagnostic]) -> Vec<&Diagnostic> {
    findings.iter().filter(|finding| finding.severity == Severity::Error).collect()
}

#[track_caller]
pub(crate) fn assert_clean(store: &MemoryStore) {
    let findings = store.verify(None).unwrap().findings;
    assert!(findings.is_empty(), "{findings:#?}");
}

pub(crate) fn codes(error: &RegistryError) -> Vec<&'static str> {
    error.diagnostics().iter().map(|finding| finding.code.as_str()).collect()
}

/// Asserts a failure with this code, that speaks of the memory log, with a place and help.
#[track_caller]
pub(crate) fn failed<T: std::fmt::Debug>(result: Result<T, RegistryError>, code: &str) {
    let error = result.expect_err("this should have failed");
    assert_eq!(codes(&error), [code], "{error:?}");
    for finding in error.diagnostics() {
        assert!(finding.place.is_some() && finding.help.is_some(), "{finding:?}");
        assert!(!finding.message.contains("registry"), "{finding:?}");
        assert_eq!(finding.stage.as_ref(), "memory", "{finding:?}");
    }
}

pub(crate) fn database(dir: &Path) -> rusqlite::Connection {
    let conn = rusqlite::Connection::open(dir.join("memory.sqlite")).unwrap();
    conn.pragma_update(None, "synchronous", "OFF").unwrap();
    conn
}

/// This test binary, as a command that runs one of its tests.
pub(crate) fn child(test: &str) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args([&format!("memory::{test}"), "--exact", "--nocapture", "--test-threads=1"]);
    command
}
