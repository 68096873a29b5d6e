//! What may be recorded, and what is read of it.

use super::fixture::*;
use deed_store::{DecisionLog, Outcome};
use serde_json::json;

#[test]
fn a_decision_is_recorded_once_and_read_as_it_was() {
    let (dir, log) = recorded(2);
    assert_eq!(record(&log, 0).unwrap(), Outcome::AlreadyDone);
    assert_eq!(count(&log), 2);
    let listed = log.list().unwrap();
    assert_eq!(listed.len(), 2);
    let (own, entry) = (case(1), &listed[1].event.decision);
    assert_eq!((entry.record_id.as_str(), entry.record_hash), (own.record.record_id.as_str(), own.record.record_hash));
    assert_eq!((entry.outcome.as_str(), entry.status.as_str()), ("approved", "accepted"));
    let stored = log.load(&own.record.record_id).unwrap().unwrap();
    assert_eq!((stored.case, stored.recording), (own, recording(1)));
    assert_eq!(log.load("dec_0").unwrap(), None);
    assert_clean(&open(dir.path()));
}

#[test]
fn a_folder_without_a_log_has_none() {
    let dir = tempfile::tempdir().unwrap();
    assert!(DecisionLog::open(&dir.path().join("nothing")).unwrap().is_none());
    drop(DecisionLog::create_with(dir.path(), quick()).unwrap());
    let log = open(dir.path());
    assert_eq!(log.head().unwrap(), None);
    assert!(log.list().unwrap().is_empty());
    assert_clean(&log);
}

#[test]
fn what_the_critic_sent_back_is_not_recorded() {
    let (_dir, log) = recorded(0);
    let mut returned = document(0);
    returned["critique"]["verdict"] = json!("replan");
    returned["record"]["status"] = json!("returned");
    fails(log.record(&sealed(returned), &recording(0), &stamp()), "D2113");
    assert_eq!(count(&log), 0);
}

#[test]
fn a_case_that_does_not_agree_with_itself_is_refused() {
    let (_dir, log) = recorded(0);
    let finding = json!({ "check": "policy", "verdict": "reject", "pointer": "", "message": "denied" });
    let mut lenient = document(0);
    lenient["critique"]["findings"] = json!([finding]);
    let mut other_status = document(0);
    other_status["record"]["status"] = json!("rejected");
    let mut other_format = document(0);
    other_format["format"] = json!("deed/decision-case/v2");
    let mut unsealed = case(0);
    unsealed.record.trace_id = None;
    for false_case in [sealed(lenient), sealed(other_status), sealed(other_format), unsealed] {
        fails(log.record(&false_case, &recording(0), &stamp()), "D2123");
    }
    fails(log.record(&case(0), &recording(1), &stamp()), "D2123");
    assert_eq!(count(&log), 0);
}

#[test]
fn an_approval_is_used_by_one_decision() {
    let (_dir, log) = recorded(0);
    log.record(&approved(0), &recording(0), &stamp()).unwrap();
    fails(log.record(&approved(1), &recording(1), &stamp()), "D2116");
    assert_eq!(log.record(&approved(0), &recording(0), &stamp()).unwrap(), Outcome::AlreadyDone);
    assert_eq!(count(&log), 1);
    // A rejected decision uses none up.
    let mut rejected = serde_json::to_value(approved(2)).unwrap();
    rejected["record"]["status"] = json!("rejected");
    rejected["critique"]["verdict"] = json!("reject");
    rejected["critique"]["findings"] =
        json!([{ "check": "policy", "verdict": "reject", "pointer": "", "message": "denied" }]);
    log.record(&sealed(rejected), &recording(2), &stamp()).unwrap();
    assert_eq!(count(&log), 2);
    assert_clean(&log);
}

#[test]
fn a_log_that_cannot_be_written_can_be_read() {
    let (dir, log) = recorded(2);
    drop(log);
    let mut options = quick();
    options.read_only = true;
    let log = DecisionLog::open_with(dir.path(), options).unwrap().unwrap();
    assert_eq!(log.list().unwrap().len(), 2);
    assert_clean(&log);
    fails(record(&log, 2), "D2124");
}
