//! Proposals are data that is judged: they change values where they may, and nothing else.

use super::example::{changes, climb_order, contract, example, fed, order_with, printed, turned_down, verdicts};
use crate::common::Project;
use serde_json::{Value, json};

fn proposals(p: &Project, patch: Value, more: Value) {
    let mut proposal = json!({ "id": "p", "rung": "L2", "patch": patch });
    for (key, value) in more.as_object().unwrap() {
        proposal[key] = value.clone();
    }
    p.write("p.json", json!({ "proposals": [proposal] }).to_string());
}

fn replace(path: &str, value: impl Into<Value>) -> Value {
    json!({ "op": "replace", "path": path, "value": value.into() })
}

fn payed() -> Value {
    order_with(json!({ "status": "payed" }))
}

/// Refused with a reason; the payload is what it is without it, and the proposal stands in the record.
#[track_caller]
fn refused(patch: Value, more: Value, says: &str) {
    let p = example();
    proposals(&p, patch.clone(), more);
    let (out, payload, report) = climb_order(&p, &["--proposals", "p.json"], &payed());
    assert_eq!((payload, out.code, verdicts(&report)), (payed(), 1, vec!["refused".to_owned()]));
    assert_eq!(report["proposals"][0]["proposal"]["patch"], patch);
    let reason = report["proposals"][0]["reason"].as_str().unwrap();
    assert!(reason.contains(says), "{reason}");
    assert!(out.stderr.contains("warning[D1718]: the proposal `p` is refused: "), "{}", out.stderr);
    assert!(changes(&report).is_empty());
}

#[test]
fn a_value_is_put_right() {
    let p = example();
    let test = json!({ "op": "test", "path": "/status", "value": "payed" });
    proposals(&p, json!([test, replace("/status", "paid")]), json!({ "confidence": 900, "reason": "misspelt" }));
    let (_, payload, report) = climb_order(&p, &["--proposals", "p.json"], &payed());
    assert_eq!((&payload["status"], verdicts(&report)), (&json!("paid"), vec!["applied".to_owned()]));
    let change = &report["changes"][0];
    assert_eq!((&change["rung"], &change["rule"], &change["confidence"]), (&json!("L2"), &json!("p"), &json!(900)));
    assert_eq!((&change["why"], &change["inverse"]), (&json!("misspelt"), &json!([replace("/status", "payed")])));
}

#[test]
fn what_took_understanding() {
    let p = example();
    let two = order_with(json!({ "lines": [{ "sku": "TEA-001", "quantity": "two", "price_cents": 650 }] }));
    proposals(&p, json!([replace("/lines/0/quantity", 2)]), json!({ "rung": "L6" }));
    let (_, _, report) = climb_order(&p, &["--proposals", "p.json"], &two);
    assert_eq!((&report["outcome"], changes(&report)), (&json!("accepted"), vec!["L6 p".to_owned()]));
    // It is judged anew: a value that the schema allows can still break a rule.
    proposals(&p, json!([replace("/lines/0/quantity", 3)]), json!({ "rung": "L6" }));
    let (out, _, report) = climb_order(&p, &["--proposals", "p.json"], &two);
    assert_eq!(verdicts(&report), ["applied"]);
    assert!(out.code == 1 && out.stderr.contains("the total is not the sum of the lines"), "{}", out.stderr);
}

#[test]
fn guardrails() {
    refused(json!([replace("/order_id", "SO-000002")]), json!({}), "`/order_id` is guarded");
    refused(json!([replace("/lines/0/sku", "TEA-002")]), json!({}), "`/lines/0/sku` is guarded");
    refused(json!([replace("/status", "paid")]), json!({ "confidence": 799 }), "its confidence is 799, below 800");
    refused(json!(vec![replace("/status", "paid"); 5]), json!({}), "it has 5 operations, more than 4");
}

#[test]
fn structure_is_never_touched() {
    let says = "changes structure, and only values may be changed";
    refused(json!([{ "op": "remove", "path": "/status" }]), json!({}), says);
    refused(json!([{ "op": "add", "path": "/status", "value": "paid" }]), json!({}), says);
    refused(json!([{ "op": "move", "from": "/carrier", "path": "/status" }]), json!({}), says);
    refused(json!([{ "op": "copy", "from": "/carrier", "path": "/status" }]), json!({}), says);
    refused(json!([replace("/status", json!(["paid"]))]), json!({}), "would change structure");
    refused(json!([replace("/nowhere", "paid")]), json!({}), "there is no `/nowhere`");
}

