//! The lives of memories, one scene each.

use super::fixture::*;
use deed_memory::{MemoryStatus, RecallQuery, Withdrawal, recall, withdrawn};
use deed_model::{MemoryEvent, MemoryItem, MemoryProposal, ReviewRole, SelfReview};
use serde_json::json;
use std::collections::BTreeSet;

fn recalled(log: &Log, second: i64) -> Vec<String> {
    let query = RecallQuery {
        tenant_id: "acme",
        subjects: BTreeSet::from(["customer:1"]),
        intent_id: "desk.answer",
        as_of: at(second),
    };
    recall(&log.state, &query).iter().map(|record| record.memory_id.clone()).collect()
}

fn text(words: &str) -> MemoryProposal {
    proposal(json!({ "text": words }))
}

fn doubtful(words: &str) -> MemoryProposal {
    proposal(json!({ "text": words, "confidence": 0.5 }))
}

#[test]
fn nothing_is_recalled_before_its_promotion() {
    let mut log = Log::default();
    let id = log.propose(&doubtful("prefers e-mail"), &rules(), 0).memory_id;
    assert_eq!(log.status(&id, 0), MemoryStatus::InReview);
    refused(log.promote(&id, 1), "D2205");
    log.review(&id, true, 2).unwrap();
    assert_eq!(recalled(&log, 2), [""; 0]);
    log.promote(&id, 3).unwrap();
    assert_eq!(recalled(&log, 2), [""; 0]);
    assert_eq!(recalled(&log, 3), [id.as_str()]);
    assert_eq!(log.promote(&id, 4).unwrap(), []);
}

#[test]
fn a_life_ends_at_exactly_the_lifetime_and_its_end_is_recorded_once() {
    let mut log = Log::default();
    let id = log.promoted(&text("prefers e-mail"), 5);
    assert_eq!(recalled(&log, 104), [id.as_str()]);
    assert_eq!(recalled(&log, 105), [""; 0]);
    assert_eq!(log.expire(104), []);
    assert_eq!(log.expire(105), [MemoryEvent::MemoryExpired { memory_id: id.clone() }]);
    assert_eq!(log.expire(200), []);
    // The record of the end does not change the past.
    assert_eq!(recalled(&log, 104), [id.as_str()]);
}

#[test]
fn what_was_revoked_returns_in_no_form() {
    let mut log = Log::default();
    let id = log.promoted(&text("Prefers  E-mail"), 0);
    let elsewhere = log.promoted(&proposal(json!({ "text": "prefers e-mail", "intent_id": "*" })), 0);
    let waiting = log.propose(&doubtful("prefers e-mail"), &rules(), 1).memory_id;
    log.review(&waiting, true, 2).unwrap();
    assert_eq!(log.revoke(&id, 3).unwrap().len(), 2);
    assert_eq!(log.status(&elsewhere, 3), MemoryStatus::Revoked);
    refused(log.promote(&waiting, 4), "D2210");
    let again = log.propose(&text("prefers e-mail"), &rules(), 5);
    assert_eq!(again.rejected.iter().map(|r| r.as_str()).collect::<Vec<_>>(), ["revoked_before"]);
    for second in 0..10 {
        assert_eq!(recalled(&log, second), [""; 0]);
    }
    assert_eq!(log.revoke(&id, 6).unwrap(), []);
    refused(log.revoke(&waiting, 6), "D2204");
    refused(log.revoke("mem_none", 6), "D2202");
}

#[test]
fn a_review_decides_between_contradicting_facts() {
    let mut log = Log::default();
    let german = log.promoted(&fact(json!("de"), json!({})), 0);
    let french = log.propose(&fact(json!("fr"), json!({ "subject": "*", "intent_id": "*" })), &rules(), 1);
    let record = log.state.get(&french.memory_id).unwrap();
    assert_eq!(record.contradicts, [german.as_str()]);
    assert_eq!(record.demands.iter().map(|d| d.as_str()).collect::<Vec<_>>(), ["contradiction"]);
    assert_eq!(recalled(&log, 1), [german.as_str()]);
    log.review(&french.memory_id, true, 2).unwrap();
    log.promote(&french.memory_id, 3).unwrap();
    assert_eq!(recalled(&log, 3), [french.memory_id.as_str()]);
    assert_eq!(log.status(&german, 3), MemoryStatus::Superseded);
}

#[test]
fn a_review_decides_only_about_what_it_saw() {
    let mut log = Log::default();
    let french = log.propose(&fact(json!("fr"), json!({ "confidence": 0.5 })), &rules(), 0).memory_id;
    log.review(&french, true, 1).unwrap();
    log.promoted(&fact(json!("de"), json!({})), 2);
    refused(log.promote(&french, 3), "D2207");
    log.review(&french, true, 4).unwrap();
    log.promote(&french, 5).unwrap();
    assert_eq!(recalled(&log, 5), [french]);
}

