//! Laws: the same inputs give the same bytes, a record comes out the same again, and no part of it can change.

use crate::world::worlds;
use deed_canon::to_canonical;
use deed_decision::is_sealed;
use deed_model::{CriticVerdict, DecisionRecord, DecisionStatus};
use serde_json::{Value, json};

#[test]
fn a_judged_record_comes_out_the_same_again() {
    for world in worlds() {
        for outcome in ["approved", "denied", "escalated", "maybe"] {
            let judged = world.judge(&world.draft(outcome));
            let again = world.recheck(&judged.record);
            assert_eq!(judged, again, "{} {outcome}", world.name);
            let bytes = |judged: &deed_decision::Judged| {
                let both = json!([judged.record, judged.critique]);
                to_canonical(&both).unwrap()
            };
            assert_eq!(bytes(&judged), bytes(&world.judge(&world.draft(outcome))));
            assert!(is_sealed(&judged.record));
        }
    }
}

#[test]
fn the_strictest_finding_is_the_verdict_and_the_status_follows() {
    for world in worlds() {
        for outcome in ["approved", "denied", "escalated", "maybe"] {
            let judged = world.judge(&world.draft(outcome));
            let strictest = judged.critique.findings.iter().map(|finding| finding.verdict).max();
            assert_eq!(judged.critique.verdict, strictest.unwrap_or(CriticVerdict::Accept));
            let status = match judged.critique.verdict {
                CriticVerdict::Accept => DecisionStatus::Accepted,
                CriticVerdict::Replan => DecisionStatus::Returned,
                CriticVerdict::Escalate => DecisionStatus::Escalated,
                CriticVerdict::Reject => DecisionStatus::Rejected,
            };
            assert_eq!(judged.record.status, status);
            let scores = &judged.record.scorecard;
            let (passed, of) = scores.checks.iter().fold((0, 0), |(p, o), s| (p + s.passed, o + s.of));
            assert_eq!(scores.per_mille, passed * 1000 / of);
            assert_eq!(scores.per_mille == 1000, judged.critique.verdict == CriticVerdict::Accept, "{}", world.name);
        }
    }
}

/// The places of all scalars in a value.
fn leaves(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(i, item)| leaves(item, format!("{at}/{i}"), out)),
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            leaves(member, format!("{at}/{name}"), out);
        }),
        _ => out.push(at),
    }
}

#[test]
fn every_single_change_to_a_record_breaks_its_seal() {
    let world = &worlds()[0];
    let record = serde_json::to_value(world.judge(&world.draft("approved")).record).unwrap();
    let mut places = Vec::new();
    leaves(&record, String::new(), &mut places);
    assert!(places.len() > 60, "{}", places.len());
    let mut changed = 0;
    for place in &places {
        let mut other = record.clone();
        let leaf = other.pointer_mut(place).unwrap();
        *leaf = match leaf.take() {
            Value::String(text) => json!(format!("{text}0")),
            Value::Number(number) => json!(number.as_u64().unwrap() + 1),
            Value::Bool(flag) => json!(!flag),
            other => other,
        };
        // What is no record any more cannot pass for one.
        let Ok(typed) = serde_json::from_value::<DecisionRecord>(other) else { continue };
        changed += 1;
        assert!(!is_sealed(&typed), "{place}");
    }
    assert!(changed > 40, "{changed}");
}
