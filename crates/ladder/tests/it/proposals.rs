//! Proposals: data that is judged, frozen with its verdict, and replayed without whoever made it.

use deed_ladder::{Climbed, Input, Ladder, Proposer, climb, frozen, redo, undo};
use deed_model::{
    LadderContract, LadderFinding, LadderOutcome, PatchOp, Phase, Proposal, ProposalVerdict, Proposals, Rung,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::cell::RefCell;

fn ladder(extra: Value) -> Ladder {
    let mut contract = json!({
        "contract": "order",
        "schema": {
            "type": "object",
            "properties": {
                "id": { "type": "integer" },
                "status": { "enum": ["open", "closed"] },
                "total": { "type": "number", "minimum": 0 },
                "lines": { "type": "array", "items": {
                    "type": "object", "properties": { "price": { "type": "number" } }, "required": ["price"],
                } },
            },
            "required": ["id", "status", "total"],
            "additionalProperties": false,
        },
        "patch": { "deny": ["/id"] },
    });
    contract.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    Ladder::new(serde_json::from_value(contract).unwrap()).unwrap()
}

fn order() -> Value {
    json!({ "id": 7, "status": "open", "total": 12, "lines": [{ "price": 4 }, { "price": 8 }] })
}

fn replace(path: &str, value: Value) -> PatchOp {
    PatchOp::Replace { path: path.to_owned(), value: value.into() }
}

fn proposal(id: &str, rung: Rung, patch: Vec<PatchOp>) -> Proposal {
    Proposal {
        id: id.to_owned(),
        rung,
        patch,
        finding: None,
        confidence: 900,
        reason: "because".to_owned(),
        concealed: false,
    }
}

/// Whoever is asked writes down what it was shown.
struct Asked {
    seen: RefCell<Vec<(Rung, Value, Vec<String>)>>,
    answer: Vec<Proposal>,
}

impl Proposer for Asked {
    fn propose(&self, rung: Rung, payload: &Value, findings: &[LadderFinding]) -> Vec<Proposal> {
        let codes = findings.iter().map(|finding| finding.code.clone()).collect();
        self.seen.borrow_mut().push((rung, payload.clone(), codes));
        self.answer.iter().filter(|proposal| proposal.rung == rung).cloned().collect()
    }
}

#[test]
fn a_proposer_is_asked_once_for_each_rung_with_what_was_found() {
    let answer = vec![proposal("p", Rung::L2, vec![replace("/total", json!(13))])];
    let asked = Asked { seen: RefCell::default(), answer };
    let mut wrong = order();
    wrong["status"] = json!("gone");
    climb(&ladder(json!({})), Input::Value(&wrong), Phase::Ingestion, &asked);
    let seen = asked.seen.into_inner();
    assert_eq!(seen.len(), 2);
    assert_eq!((seen[0].0, &seen[0].1), (Rung::L2, &wrong));
    let mut after = wrong;
    after["total"] = json!(13);
    assert_eq!((seen[1].0, &seen[1].1, &seen[1].2), (Rung::L6, &after, &vec!["D1733".to_owned()]));
}

#[test]
fn nobody_is_asked_about_what_was_stopped() {
    let asked = Asked { seen: RefCell::default(), answer: Vec::new() };
    climb(&ladder(json!({})), Input::Text("no json here"), Phase::Ingestion, &asked);
    assert!(asked.seen.into_inner().is_empty());
}

#[test]
fn nobody_is_shown_what_the_guard_stopped() {
    let sample = deed_detect::sample("stripe-key", 3).unwrap();
    let asked = Asked { seen: RefCell::default(), answer: Vec::new() };
    let payload = json!({ "id": 7, "note": sample.text });
    climb(&ladder(json!({})), Input::Value(&payload), Phase::Ingestion, &asked);
    let seen = asked.seen.into_inner();
    assert!(seen.iter().all(|(_, shown, _)| !shown.to_string().contains(&sample.text)), "{seen:?}");
}

#[test]
fn a_proposer_that_answers_otherwise_next_time_is_not_needed() {
    let answer = vec![
        proposal("good", Rung::L2, vec![replace("/total", json!(13))]),
        proposal("bad", Rung::L2, vec![replace("/id", json!(8))]),
        proposal("late", Rung::L6, vec![replace("/lines/1/price", json!(9))]),
    ];
    let asked = Asked { seen: RefCell::default(), answer };
    let ladder = ladder(json!({}));
    let first = climb(&ladder, Input::Value(&order()), Phase::Ingestion, &asked);
    let again = climb(&ladder, Input::Value(&order()), Phase::Ingestion, &frozen(&first.report));
    assert_eq!(again, first);
    let redone = redo(&first.report, &order()).unwrap();
    assert_eq!(Some(&redone), first.payload.as_ref());
    assert_eq!(undo(&first.report, &redone).unwrap(), order());
    let verdicts: Vec<ProposalVerdict> = first.report.proposals.iter().map(|record| record.verdict).collect();
    assert_eq!(verdicts, [ProposalVerdict::Applied, ProposalVerdict::Refused, ProposalVerdict::Applied]);
    let change = &first.report.changes[0];
    assert_eq!((change.rung, change.rule.as_str(), change.confidence), (Rung::L2, "good", 900));
    assert_eq!(change.why, "because");
}

#[track_caller]
fn refused(patch: Vec<PatchOp>, why: &str) {
    for rung in [Rung::L2, Rung::L6] {
        let proposals = Proposals { proposals: vec![proposal("p", rung, patch.clone())] };
        let Climbed { payload, report } =
            climb(&ladder(json!({})), Input::Value(&order()), Phase::Ingestion, &proposals);
        assert_eq!((payload, report.outcome), (Some(order()), LadderOutcome::Accepted));
        let [record] = report.proposals.as_slice() else { panic!("{:?}", report.proposals) };
        assert_eq!(record.verdict, ProposalVerdict::Refused);
        assert!(record.reason.starts_with(why), "{}", record.reason);
        assert_eq!(report.findings[0].code, "D1718");
        assert!(report.findings[0].message.contains("`p`") && !report.findings[0].blocks);
    }
}

#[test]
fn a_refusal_says_why() {
    let structure = "would change structure, and only values may be changed";
    refused(vec![], "it has neither a patch nor a finding");
    refused(vec![replace("/id", json!(8))], "`/id` is guarded");
    refused(vec![replace("/gone", json!(8))], "there is no `/gone`");
    refused(vec![replace("/lines/2/price", json!(8))], "there is no `/lines/2/price`");
    refused(vec![replace("id", json!(8))], "`id` is no JSON pointer");
    refused(vec![replace("/lines", json!(1))], &format!("`/lines` {structure}"));
    refused(vec![replace("/total", json!([1]))], &format!("`/total` {structure}"));
    refused(vec![replace("/total", json!({}))], &format!("`/total` {structure}"));
    refused(
        vec![PatchOp::Remove { path: "/total".to_owned() }],
        "`remove` changes structure, and only values may be changed",
    );
    let add = PatchOp::Add { path: "/total".to_owned(), value: json!(1) };
    refused(vec![add], "`add` changes structure, and only values may be changed");
    let stale = PatchOp::Test { path: "/total".to_owned(), value: json!(11) };
    refused(vec![stale, replace("/total", json!(13))], "`/total` is not what it was held to");
    let many = (0..17).map(|n| replace("/total", json!(n))).collect();
    refused(many, "it has 17 operations");
}

#[test]
fn a_proposal_that_the_schema_refuses_says_what_is_wrong() {
    let proposals = Proposals { proposals: vec![proposal("p", Rung::L2, vec![replace("/total", json!(-1))])] };
    let report = climb(&ladder(json!({})), Input::Value(&order()), Phase::Ingestion, &proposals).report;
    assert!(report.proposals[0].reason.starts_with("the schema does not allow it: "), "{:?}", report.proposals);
}

#[test]
fn one_of_several_faults_may_be_mended_at_a_time() {
    let wrong = json!({ "id": 7, "status": "gone", "total": -5 });
    let proposals = Proposals {
        proposals: vec![
            proposal("one", Rung::L2, vec![replace("/status", json!("closed"))]),
            proposal("two", Rung::L6, vec![replace("/total", json!(5))]),
        ],
    };
    let Climbed { payload, report } = climb(&ladder(json!({})), Input::Value(&wrong), Phase::Ingestion, &proposals);
    assert_eq!(payload, Some(json!({ "id": 7, "status": "closed", "total": 5 })));
    assert_eq!(report.outcome, LadderOutcome::Accepted, "{:?}", report.findings);
}

#[test]
fn one_of_several_faults_within_a_union_may_be_mended_at_a_time() {
    let variant = |kind: &str| {
        json!({
            "type": "object",
            "properties": { "kind": { "const": kind }, "n": { "type": "number" }, "m": { "type": "number" } },
            "required": ["kind", "n", "m"],
        })
    };
    let schema = json!({ "type": "object", "properties": { "x": { "oneOf": [variant("a"), variant("b")] } } });
    let ladder = ladder(json!({ "schema": schema, "patch": {} }));
    let wrong = json!({ "x": { "kind": "a", "n": "one", "m": "two" } });
    let proposals = Proposals {
        proposals: vec![
            proposal("n", Rung::L2, vec![replace("/x/n", json!(1))]),
            proposal("m", Rung::L2, vec![replace("/x/m", json!(2))]),
        ],
    };
    let Climbed { payload, report } = climb(&ladder, Input::Value(&wrong), Phase::Ingestion, &proposals);
    assert_eq!(payload, Some(json!({ "x": { "kind": "a", "n": 1, "m": 2 } })), "{:?}", report.proposals);
}

#[test]
fn guardrails_cover_what_lies_beneath() {
    let ladder = ladder(json!({ "patch": { "allow": ["/lines"], "deny": ["/lines/1"] } }));
    let proposals = Proposals {
        proposals: ["/lines/0/price", "/lines/1/price", "/total"]
            .map(|path| proposal(path, Rung::L2, vec![replace(path, json!(3))]))
            .to_vec(),
    };
    let report = climb(&ladder, Input::Value(&order()), Phase::Ingestion, &proposals).report;
    let verdicts: Vec<ProposalVerdict> = report.proposals.iter().map(|record| record.verdict).collect();
    assert_eq!(verdicts, [ProposalVerdict::Applied, ProposalVerdict::Refused, ProposalVerdict::Refused]);
}

/// Any operation at all, sensible or not.
fn operation() -> impl Strategy<Value = PatchOp> {
    let path = prop::sample::select(vec![
        "",
        "/",
        "/id",
        "/status",
        "/total",
        "/lines",
        "/lines/0/price",
        "/lines/-",
        "x",
        "/~2",
    ]);
    let value =
        prop::sample::select(vec![json!(1), json!("open"), json!(null), json!({"price": 1}), json!([]), json!(-3)]);
    (path.clone(), path, value, 0..8_u8).prop_map(|(path, from, value, kind)| {
        let (path, from) = (path.to_owned(), from.to_owned());
        match kind {
            0 => PatchOp::Add { path, value },
            1 => PatchOp::Remove { path },
            2 => PatchOp::Move { from, path },
            3 => PatchOp::Copy { from, path },
            4 => PatchOp::Test { path, value },
            _ => PatchOp::Replace { path, value: value.into() },
        }
    })
}

fn shape(value: &Value) -> Value {
    match value {
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), shape(value))).collect(),
        Value::Array(items) => items.iter().map(shape).collect(),
        _ => Value::Null,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_proposal_touches_structure_or_what_is_guarded(
        patches in prop::collection::vec((prop::collection::vec(operation(), 0..4), any::<bool>(), any::<u16>()), 0..5),
        broken in any::<bool>(),
    ) {
        let ladder = ladder(json!({}));
        let mut payload = order();
        if broken {
            payload["status"] = json!("gone");
        }
        let proposals = Proposals {
            proposals: patches.into_iter().enumerate().map(|(at, (patch, early, confidence))| Proposal {
                finding: None,
                id: format!("p{at}"),
                rung: if early { Rung::L2 } else { Rung::L6 },
                patch,
                confidence,
                concealed: false,
                reason: String::new(),
            }).collect(),
        };
        let climbed = climb(&ladder, Input::Value(&payload), Phase::Ingestion, &proposals);
        let after = climbed.payload.as_ref().unwrap();
        prop_assert_eq!(shape(after), shape(&payload));
        prop_assert_eq!(&after["id"], &payload["id"]);
        prop_assert_eq!(climbed.report.proposals.len(), proposals.proposals.len());
        // A valid payload stays acceptable whatever is proposed.
        prop_assert!(broken || climbed.report.outcome == LadderOutcome::Accepted);
        prop_assert_eq!(&climb(&ladder, Input::Value(&payload), Phase::Ingestion, &frozen(&climbed.report)), &climbed);
        prop_assert_eq!(&undo(&climbed.report, after).unwrap(), &payload);
    }
}

