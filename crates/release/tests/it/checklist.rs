//! The checklist over the packs of the repository.

use crate::common::{blessed, bundle, checked, edited, errors, recorded, shown, tried};
use deed_release::{EvaluatorVerdict, LineState, Release};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn the_packs_of_the_repository_pass() {
    for folder in ["packs/support", "packs/grid"] {
        let pack = bundle(folder);
        let report = checked(&pack, None, &[], &BTreeSet::new());
        let lines = shown(&report);
        assert!(report.passed, "{folder} {lines:#?} {:#?}", report.findings().collect::<Vec<_>>());
        let state = |n: usize| report.lines[n].state;
        assert_eq!((state(4), state(6)), (LineState::NotRun, LineState::NotRun), "{lines:#?}");
        assert!(report.lines.iter().all(|line| line.state != LineState::NotRun || line.note.is_some()));
        assert_eq!(report.lines.len(), 8);
    }
}

#[test]
fn what_compiles_cannot_tell_is_not_judged_and_says_so() {
    let report = checked(&bundle("packs/support"), None, &[], &BTreeSet::new());
    let verdict = |name: &str| {
        let judged = report.evaluators.iter().find(|e| e.metric.as_str() == name).unwrap();
        assert!(!judged.basis.is_empty());
        judged.verdict
    };
    for name in ["policy", "safety", "utility"] {
        assert_eq!(verdict(name), EvaluatorVerdict::Met, "{name}");
    }
    for name in ["latency_p99_ms", "economics_cents_per_decision"] {
        assert_eq!(verdict(name), EvaluatorVerdict::NotJudged, "{name}");
    }
}

#[test]
fn recordings_are_replayed_and_a_refused_one_fails_the_line() {
    let base = bundle("packs/support");
    let incident = recorded(|_| {});
    let same = checked(&base, None, std::slice::from_ref(&incident), &BTreeSet::new());
    assert_eq!(shown(&same)[4], "5 replay passed");
    // The candidate no longer handles the intent.
    let renamed = edited(&base, |pack, golden| {
        pack["evaluation_layer"]["eval_targets"][0]["intent"] = json!("support.exchange");
        golden.clear();
    });
    let report = checked(&renamed, Some(&base), &[incident], &BTreeSet::new());
    assert_eq!(shown(&report)[4], "5 replay failed D1536");
    assert!(shown(&report)[3].starts_with("4 golden failed"), "{:#?}", shown(&report));
}

#[test]
fn recordings_of_another_pack_are_left_out() {
    let grid = bundle("packs/grid");
    let report = checked(&grid, None, &[recorded(|_| {})], &BTreeSet::new());
    let line = &report.lines[4];
    assert_eq!(line.state, LineState::NotRun);
    assert!(line.note.as_ref().unwrap().contains("1 recording of other packs"), "{line:?}");
}

#[test]
fn an_intent_without_a_stated_surface_fails() {
    let pack = edited(&bundle("packs/support"), |_, golden| {
        for (_, case) in golden {
            case["expect"].as_object_mut().unwrap().remove("tools");
        }
    });
    let report = checked(&pack, None, &[], &BTreeSet::new());
    let codes: Vec<&str> = errors(&report.lines[2].findings).map(|d| d.code.as_str()).collect();
    assert_eq!(codes, ["D2401"]);
    let place = errors(&report.lines[2].findings).next().unwrap().place.as_ref().unwrap();
    assert_eq!(place.pointer.as_deref(), Some("/evaluation_layer/eval_targets/0/intent"));
    assert!(place.span.is_some());
}

#[test]
fn a_pack_without_golden_cases_fails() {
    let pack = edited(&bundle("packs/support"), |_, golden| golden.clear());
    assert!(shown(&checked(&pack, None, &[], &BTreeSet::new()))[3].contains("D2411"));
}

#[test]
fn a_document_that_is_not_a_pack_fails_the_first_line_alone() {
    let pack = edited(&bundle("packs/support"), |pack, _| {
        pack.as_object_mut().unwrap().remove("decision_layer");
    });
    let report = checked(&pack, None, &[], &BTreeSet::new());
    assert_eq!(report.lines[0].state, LineState::Failed);
    assert!(report.lines[1..].iter().all(|line| line.state == LineState::NotRun), "{:#?}", shown(&report));
}

#[test]
fn an_accepted_finding_is_a_note_and_no_other_is_covered() {
    let base = bundle("packs/support");
    let raised = |limit: u64| {
        blessed(&edited(&base, |pack, _| {
            pack["policy_layer"]["approval_gates"][0]["when"][">"][1] = json!(limit);
            pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][1]["if"]["and"][1][">"][1] = json!(limit);
        }))
    };
    let found = |candidate| {
        let release = Release::of((candidate, &[]), Some((&base, &[]))).unwrap();
        tried(&release, &[]).regressions.iter().map(|r| r.finding).collect::<BTreeSet<_>>()
    };
    let (first, second) = (raised(9000), raised(9001));
    let accepted = found(&first);
    assert!(!accepted.is_empty());
    let report = checked(&first, Some(&base), &[], &accepted);
    assert!(report.passed, "{:#?}", shown(&report));
    assert!(report.findings().any(|d| d.code.as_str() == "D2409"));
    // The same requests change in the same way, and it is another document.
    assert!(found(&second).is_disjoint(&accepted));
    assert!(!checked(&second, Some(&base), &[], &accepted).passed);
}