#[test]
fn what_makes_nothing_better() {
    refused(json!([replace("/status", "bezahlt")]), json!({}), "the schema does not allow it");
    refused(json!([]), json!({}), "it has neither a patch nor a finding");
    refused(json!([{ "op": "test", "path": "/status", "value": "payed" }]), json!({}), "it changes nothing");
    let test = json!({ "op": "test", "path": "/status", "value": "open" });
    refused(json!([test, replace("/status", "paid")]), json!({}), "is not what it was held to");
    // One bad operation, and none is applied.
    refused(
        json!([replace("/status", "paid"), replace("/ship_by", "soon")]),
        json!({}),
        "the schema does not allow it",
    );
}

/// A contract that says nothing of patches allows those that its schema allows.
#[test]
fn without_guardrails_the_schema_decides() {
    let p = contract("{ properties: { status: { enum: [open, paid] } } }", "");
    proposals(&p, json!([replace("/status", "paid")]), json!({}));
    let args = ["ladder", "climb", "--contract", "c.yaml", "--proposals", "p.json", "-"];
    let out = fed(&p, &args, r#"{"status": "payed"}"#);
    let (payload, report) = printed(&out);
    assert_eq!(
        (payload, verdicts(&report)),
        (json!({ "status": "paid" }), vec!["applied".to_owned()]),
        "{}",
        out.stderr
    );
}

/// The record holds the proposals, so that a second climb with them needs no model.
#[test]
fn a_replay_needs_no_model() {
    let p = example();
    let args = ["ladder", "climb", "--contract", "order.contract.yaml", "--proposals"];
    let first = p.ok(&[&args[..], &["proposals.json", "answer.txt"]].concat());
    let (_, report) = printed(&first);
    let frozen: Vec<&Value> = report["proposals"].as_array().unwrap().iter().map(|r| &r["proposal"]).collect();
    p.write("frozen.json", json!({ "proposals": frozen }).to_string());
    assert_eq!(p.ok(&[&args[..], &["frozen.json", "answer.txt"]].concat()).stdout, first.stdout);
}

/// Proposals are never passed over in silence.
#[test]
fn for_a_rung_that_takes_none() {
    let p = example();
    for (rung, options) in [("L4", &[][..]), ("L6", &["--phase", "ingestion"])] {
        proposals(&p, json!([replace("/status", "paid")]), json!({ "rung": rung }));
        let out = fed(
            &p,
            &[&["ladder", "climb", "--contract", "order.contract.yaml", "--proposals", "p.json"], options, &["-"]]
                .concat(),
            payed().to_string(),
        );
        let told = out.stderr.contains("p.json") || out.stdout.contains("\"verdict\": \"refused\"");
        assert!(out.code == 1 && told, "{rung}: exit {}\n{}", out.code, out.stderr);
    }
}

#[test]
fn in_yaml() {
    let p = example();
    p.write("p.yaml", "proposals:\n  - { id: p, rung: L2, patch: [{ op: replace, path: /status, value: paid }] }\n");
    let (_, payload, _) = climb_order(&p, &["--proposals", "p.yaml"], &payed());
    assert_eq!(payload["status"], "paid");
}

#[test]
fn files_that_hold_none() {
    let p = example();
    p.write("empty.json", "");
    p.write("broken.json", "{\"proposals\": [");
    p.write("list.json", "[]");
    p.write("keys.json", r#"{"proposal": []}"#);
    let one = |proposal: &str| format!(r#"{{"proposals": [{proposal}]}}"#);
    p.write("rung.json", one(r#"{"id": "p", "rung": "L9", "patch": []}"#));
    p.write("id.json", one(r#"{"rung": "L2", "patch": []}"#));
    p.write("op.json", one(r#"{"id": "p", "rung": "L2", "patch": [{"op": "replac", "path": "/a", "value": 1}]}"#));
    p.write("sure.json", one(r#"{"id": "p", "rung": "L2", "confidense": 1, "patch": []}"#));
    p.write("wide.json", one(r#"{"id": "p", "rung": "L2", "confidence": 70000, "patch": []}"#));
    for (file, exit, code, says) in [
        ("empty.json", 1, "D0103", "empty.json"),
        ("broken.json", 1, "D0103", "broken.json"),
        ("list.json", 1, "D0204", "must be an object"),
        ("keys.json", 1, "D0203", "did you mean `proposals`?"),
        ("rung.json", 1, "D0206", "`L9` is not allowed here"),
        ("id.json", 1, "D0205", "`id` is missing"),
        ("op.json", 1, "D0206", "`replac` is not allowed here"),
        ("sure.json", 1, "D0203", "did you mean `confidence`?"),
        ("wide.json", 1, "D0207", "70000"),
        ("nowhere.json", 3, "D0001", "nowhere.json"),
    ] {
        let args = ["climb", "--contract", "order.contract.yaml", "--proposals", file, "answer.txt"];
        turned_down(&p, &args, exit, code, says);
    }
}
