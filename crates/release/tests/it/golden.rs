//! Golden cases that prove less than those of the base, and corrections that a candidate does not meet.

use crate::common::{bundle, checked, edited, errors, recorded_as, tried};
use deed_context::{GoldenRunner, RecordingOrigin, accepted, examine};
use deed_model::{CompileOutcome, Correction, GoldenExpectation, ReplayBundle, SourceKind};
use deed_pack::{Bundle, GoldenCaseRunner as _};
use deed_release::Release;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The codes of golden findings about a candidate whose case expects something else.
fn found(case: &'static str, edit: impl Fn(&mut Value)) -> Vec<String> {
    let base = bundle("packs/support");
    let candidate = edited(&base, |_, golden| {
        let (_, case) = golden.iter_mut().find(|(name, _)| name == case).unwrap();
        edit(&mut case["expect"]);
    });
    let release = Release::of((&candidate, &[]), Some((&base, &[]))).unwrap();
    let found = tried(&release, &[]).regressions;
    found.iter().filter(|r| r.metric.as_str() == "golden").map(|r| r.diagnostic.message.clone()).collect()
}

#[test]
fn a_case_that_was_gutted_is_found() {
    let base = bundle("packs/support");
    let mut gutted = 0;
    for case in &base.golden {
        let stem = case.source().name().rsplit('/').next().unwrap().trim_end_matches(".yaml").to_owned();
        for (name, value) in case.value()["expect"].as_object().unwrap() {
            let empty = match value {
                Value::Object(members) if !members.is_empty() => json!({}),
                Value::Array(_) if name.starts_with("prompt_") => json!([]),
                _ => continue,
            };
            if ["redactions", "dropped"].contains(&name.as_str()) {
                // Exhaustive: an empty one states something else, which the replay gate refuses.
                continue;
            }
            let stem: &'static str = Box::leak(stem.clone().into_boxed_str());
            let messages = found(stem, |expect| expect[name.as_str()] = empty.clone());
            assert!(messages.iter().any(|m| m.contains("no longer states")), "{stem} {name} {messages:?}");
            gutted += 1;
        }
    }
    assert!(gutted >= 12, "{gutted}");
}

#[test]
fn a_case_that_still_implies_what_it_stated_is_not_weaker() {
    assert_eq!(found("10_redaction", |expect| expect["prompt_lacks"] = json!(["4111", "ABCPK"])), Vec::<String>::new());
    let longer = "Please do not send card numbers here.";
    assert_eq!(
        found("10_redaction", |expect| expect["prompt_has"].as_array_mut().unwrap().push(json!(longer))),
        Vec::<String>::new()
    );
    assert!(!found("10_redaction", |expect| expect["prompt_lacks"] = json!(["4111 1111 1111", "ABCPK"])).is_empty());
    assert!(!found("01_allow", |expect| drop(expect.as_object_mut().unwrap().remove("tools"))).is_empty());
}

/// A gate that only a call decides, and a case that states calls.
fn by_call(limit: u64, expect: &'static str) -> Bundle {
    edited(&bundle("packs/support"), |pack, golden| {
        let over = json!({ ">": [{ "var": "call.arguments.amount_inr" }, limit] });
        pack["policy_layer"]["approval_gates"][0]["when"] = over;
        let bounds = &mut pack["tooling_layer"]["permissions"][2]["arg_constraints"]["amount_inr"];
        *bounds = json!({ "required": true, "min": 1, "max": 50_000 });
        golden.retain(|(name, _)| name == "01_allow");
        let call = |amount: u64, expect: &str| {
            json!({
                "tool": "adp_payments.issue_refund", "expect": expect,
                "arguments": { "amount_inr": amount, "idempotency_key": "key-1" },
            })
        };
        golden[0].1["expect"] = json!({ "outcome": "compiled", "calls": [call(1200, "allow"), call(42_000, expect), call(60_000, "deny")] });
    })
}

#[test]
fn a_case_states_calls_and_they_are_decided() {
    let errors_of = |pack: &Bundle| {
        let found = GoldenRunner.run(pack, &pack.typed().unwrap());
        errors(&found)
            .map(|d| (d.place.as_ref().unwrap().pointer.clone().unwrap(), d.message.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(errors_of(&by_call(3000, "needs_approval")), []);
    let open = errors_of(&by_call(49_999, "needs_approval"));
    let message = "expected the call of `adp_payments.issue_refund` to get `needs_approval` and found `allow`";
    assert_eq!(open, [("/expect/calls/1/expect".to_owned(), message.to_owned())]);
    // An author who makes the case pass is stopped all the same.
    let (base, candidate) = (by_call(3000, "needs_approval"), by_call(49_999, "allow"));
    assert_eq!(errors_of(&candidate), []);
    let release = Release::of((&candidate, &[]), Some((&base, &[]))).unwrap();
    let found: BTreeSet<String> =
        tried(&release, &[]).regressions.iter().map(|r| r.diagnostic.code.to_string()).collect();
    assert!(found.contains("D2405") && found.contains("D2413"), "{found:?}");
}

#[test]
fn accepting_a_case_rewrites_the_verdict_of_a_call_alone() {
    let pack = by_call(49_999, "needs_approval");
    let case = examine(&pack, &pack.typed().unwrap(), None).pop().unwrap();
    let verdicts: Vec<&str> = case.expectation.as_ref().unwrap().calls.iter().map(|c| c.expect.as_str()).collect();
    assert_eq!(verdicts, ["allow", "allow", "deny"]);
    let text = accepted(&pack.golden[0], case.expectation.as_ref().unwrap()).unwrap();
    assert!(text.contains("amount_inr") && !text.contains("needs_approval"), "{text}");
}

/// The worked example, with what an operator stated about it: it should have been refused.
fn correction() -> ReplayBundle {
    let expect = GoldenExpectation { outcome: CompileOutcome::MustRefuse, ..GoldenExpectation::default() };
    let correction = Correction {
        at: "2026-05-10T09:00:00Z".to_owned(),
        by: "user:lead".to_owned(),
        expect,
        reason: "the refund was not due".to_owned(),
    };
    let origin = RecordingOrigin { correction: Some(correction), ..RecordingOrigin::default() };
    recorded_as(SourceKind::OperatorCorrection, origin, |_| {})
}

#[test]
fn a_correction_that_is_not_met_fails_the_fifth_line() {
    let pack = bundle("packs/support");
    let archive = [correction()];
    let report = checked(&pack, Some(&pack), &archive, &BTreeSet::new());
    let line = &report.lines[4];
    let codes: Vec<&str> = errors(&line.findings).map(|d| d.code.as_str()).collect();
    assert_eq!(codes, ["D2415"], "{line:?}");
    assert!(line.findings[0].help.as_ref().unwrap().contains("/expect/outcome"), "{line:?}");
    let corrected = edited(&pack, |pack, _| {
        pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][0]["then"] = json!({ "allow": false });
    });
    let report = checked(&corrected, Some(&pack), &archive, &BTreeSet::new());
    assert!(!errors(&report.lines[4].findings).any(|d| d.code.as_str() == "D2415"));
}
