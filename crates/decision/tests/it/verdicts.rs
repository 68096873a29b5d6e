//! The verdict on each sound decision of each world, and on what is missing from it.

use crate::world::{GATE, World, fabricated, journal, worlds};
use deed_model::{CriticVerdict, Critique, DecisionStatus, GateDecision};
use serde_json::json;

fn verdicts(world: &World) -> [&'static str; 3] {
    ["approved", "denied", "escalated"].map(|outcome| world.judge(&world.draft(outcome)).critique.verdict.as_str())
}

#[test]
fn an_outcome_is_judged_by_its_effect() {
    let found: Vec<_> = worlds().iter().map(|world| (world.name, verdicts(world))).collect();
    let expected = [
        ("gated", ["accept", "accept", "accept"]),
        ("small", ["accept", "accept", "accept"]),
        // A denied request can be denied, and nothing else.
        ("unverified", ["reject", "accept", "reject"]),
        // Missing evidence can be gathered; a denial does not need it.
        ("no lookup", ["replan", "accept", "accept"]),
        // What is cited has expired since the compile.
        ("lookup expires", ["replan", "replan", "replan"]),
        ("starved", ["replan", "accept", "accept"]),
        ("calm", ["reject", "accept", "accept"]),
        ("advised", ["escalate", "accept", "accept"]),
        ("strict evidence", ["escalate", "accept", "accept"]),
        ("guarded", ["escalate", "accept", "accept"]),
        ("journaled", ["accept", "accept", "accept"]),
    ];
    assert_eq!(found, expected);
}

fn messages(critique: &Critique) -> Vec<(&str, &str)> {
    critique.findings.iter().map(|f| (f.verdict.as_str(), f.message.as_str())).collect()
}

#[test]
fn a_gate_without_an_approval_asks_for_the_role() {
    let world = &worlds()[0];
    let mut draft = world.draft("approved");
    draft.approvals.clear();
    let judged = world.judge(&draft);
    assert_eq!(judged.record.status, DecisionStatus::Escalated);
    assert_eq!(
        messages(&judged.critique),
        [("escalate", "gate GATE_FINANCE_APPROVAL needs the approval of finance_lead")]
    );
}

#[test]
fn a_fabricated_reference_is_rejected_and_a_missing_citation_returned() {
    let world = &worlds()[1];
    let mut draft = world.draft("approved");
    draft.evidence_refs.push(fabricated());
    let judged = world.judge(&draft);
    assert_eq!(messages(&judged.critique), [("reject", "the context offers no such evidence")]);
    assert_eq!(judged.critique.findings[0].pointer, "/evidence_refs/4");
    draft.evidence_refs.retain(|reference| !reference.starts_with("tool:") && *reference != fabricated());
    let judged = world.judge(&draft);
    assert_eq!(judged.critique.verdict, CriticVerdict::Replan);
    let cite = "the decision requires order_lookup: cite tool:adp_orders.lookup:call_1";
    assert!(messages(&judged.critique).contains(&("replan", cite)), "{:?}", judged.critique.findings);
}

#[test]
fn what_a_draft_leaves_out_is_taken_from_the_context_and_what_it_states_must_agree() {
    let world = &worlds()[1];
    let judged = world.judge(&world.draft("approved"));
    let record = &judged.record;
    assert_eq!(record.intent, "support.refund");
    assert_eq!(record.lineage.run, crate::world::RUN);
    assert_eq!(record.policy_decisions.len(), 1);
    assert_eq!(record.controls_active.must_refuse, ["refund_without_identity"]);
    let mut draft = world.draft("approved");
    draft.policy_decisions = Some(Vec::new());
    assert_eq!(world.judge(&draft).critique.verdict, CriticVerdict::Reject);
}

#[test]
fn an_approval_of_a_run_counts_for_the_step_that_it_stands_before() {
    let mut world = worlds().pop().unwrap();
    let draft = world.draft("approved");
    assert_eq!(world.judge(&draft).critique.verdict, CriticVerdict::Accept);
    let mut elsewhere = draft.clone();
    elsewhere.lineage = serde_json::from_value(json!({ "plan_step": "look" })).unwrap();
    let judged = world.judge(&elsewhere);
    assert_eq!(judged.critique.verdict, CriticVerdict::Escalate);
    assert!(messages(&judged.critique).contains(&("escalate", "it does not stand before the step of the decision")));
    // The same approval, which no journal has.
    let own = world.journal.take();
    assert_eq!(world.judge(&draft).critique.verdict, CriticVerdict::Reject);
    // A journal of another run.
    world.journal = own.map(|journal| deed_model::RunEvidence { run_id: "run_other".to_owned(), ..journal });
    assert_eq!(world.judge(&draft).critique.verdict, CriticVerdict::Reject);
    world.journal = Some(journal(GateDecision::Rejected));
    let refused = world.draft("approved");
    let judged = world.judge(&refused);
    assert_eq!(judged.critique.verdict, CriticVerdict::Reject);
    assert!(messages(&judged.critique).contains(&("reject", &format!("it was rejected at {GATE}"))));
}

