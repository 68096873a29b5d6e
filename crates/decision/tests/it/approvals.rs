//! An approval counts for one decision, in one context, in one role, for as long as its gate allows.

use crate::world::{GATE, World, at, key, worlds};
use deed_decision::{ApprovalError, Approver, approve, subject, subject_hash};
use deed_model::{CriticVerdict, DecisionDraft, GateDecision};
use serde_json::{Value, json};

fn gated() -> World {
    worlds().remove(0)
}

/// Changes one part of what was approved; the approval stays.
#[test]
#[expect(clippy::type_complexity, reason = "a table of changes")]
fn any_change_to_what_was_approved_asks_again() {
    let world = gated();
    let draft = world.draft("approved");
    let changes: [(&str, &dyn Fn(&mut DecisionDraft)); 6] = [
        ("inputs", &|d| drop(d.inputs.insert("order_id".to_owned(), json!("ord_882")))),
        ("outputs", &|d| drop(d.outputs.insert("reason".to_owned(), json!("Because.")))),
        ("evidence", &|d| drop(d.evidence_refs.pop())),
        ("subjects", &|d| drop(d.subject_ids.pop())),
        ("actor", &|d| d.actor.id = "agt_18".to_owned()),
        ("role", &|d| d.actor.role = None),
    ];
    assert_eq!(world.judge(&draft).critique.verdict, CriticVerdict::Accept);
    for (name, change) in changes {
        let mut other = draft.clone();
        change(&mut other);
        let judged = world.judge(&other);
        assert_eq!(judged.critique.verdict, CriticVerdict::Escalate, "{name}");
        let reasons: Vec<&str> = judged.critique.findings.iter().map(|f| f.message.as_str()).collect();
        assert!(reasons.contains(&"it was given for something else"), "{name}: {reasons:?}");
    }
    // The trace and the lineage are no part of what is decided.
    let traced = DecisionDraft { trace_id: None, ..draft };
    assert_eq!(world.judge(&traced).critique.verdict, CriticVerdict::Accept);
}

#[test]
fn an_approval_of_another_context_does_not_count() {
    let world = gated();
    let other = World::new("other", |given| given.request["input"]["message"] = json!("Please refund ord_881."));
    let mut draft = world.draft("approved");
    draft.approvals = other.draft("approved").approvals;
    assert_eq!(world.judge(&draft).critique.verdict, CriticVerdict::Escalate);
}

#[test]
fn an_approval_ends_when_it_expires() {
    let world = gated();
    let draft = world.draft("approved");
    let expires = at(&draft.approvals[0].approval.expires_at);
    let keys = [key().public()];
    let verdict = |when| {
        let inputs = deed_decision::CriticInputs { as_of: when, ..world.inputs(&keys) };
        deed_decision::critique(&draft, inputs).unwrap().critique.verdict
    };
    let second = jiff::SignedDuration::from_secs(1);
    assert_eq!(verdict(expires - second), CriticVerdict::Accept);
    assert_eq!(verdict(expires), CriticVerdict::Escalate);
    assert_eq!(verdict(at("2026-05-09T10:29:59Z")), CriticVerdict::Escalate, "before it was given");
    assert_eq!(verdict(at("2026-05-09T09:59:59Z")), CriticVerdict::Reject, "before the context was compiled");
}

#[test]
fn approvers_are_asked_where_the_context_asks_and_shown_what_they_can_read() {
    let world = gated();
    let draft = world.draft("approved");
    let now = at("2026-05-09T10:30:00Z");
    let ask = |gate: &str, role: &str| subject(&draft, &world.context, gate, role, now);
    assert_eq!(ask("GATE_X", "finance_lead"), Err(ApprovalError::NotAsked { gates: vec![GATE.to_owned()] }));
    assert_eq!(ask(GATE, "cook"), Err(ApprovalError::OtherRole { role: "finance_lead".to_owned() }));
    let shown = ask(GATE, "finance_lead").unwrap();
    assert_eq!(shown.expires_at, "2026-05-09T12:30:00Z");
    let mut hidden = draft.clone();
    hidden.outputs.insert("reason".to_owned(), json!("pay \u{202e}later"));
    let found = subject(&hidden, &world.context, GATE, "finance_lead", now);
    assert_eq!(found, Err(ApprovalError::HiddenText { pointer: "/outputs/reason".to_owned(), character: '\u{202e}' }));
    let calm = World::new("small", |given| given.request["input"]["context"]["refund_amount"] = json!(1200));
    let none = subject(&calm.draft("approved"), &calm.context, GATE, "finance_lead", now);
    assert_eq!(none, Err(ApprovalError::NotAsked { gates: Vec::new() }));
}

#[test]
fn a_signed_answer_names_what_was_shown() {
    let world = gated();
    let now = at("2026-05-09T10:30:00Z");
    let shown = subject(&world.draft("approved"), &world.context, GATE, "finance_lead", now).unwrap();
    let approver =
        Approver { name: "fin_3", role: "finance_lead", decision: GateDecision::Approved, at: now, note: Some("seen") };
    let signed = approve(&shown, approver, &key()).unwrap();
    assert_eq!(signed.approval.subject_hash, subject_hash(&shown).unwrap());
    assert_eq!(signed, approve(&shown, approver, &key()).unwrap());
    let payload: Value = serde_json::from_slice(
        &signed.envelope.verify("application/vnd.in-toto+json", |_| Some(key().public())).unwrap().payload,
    )
    .unwrap();
    assert_eq!(payload["subject"][0]["name"], format!("decision/{GATE}"));
    assert_eq!(payload["predicate"]["note"], "seen");
}