#[test]
fn a_contract_without_guardrails_takes_proposals() {
    let schema = json!({ "type": "object" });
    let contract = json!({ "contract": "plain", "schema": schema });
    let ladder = Ladder::new(serde_json::from_value(contract).unwrap()).unwrap();
    let proposals = Proposals { proposals: vec![proposal("p", Rung::L2, vec![replace("/a", json!(2))])] };
    let climbed = climb(&ladder, Input::Value(&json!({ "a": 1 })), Phase::Ingestion, &proposals);
    assert_eq!(climbed.payload, Some(json!({ "a": 2 })));
}

#[test]
fn a_proposal_beyond_the_edit_budget_is_refused() {
    let ladder = ladder(json!({ "edit_budget": { "most_changes": 0 } }));
    let proposals = Proposals { proposals: vec![proposal("p", Rung::L2, vec![replace("/total", json!(1))])] };
    let report = climb(&ladder, Input::Value(&order()), Phase::Ingestion, &proposals).report;
    assert_eq!((report.outcome, report.proposals[0].verdict), (LadderOutcome::Accepted, ProposalVerdict::Refused));
}

#[test]
fn a_proposal_for_another_rung_is_refused_and_kept() {
    let proposals = Proposals { proposals: vec![proposal("p", Rung::L1, vec![replace("/total", json!(1))])] };
    let report = climb(&ladder(json!({})), Input::Value(&order()), Phase::Ingestion, &proposals).report;
    assert_eq!(report.proposals.len(), 1);
}

