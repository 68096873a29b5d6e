//! Each check with a proposal that it alone rejects, and every rule of a pack with the change that it makes.

use super::fixture::*;
use deed_memory::MemoryStatus;
use deed_model::{Classification, MemoryRules, MemoryScope, PackOrigin};
use serde_json::{Value, json};

/// An address outside the reserved domains, which no detector reports.
const MAIL: &str = "write to jane.roe@mail.acme.io";

#[track_caller]
fn reasons(changes: Value, rules: &MemoryRules) -> Vec<&'static str> {
    let mut log = Log::default();
    let proposed = log.propose(&proposal(changes), rules, 0);
    let status = log.status(&proposed.memory_id, 0);
    assert_eq!(status == MemoryStatus::Rejected, !proposed.rejected.is_empty());
    proposed.rejected.iter().map(|reason| reason.as_str()).collect()
}

fn with(change: impl FnOnce(&mut MemoryRules)) -> MemoryRules {
    let mut rules = rules();
    change(&mut rules);
    rules
}

#[test]
fn each_check_rejects_by_itself() {
    let text = |changes: Value| {
        let mut whole = json!({ "text": "prefers e-mail" });
        whole.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        whole
    };
    let cases = [
        (json!({}), "no_content"),
        (json!({ "text": " " }), "no_content"),
        (json!({ "text": "a", "entity": "customer:1", "predicate": "p", "value": 1 }), "no_content"),
        (json!({ "entity": "customer:1", "predicate": "p" }), "no_content"),
        (json!({ "text": "long ".repeat(2000) }), "too_large"),
        (text(json!({ "confidence": 1.01 })), "confidence_out_of_range"),
        (text(json!({ "provenance": [] })), "missing_provenance"),
        (text(json!({ "provenance": ["feedback:1", "somewhere"] })), "malformed_provenance"),
        (text(json!({ "class": "gossip" })), "class_not_allowed"),
        (text(json!({ "tenant_id": "other" })), "other_tenant"),
        (text(json!({ "intent_id": "desk.sell" })), "unknown_intent"),
        (text(json!({ "tier": "eternal" })), "unknown_tier"),
        (text(json!({ "tier": "durable" })), "tier_without_ttl"),
        (text(json!({ "classification": "SECRET" })), "unknown_classification"),
        (text(json!({ "classification": "RESTRICTED" })), "above_classification"),
        (json!({ "text": MAIL }), "personal_data_not_allowed"),
        (text(json!({ "personal_data": true })), "personal_data_not_allowed"),
        (text(json!({ "subject": "mailto:jane.roe@mail.acme.io" })), "personal_data_not_allowed"),
        (
            json!({ "entity": "c:1", "predicate": "phone", "value": { "home": "+49 30 901820" } }),
            "personal_data_not_allowed",
        ),
        (text(json!({ "consent": "yes" })), "malformed_consent"),
        (text(json!({ "corrects": "mem_1" })), "not_a_correction"),
        (text(json!({ "class": "correction", "corrects": "mem_1" })), "corrects_unknown"),
    ];
    for (changes, reason) in cases {
        let found = reasons(changes.clone(), &rules());
        assert!(found.contains(&reason), "{changes}: {found:?}");
        assert!(found.len() <= 2, "{changes}: {found:?}");
    }
    assert_eq!(reasons(text(json!({})), &rules()), [""; 0]);
}

#[test]
fn every_rule_of_the_pack_acts() {
    let text = json!({ "text": "prefers e-mail", "subject": "*" });
    assert_eq!(reasons(text.clone(), &rules()), [""; 0]);
    assert_eq!(reasons(text.clone(), &with(|r| r.scope = MemoryScope::Subject)), ["any_subject"]);
    assert_eq!(reasons(text.clone(), &with(|r| r.write_classes_allowed.clear())), ["class_not_allowed"]);
    assert_eq!(reasons(text.clone(), &with(|r| r.tiers.clear())), ["tier_without_ttl"]);
    assert_eq!(reasons(text.clone(), &with(|r| r.intents.clear())), ["unknown_intent"]);
    assert_eq!(reasons(text.clone(), &with(|r| r.tenant_id = "other".to_owned())), ["other_tenant"]);
    let lower = with(|r| r.data_classification = Classification::Public);
    assert_eq!(reasons(text.clone(), &lower), ["above_classification"]);
    let mail = json!({ "text": MAIL });
    let allowing = with(|r| r.pii_write_back_allowed = true);
    assert_eq!(reasons(mail.clone(), &rules()), ["personal_data_not_allowed"]);
    assert_eq!(reasons(mail, &allowing), ["missing_consent"]);
    assert_eq!(reasons(json!({ "text": MAIL, "consent": "consent:1" }), &allowing), [""; 0]);
}

#[test]
fn a_review_is_demanded_by_each_rule_by_itself() {
    let demands = |changes: Value, rules: &MemoryRules| -> Vec<&'static str> {
        let mut log = Log::default();
        let mut whole = json!({ "text": "prefers e-mail" });
        whole.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let proposed = log.propose(&proposal(whole), rules, 0);
        let record = log.state.get(&proposed.memory_id).unwrap();
        assert_eq!(record.promotion.is_some(), record.demands.is_empty());
        record.demands.iter().map(|demand| demand.as_str()).collect()
    };
    assert_eq!(demands(json!({}), &rules()), [""; 0]);
    assert_eq!(demands(json!({ "confidence": 0.95 }), &rules()), [""; 0]);
    assert_eq!(demands(json!({ "confidence": 0.9499 }), &rules()), ["low_confidence"]);
    assert_eq!(demands(json!({}), &with(|r| r.auto_promote_confidence = None)), ["no_threshold"]);
    assert_eq!(demands(json!({}), &with(|r| r.pack_origin = PackOrigin::Folder)), ["unproven_pack"]);
    let allowing = with(|r| r.pii_write_back_allowed = true);
    assert_eq!(demands(json!({ "personal_data": true, "consent": "c:1" }), &allowing), ["personal_data"]);
}
