//! The mode of each rung: by phase, by contract, and with which consequence.

use super::example::{changes, climb, climb_order, contract, example, findings, order_with, rungs, verdicts};
use serde_json::json;

const SCHEMA: &str = "{ additionalProperties: false, properties: { start: { type: string }, n: { type: integer } } }";

/// A wrong sum is refused wherever the domain rules block, and told where they report.
#[test]
fn phases() {
    let p = example();
    let wrong = order_with(json!({ "total_cents": 1 }));
    for (phase, code, finding) in [
        ("ingestion", 0, "L5 D1740 "),
        ("planner_candidate", 1, "L5 D1740 !"),
        ("compiled_plan", 1, "L5 D1740 !"),
        ("step_input", 1, "L5 D1740 !"),
        ("step_output", 1, "L5 D1740 !"),
        ("final_output", 1, "L5 D1740 !"),
    ] {
        let (out, _, report) = climb_order(&p, &["--phase", phase], &wrong);
        assert_eq!((out.code, findings(&report)), (code, vec![finding.to_owned()]), "{phase}");
        assert_eq!(report["phase"], phase);
        let severity = if code == 0 { "warning[D1740]" } else { "error[D1740]" };
        assert!(out.stderr.contains(severity), "{}", out.stderr);
    }
    let (_, _, report) = climb_order(&p, &[], &wrong);
    assert_eq!(report["phase"], "step_output", "where nothing is said");
}

/// In mode `report` a change is a suggestion, and the payload is as it was.
#[test]
fn a_rung_that_reports() {
    let p = contract(SCHEMA, "synonyms: [{ from: [begin], to: start }]\nmodes: { L0b: report, L4: report }");
    let (_, payload, report) = climb(&p, r#"{"begin": "x"}"#);
    assert_eq!((payload, changes(&report)), (json!({ "begin": "x" }), vec![]));
    assert_eq!(report["suggestions"][0]["rule"], "begin→start");
    assert_eq!((&report["outcome"], findings(&report)), (&json!("accepted"), vec!["L4 D1731 /begin".to_owned()]));
}

#[test]
fn a_proposal_where_patches_report() {
    let p = example();
    let (_, payload, report) = climb_order(
        &p,
        &["--phase", "final_output", "--proposals", "proposals.json"],
        &order_with(json!({ "status": "payed" })),
    );
    assert_eq!((&payload["status"], verdicts(&report)), (&json!("payed"), vec!["suggested".to_owned()]));
    assert_eq!(report["suggestions"][0]["rule"], "status-spelling");
}

#[test]
fn a_rung_that_is_off() {
    let p = contract(SCHEMA, "modes: { L0c: 'off', L4: 'off' }");
    let (_, payload, report) = climb(&p, r#"{"n": "1"}"#);
    assert_eq!((payload, &report["outcome"]), (json!({ "n": "1" }), &json!("accepted")));
    let off: Vec<String> = rungs(&report).into_iter().filter(|rung| rung.ends_with(" off")).collect();
    assert_eq!(off, ["L0c off", "L4 off"]);
}

/// A phase has the last word over the contract's own modes.
#[test]
fn a_phase_wins() {
    let p = contract(SCHEMA, "modes: { L0c: 'off' }\nphases: { step_output: { L0c: block } }");
    let (_, payload, _) = climb(&p, r#"{"n": "1"}"#);
    assert_eq!(payload, json!({ "n": 1 }));
}

/// Reading cannot be left out: where text may not be repaired, only JSON is read.
#[test]
fn text_that_may_not_be_repaired() {
    for mode in ["report", "off"] {
        let p = contract(SCHEMA, &format!("modes: {{ L0: '{mode}' }}"));
        let (out, payload, _) = climb(&p, "{'n': 1}");
        assert_eq!((out.code, payload), (1, json!(null)));
        assert!(out.stderr.contains("[D1704]: the text is no JSON, and would have to be repaired"), "{}", out.stderr);
        let (_, payload, _) = climb(&p, r#"{"n": 1}"#);
        assert_eq!(payload, json!({ "n": 1 }));
    }
}

#[test]
fn a_guard_that_reports() {
    let p = contract("{}", "guard: { personal: [credit_card] }\nmodes: { L3: report }");
    let (out, payload, report) = climb(&p, r#"{"note": "4111 1111 1111 1111"}"#);
    assert_eq!((out.code, findings(&report)), (0, vec!["L3 D1702 /note".to_owned()]));
    assert_eq!(payload, json!({ "note": "4111 1111 1111 1111" }), "it passes, and that is said");
    assert!(!out.stderr.contains("4111"), "{}", out.stderr);
}

#[test]
fn after_the_guard_nothing_is_reached() {
    let p = contract("{}", "guard: { personal: [credit_card] }");
    let (_, payload, report) = climb(&p, r#"{"note": "4111 1111 1111 1111"}"#);
    assert_eq!(payload, json!(null));
    let rungs = rungs(&report);
    assert_eq!(rungs[0], "L3 stopped");
    assert!(rungs.iter().skip(1).all(|rung| rung.ends_with(" not_reached")), "{rungs:?}");
    assert_eq!(report.get("output_hash"), None);
}

#[test]
fn budgets() {
    let rest = "synonyms: [{ from: [begin], to: start }]\nedit_budget: ";
    let two = r#"{"begin": "x", "n": "1"}"#;
    for (budget, expected) in [
        ("{ most_changes: 2 }", vec![]),
        ("{ most_changes: 1 }", vec!["2 changes were needed"]),
        ("{ most_changes: 9, by_rung: { L0b: 1, L0c: 1 } }", vec![]),
        ("{ most_changes: 9, by_rung: { L0b: 0 } }", vec!["1 changes of L0b were needed"]),
        ("{ most_changes: 0, by_rung: { L0c: 0 } }", vec!["2 changes were needed", "1 changes of L0c were needed"]),
    ] {
        let p = contract(SCHEMA, &format!("{rest}{budget}"));
        let (out, _, report) = climb(&p, two);
        assert_eq!(out.stderr.matches("[D1750]").count(), expected.len(), "{budget}\n{}", out.stderr);
        assert!(expected.iter().all(|says| out.stderr.contains(says)), "{budget}\n{}", out.stderr);
        assert_eq!(report["budget"]["exceeded"], !expected.is_empty());
    }
    // Of repairs of the text each kind counts once.
    let p = contract(SCHEMA, "edit_budget: { most_changes: 1 }");
    let (_, _, report) = climb(&p, "{'start': 'x', 'n': 1}");
    assert_eq!((&report["outcome"], &report["budget"]["changes"]), (&json!("accepted"), &json!(1)));
}