#[test]
fn a_proposal_that_breaks_a_domain_rule_is_refused() {
    let rule = json!({ "id": "cap", "rule": { "<": [{ "var": "total" }, 100] }, "message": "above the cap" });
    let ladder = ladder(json!({ "domain": [rule] }));
    let proposals = Proposals { proposals: vec![proposal("p", Rung::L6, vec![replace("/total", json!(500))])] };
    let report = climb(&ladder, Input::Value(&order()), Phase::Ingestion, &proposals).report;
    assert_eq!((report.outcome, report.proposals[0].verdict), (LadderOutcome::Accepted, ProposalVerdict::Refused));
}

#[test]
fn a_proposal_in_a_union_must_fit_a_variant_there() {
    let part = |kind: &str, extra: Value| {
        let mut part = json!({ "kind": { "const": kind }, "size": { "type": "integer", "minimum": 1 } });
        part.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({ "type": "object", "properties": part, "required": ["kind", "size", "name"], "additionalProperties": false })
    };
    let (name, other) = (json!({ "name": { "type": "string" } }), json!({ "name": { "enum": ["x", "y"] } }));
    for dialect in ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"] {
        for keyword in ["oneOf", "anyOf"] {
            let schema = json!({
                "$schema": dialect,
                "type": "object",
                "properties": { "part": { keyword: [{ "$ref": "#/definitions/a" }, part("b", other.clone())] } },
                "definitions": { "a": part("a", name.clone()) },
            });
            let contract = json!({ "contract": "parts", "schema": schema });
            let ladder = Ladder::new(serde_json::from_value(contract).unwrap()).unwrap();
            let verdict = |payload: &Value, path: &str, value: Value| {
                let given = Proposals { proposals: vec![proposal("p", Rung::L2, vec![replace(path, value)])] };
                climb(&ladder, Input::Value(payload), Phase::Ingestion, &given).report.proposals[0].verdict
            };
            let neither = json!({ "part": { "kind": "c", "size": 0 } });
            assert_eq!(verdict(&neither, "/part/size", json!(3)), ProposalVerdict::Applied);
            assert_eq!(verdict(&neither, "/part/size", json!(-3)), ProposalVerdict::Refused);
            assert_eq!(verdict(&neither, "/part/size", json!("three")), ProposalVerdict::Refused);
            assert_eq!(verdict(&neither, "/part/kind", json!("d")), ProposalVerdict::Refused);
            // What is wrong with the size was hidden as long as nobody knew of which kind it is.
            assert_eq!(verdict(&neither, "/part/kind", json!("a")), ProposalVerdict::Applied);
        }
    }
}