#[test]
fn a_correction_outranks_what_it_corrects_and_not_another_correction() {
    let mut log = Log::default();
    let german = log.promoted(&fact(json!("de"), json!({})), 0);
    let french = log.promoted(&fact(json!("fr"), json!({ "class": "correction" })), 1);
    assert_eq!((log.status(&german, 1), recalled(&log, 1)), (MemoryStatus::Superseded, vec![french.clone()]));
    // A plain fact does not outrank a correction, and neither does a correction that does not name it.
    for class in ["preference", "correction"] {
        let next = log.propose(&fact(json!("it"), json!({ "class": class })), &rules(), 2);
        assert_eq!(log.status(&next.memory_id, 2), MemoryStatus::InReview);
    }
    let named = log.promoted(&fact(json!("es"), json!({ "class": "correction", "corrects": french })), 3);
    assert_eq!(recalled(&log, 3), [named]);
    // A text has no fact to contradict: it is corrected by its id.
    let words = log.promoted(&text("calls on Mondays"), 4);
    let other = proposal(json!({ "text": "calls on Fridays", "class": "correction", "corrects": words }));
    log.promoted(&other, 5);
    assert_eq!(log.status(&words, 5), MemoryStatus::Superseded);
}

#[test]
fn a_correction_of_what_a_person_accepted_is_reviewed() {
    let mut log = Log::default();
    let accepted = |log: &mut Log, proposal: &MemoryProposal, second: i64| {
        let id = log.propose(proposal, &rules(), second).memory_id;
        log.review(&id, true, second).unwrap();
        log.promote(&id, second).unwrap();
        id
    };
    let german = accepted(&mut log, &fact(json!("de"), json!({ "confidence": 0.5 })), 0);
    // Neither the class nor the id outranks the person.
    for more in [json!({ "class": "correction" }), json!({ "class": "correction", "corrects": german })] {
        let candidate = log.propose(&fact(json!("fr"), more), &rules(), 1).memory_id;
        let record = log.state.get(&candidate).unwrap();
        assert_eq!((record.demands.len(), record.contradicts.as_slice()), (1, [german.clone()].as_slice()));
        assert_eq!(log.status(&candidate, 1), MemoryStatus::InReview);
        assert_eq!(recalled(&log, 1), [german.as_str()]);
    }
    let words = accepted(&mut log, &doubtful("calls on Mondays"), 2);
    let other = proposal(json!({ "text": "calls on Fridays", "class": "correction", "corrects": words }));
    let other = log.propose(&other, &rules(), 3).memory_id;
    assert_eq!((log.status(&other, 3), log.status(&words, 3)), (MemoryStatus::InReview, MemoryStatus::Promoted));
    // A fact that a person accepted after the review of its correction was not seen by the reviewer.
    log.review(&other, true, 4).unwrap();
    log.promote(&other, 4).unwrap();
    assert_eq!((log.status(&other, 4), log.status(&words, 4)), (MemoryStatus::Promoted, MemoryStatus::Superseded));
    let french = log.propose(&fact(json!("fr"), json!({ "class": "correction" })), &rules(), 5).memory_id;
    log.review(&french, true, 6).unwrap();
    let spanish = log.propose(&fact(json!("es"), json!({ "confidence": 0.5 })), &rules(), 7).memory_id;
    log.review(&spanish, true, 8).unwrap();
    log.promote(&spanish, 8).unwrap();
    refused(log.promote(&french, 9), "D2207");
}

#[test]
fn a_clock_that_is_set_back_revives_nothing() {
    let mut log = Log::default();
    let id = log.promoted(&text("prefers e-mail"), 0);
    log.promoted(&text("calls on Mondays"), 150);
    // Its lifetime ended at 100, which the log has seen.
    assert_eq!(log.state.now(at(20)), at(150));
    assert_eq!(log.state.get(&id).unwrap().status(log.state.now(at(20))), MemoryStatus::Expired);
    refused(log.promote(&id, 20), "D2204");
    assert_eq!(log.expire(20), [MemoryEvent::MemoryExpired { memory_id: id.clone() }]);
    // The event has the time of its clock, and is named.
    assert_eq!(log.entries.last().unwrap().at, at(20).to_string());
    let named: Vec<u64> = log.state.set_back().map(|found| found.seq).collect();
    assert_eq!(named, [log.entries.len() as u64 - 1]);
    // The same content is captured anew: what expired does not answer for it.
    let again = log.propose(&text("prefers e-mail"), &rules(), 30).memory_id;
    assert_ne!(again, id);
    assert_eq!(log.state.now(at(200)), at(200));
}

#[test]
fn the_same_again_is_the_same_and_a_renewal_takes_its_place() {
    let mut log = Log::default();
    let id = log.promoted(&text("prefers e-mail"), 0);
    assert_eq!(log.propose(&text("prefers e-mail"), &rules(), 1).events, []);
    let renewed = log.promoted(&proposal(json!({ "text": "prefers e-mail", "provenance": ["feedback:2"] })), 50);
    assert_eq!(recalled(&log, 50), [renewed.as_str()]);
    assert_eq!(log.status(&id, 50), MemoryStatus::Superseded);
    // After its end the same content is another memory.
    let later = log.promoted(&text("prefers e-mail"), 400);
    assert_ne!(later, id);
    let bad = proposal(json!({ "text": "x", "class": "gossip" }));
    assert_eq!(log.propose(&bad, &rules(), 401).events.len(), 2);
    assert_eq!(log.propose(&bad, &rules(), 402).events, []);
}