#[test]
fn an_output_that_the_pack_ties_to_the_request_is_held_to_it() {
    let world = &worlds()[1];
    let with = |outcome: &str, amount: serde_json::Value| {
        let mut draft = world.draft(outcome);
        draft.outputs.insert("amount_inr".to_owned(), amount);
        world.judge(&draft)
    };
    assert_eq!(with("approved", json!(1200)).critique.verdict, CriticVerdict::Accept);
    assert_eq!(with("approved", json!(1200.0)).critique.verdict, CriticVerdict::Accept);
    let judged = with("approved", json!(49000));
    assert_eq!(
        messages(&judged.critique),
        [("reject", "the pack ties `amount_inr` of adp_payments.issue_refund to 1200")]
    );
    assert_eq!(judged.critique.findings[0].pointer, "/outputs/amount_inr");
    // A denial acts through nothing, and a field that is left out is not wrong.
    assert_eq!(with("denied", json!(49000)).critique.verdict, CriticVerdict::Accept);
    assert_eq!(
        with("approved", json!(null))
            .critique
            .findings
            .iter()
            .filter(|f| f.pointer == "/outputs/amount_inr" && f.verdict == CriticVerdict::Reject)
            .count(),
        0
    );
    let mut draft = world.draft("approved");
    draft.outputs.remove("amount_inr");
    assert_eq!(world.judge(&draft).critique.verdict, CriticVerdict::Accept);
}

#[test]
fn an_output_beyond_the_bounds_of_an_argument_is_returned() {
    let bounded = World::new("bounded", |given| {
        given.request["input"]["context"]["refund_amount"] = json!(1200);
        given.pack["tooling_layer"]["permissions"][2]["arg_constraints"]["amount_inr"] =
            json!({ "min": 1, "max": 2000 });
    });
    let mut draft = bounded.draft("approved");
    draft.outputs.insert("amount_inr".to_owned(), json!(1900));
    assert_eq!(bounded.judge(&draft).critique.verdict, CriticVerdict::Accept);
    draft.outputs.insert("amount_inr".to_owned(), json!(2100));
    let judged = bounded.judge(&draft);
    let outside = "it is outside the bounds of `amount_inr` of adp_payments.issue_refund";
    assert_eq!(messages(&judged.critique), [("replan", outside)]);
}

#[test]
fn an_actor_is_the_user_an_agent_or_an_approver_in_a_declared_role() {
    let small = |vary: fn(&mut serde_json::Value)| {
        World::new("small", |given| {
            given.request["input"]["context"]["refund_amount"] = json!(1200);
            vary(&mut given.run);
        })
    };
    let judged = |world: &World, id: &str, role: Option<&str>| {
        let mut draft = world.draft("approved");
        draft.actor.id = id.to_owned();
        draft.actor.role = role.map(str::to_owned);
        let judged = world.judge(&draft);
        let pointers: Vec<String> = judged.critique.findings.iter().map(|f| f.pointer.clone()).collect();
        (judged.critique.verdict.as_str(), pointers.join(" "))
    };
    let of = |verdict: &'static str, pointer: &str| (verdict, pointer.to_owned());
    let world = small(|_| {});
    assert_eq!(judged(&world, "agt_17", Some("support_agent")), of("accept", ""));
    assert_eq!(judged(&world, "agt_17", None), of("accept", ""));
    assert_eq!(judged(&world, "agt_17", Some("finance_lead")), of("reject", "/actor/role"));
    // Another id is no way to another role.
    assert_eq!(judged(&world, "agt_18", Some("finance_lead")), of("escalate", "/actor/id"));
    assert_eq!(judged(&world, "agt_18", None), of("escalate", "/actor/id"));
    // Agents of the run, with and without a role.
    let world = small(|run| run["agents"] = json!([{ "id": "agt_18", "role": "refund_bot" }, { "id": "agt_19" }]));
    assert_eq!(judged(&world, "agt_18", Some("refund_bot")), of("accept", ""));
    assert_eq!(judged(&world, "agt_18", Some("finance_lead")), of("reject", "/actor/role"));
    assert_eq!(judged(&world, "agt_19", None), of("accept", ""));
    assert_eq!(judged(&world, "agt_19", Some("finance_lead")), of("escalate", "/actor/role"));
    // A user with several roles, spelled as the caller does; and a run without a user.
    let world = small(|run| run["user"] = json!({ "user_id": "agt_17", "role": "support_agent", "roles": ["lead"] }));
    assert_eq!(judged(&world, "agt_17", Some("lead")), of("accept", ""));
    assert_eq!(judged(&world, "agt_17", Some("finance_lead")), of("reject", "/actor/role"));
    // Without a user the rule denies, and even a denial has an actor.
    let world = small(|run| drop(run.as_object_mut().unwrap().remove("user")));
    let denied = world.judge(&world.draft("denied")).critique;
    let found: Vec<_> = denied.findings.iter().map(|f| (f.verdict.as_str(), f.pointer.as_str())).collect();
    assert!(found.contains(&("escalate", "/actor/id")), "{found:?}");
}

#[test]
fn an_approver_may_decide_in_the_role_of_the_approval() {
    let world = &worlds().pop().unwrap();
    let decided = |role: &str| {
        let mut draft = world.draft("approved");
        draft.actor.id = "fin_3".to_owned();
        draft.actor.role = Some(role.to_owned());
        world.judge(&draft).critique.verdict
    };
    assert_eq!(decided("finance_lead"), CriticVerdict::Accept);
    assert_eq!(decided("support_agent"), CriticVerdict::Reject);
}