fn expert_finding(at: &str, message: &str, severity: &str) -> Proposals {
    let finding = json!({ "at": at, "message": message, "severity": severity });
    serde_json::from_value(json!({ "proposals": [{ "id": "revenue-is-cost", "rung": "L6", "finding": finding }] }))
        .unwrap()
}

fn figures(mode: &str) -> Ladder {
    let contract: LadderContract = serde_json::from_value(json!({
        "contract": "figures",
        "schema": { "type": "object", "properties": { "revenue": { "type": "number" } } },
        "modes": { "L6": mode },
    }))
    .unwrap();
    Ladder::new(contract).unwrap_or_else(|faults| panic!("{faults:?}"))
}

#[test]
fn an_expert_may_find_what_no_value_can_replace() {
    let payload = json!({ "revenue": 12 });
    let go = |mode: &str, proposals: &Proposals| {
        climb(&figures(mode), Input::Value(&payload), Phase::StepOutput, proposals).report
    };
    for (mode, severity, outcome, blocks) in [
        ("block", "error", LadderOutcome::Rejected, true),
        ("block", "warning", LadderOutcome::Accepted, false),
        ("report", "error", LadderOutcome::Accepted, false),
    ] {
        let proposals = expert_finding("/revenue", "revenue holds cost data", severity);
        let report = go(mode, &proposals);
        let finding = &report.findings[0];
        assert_eq!((report.outcome, finding.blocks), (outcome, blocks), "{mode} {severity}");
        assert_eq!((finding.code.as_str(), finding.pointer.as_str()), ("D1776", "/revenue"));
        assert_eq!(finding.message, "revenue holds cost data");
        assert_eq!(report.proposals[0].verdict, ProposalVerdict::Reported);
        let replayed = go(mode, &deed_ladder::frozen(&report));
        assert_eq!(replayed, report, "a replay needs no model");
    }
    let off = go("off", &expert_finding("/revenue", "x", "error"));
    assert_eq!(off.proposals[0].verdict, ProposalVerdict::Refused);
    let whole = go("block", &expert_finding("", "the summary contradicts its source", "error"));
    assert_eq!((whole.findings[0].code.as_str(), whole.findings[0].pointer.as_str()), ("D1776", ""));
}