#[test]
fn who_may_review() {
    let mut log = Log::default();
    let id = log.propose(&doubtful("prefers e-mail"), &rules(), 0).memory_id;
    let own = |allowed| ("agent", ReviewRole::Data, allowed);
    refused(log.review_as(&id, true, own(SelfReview::Refused), 1), "D2206");
    let events = log.review_as(&id, true, own(SelfReview::Allowed), 1).unwrap();
    assert!(matches!(&events[..], [MemoryEvent::MemoryReviewed { self_review: true, .. }]));
    let mut allowing = rules();
    allowing.pii_write_back_allowed = true;
    let personal = proposal(json!({ "text": "is called Jane", "personal_data": true, "consent": "consent:1" }));
    let id = log.propose(&personal, &allowing, 2).memory_id;
    let as_security = ("ann", ReviewRole::Security, SelfReview::Refused);
    refused(log.review_as(&id, true, as_security, 3), "D2209");
    log.review_as(&id, false, as_security, 3).unwrap();
    assert_eq!(log.status(&id, 3), MemoryStatus::Rejected);
    refused(log.review(&id, true, 4), "D2204");
    refused(log.promote(&id, 4), "D2204");
}

#[test]
fn what_was_revoked_returns_in_no_spelling() {
    let spellings =
        ["likes cafe\u{301}", "Likes\u{200b} café", "likes  café.", "ＬＩＫＥＳ café", "likes\u{a0}café\u{2060}!"];
    for spelling in spellings {
        let mut log = Log::default();
        let id = log.promoted(&text("Likes café"), 0);
        log.revoke(&id, 1).unwrap();
        let again = log.propose(&text(spelling), &rules(), 2);
        let reasons: Vec<_> = again.rejected.iter().map(|r| r.as_str()).collect();
        assert_eq!(reasons, ["revoked_before"], "{spelling:?}");
    }
    let mut log = Log::default();
    let id = log.promoted(&text("Likes café"), 0);
    log.revoke(&id, 1).unwrap();
    assert!(log.propose(&text("Likes tea"), &rules(), 2).rejected.is_empty());
}

#[test]
fn a_fact_contradicts_another_in_every_spelling_of_its_name() {
    let first = fact(json!("de"), json!({ "entity": "customer:1", "predicate": "mail_language" }));
    let spellings = [
        ("customer:1", "mail-language"),
        ("customer:1", "mail\u{2010}language"),
        ("customer:1", "mail\u{2212}language"),
        ("Customer:1", "mail_language "),
        ("customer: 1", "Mail Language"),
        ("customer:1\u{200b}", "mailLanguage"),
    ];
    for (entity, predicate) in spellings {
        let mut log = Log::default();
        let german = log.promoted(&first, 0);
        let other = fact(json!("fr"), json!({ "entity": entity, "predicate": predicate }));
        let other = log.propose(&other, &rules(), 1).memory_id;
        assert_eq!(log.state.get(&other).unwrap().contradicts, [german.as_str()], "{entity:?} {predicate:?}");
        // The same value in another spelling is no contradiction.
        let same = fact(json!(" DE"), json!({ "entity": entity, "predicate": predicate }));
        let same = log.propose(&same, &rules(), 2).memory_id;
        assert!(log.state.get(&same).unwrap().contradicts.is_empty(), "{entity:?} {predicate:?}");
    }
    let mut log = Log::default();
    log.promoted(&first, 0);
    let unrelated = fact(json!("fr"), json!({ "entity": "customer:11", "predicate": "mail_language" }));
    let unrelated = log.propose(&unrelated, &rules(), 1).memory_id;
    assert!(log.state.get(&unrelated).unwrap().contradicts.is_empty());
}

#[test]
fn the_log_decides_about_its_memories_in_a_list() {
    let mut log = Log::default();
    let item = |id: &str, words: &str| MemoryItem {
        id: id.to_owned(),
        tenant_id: Some("acme".to_owned()),
        subject: Some("customer:1".to_owned()),
        text: Some(words.to_owned()),
        ..MemoryItem::default()
    };
    let stands = log.promoted(&text("prefers e-mail"), 0);
    let waits = log.propose(&doubtful("calls on Mondays"), &rules(), 0).memory_id;
    let gone = log.promoted(&text("likes tea"), 0);
    log.revoke(&gone, 1).unwrap();
    let found = |item: &MemoryItem| withdrawn(&log.state, item, at(2));
    assert_eq!(found(&item(&stands, "prefers e-mail")), None);
    assert_eq!(found(&item("mem_elsewhere", "prefers letters")), None);
    assert_eq!(found(&item(&waits, "anything")), Some(Withdrawal::NotPromoted(MemoryStatus::InReview)));
    assert_eq!(found(&item(&gone, "anything")), Some(Withdrawal::Revoked));
    assert_eq!(found(&item("mem_elsewhere", "Likes TEA.")), Some(Withdrawal::Revoked));
}