#[test]
fn a_finding_that_is_none_is_refused_with_its_reason() {
    let payload = json!({ "revenue": 12 });
    let refused = |proposals: Value, reason: &str| {
        let proposals: Proposals = serde_json::from_value(json!({ "proposals": [proposals] })).unwrap();
        let report = climb(&figures("block"), Input::Value(&payload), Phase::StepOutput, &proposals).report;
        assert_eq!(report.proposals[0].verdict, ProposalVerdict::Refused);
        assert!(report.proposals[0].reason.contains(reason), "{}", report.proposals[0].reason);
        assert_eq!(report.outcome, LadderOutcome::Accepted);
    };
    let finding = |at: &str, message: &str| json!({ "at": at, "message": message });
    refused(json!({ "id": "a", "rung": "L6", "finding": finding("/cost", "x") }), "there is no `/cost`");
    refused(json!({ "id": "a", "rung": "L6", "finding": finding("/revenue", " ") }), "says nothing");
    refused(json!({ "id": "a", "rung": "L6", "finding": finding("revenue", "x") }), "no JSON pointer");
    refused(json!({ "id": "a", "rung": "L2", "finding": finding("/revenue", "x") }), "L6's alone");
    refused(json!({ "id": "a", "rung": "L6" }), "neither a patch nor a finding");
    let patch = json!([{ "op": "replace", "path": "/revenue", "value": 1 }]);
    refused(json!({ "id": "a", "rung": "L6", "patch": patch, "finding": finding("/revenue", "x") }), "each on its own");
    let test = json!([{ "op": "test", "path": "/revenue", "value": 12 }]);
    refused(json!({ "id": "a", "rung": "L6", "patch": test }), "it changes nothing; ");
}

#[test]
fn the_guard_holds_findings_too() {
    let secret = deed_detect::sample("stripe-key", 7).unwrap();
    let secret = secret.text.get(secret.secret.clone()).unwrap();
    let proposals = expert_finding("/revenue", &format!("it holds {secret}"), "error");
    let report = climb(&figures("block"), Input::Value(&json!({ "revenue": 1 })), Phase::StepOutput, &proposals).report;
    assert_eq!(report.proposals[0].verdict, ProposalVerdict::Refused);
    assert!(!serde_json::to_string(&report).unwrap().contains(secret));
}
