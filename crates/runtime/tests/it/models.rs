//! Models asked by a run whose process is killed at every write, retried, gated and refused by packs, and bounded by
//! budgets.

use crate::common::{Run, World, plan, python, with};
use deed_model::{
    Classification, EgressRule, FROZEN_MODELS_VERSION, FailureClass, FrozenEndpoint, FrozenModels, ModelPrice,
    PriceTable, RunEvent, RunOutcome,
};
use deed_ports::{Engine as _, Standing};
use deed_profile::{Objects, ProfileFile, ResolveInputs, resolve};
use deed_testkit::loopback::provider::{Dialect, Fault, ProviderServer, ScriptedReply, Turn};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

const MODEL: &str = "ollama:scripted";
/// The tokens of a scripted reply.
const TOKENS: u64 = 32;

const SOURCE: &str = "
import deed, json
bundle = {'item_id': 'a', 'sources': {'text': 'It rains.'}, 'derived': {'claim': {'rain': True}}}
rubric = {'criteria': ['no invented facts']}
verdict = deed.call('artifact.evaluate', {'bundle': bundle, 'rubric': rubric, 'enforcement': 'report'})
json.dump(verdict, open('output/a.json', 'w'))
";

fn judged(more: Value) -> Value {
    let own = json!({
        "tool_needs": ["operator.artifact.evaluate"],
        "budget": { "wall_seconds": 60, "governed_calls": 9, "model_tokens": 900_000 },
    });
    plan(vec![python("a", SOURCE, with(own, more))])
}

fn answer(verdict: &str) -> Turn {
    quoting(verdict, "It rains.")
}

fn quoting(verdict: &str, quote: &str) -> Turn {
    let judged = json!({
        "verdict": verdict,
        "criteria": [{ "criterion": "no invented facts", "verdict": verdict, "reason": "it says so", "evidence": [{ "path": "text", "quote": quote }] }],
    });
    ScriptedReply::text(&judged.to_string()).into()
}

fn server(turns: Vec<Turn>) -> ProviderServer {
    ProviderServer::start(Dialect::Ollama, turns)
}

/// A world whose profile binds the evaluator to a server, under a pack with some changes.
fn world(port: u16, change: impl Fn(&mut Value)) -> World {
    let mut world = World::new();
    let text = format!(
        "profile_id: judged\nversion: 1.0.0\nconsumer_bindings: {{ operator_evaluator: {{ model_binding_ref: \"{MODEL}\", runtime_overrides: {{ max_tokens: 500 }} }} }}\n"
    );
    let file = ProfileFile::read("judged.yaml", text.as_bytes()).unwrap();
    let resolved =
        resolve(&ResolveInputs { profile: &file, governed: None, workspace: None, objects: Objects::default() })
            .unwrap();
    let rule: EgressRule = serde_json::from_value(json!({
        "scheme": "http", "host": "127.0.0.1", "port": port, "methods": ["POST"], "private_addresses": true,
    }))
    .unwrap();
    let mut pack = deed_desk::builtin_pack();
    change(&mut pack.document);
    let base_url = format!("http://127.0.0.1:{port}");
    let price = ModelPrice {
        model: MODEL.parse().unwrap(),
        input: 1_000_000,
        output: 2_000_000,
        cached_read: None,
        cached_write: None,
        reasoning: None,
        image: None,
        tokens_per_image: None,
        free: false,
        long: None,
        retired: None,
        checked: None,
    };
    let prices =
        PriceTable { format: 1, dated: "2026-01-01".to_owned(), currency: "USD".to_owned(), models: vec![price] };
    let frozen = FrozenModels {
        version: FROZEN_MODELS_VERSION,
        tenant_id: "acme".to_owned(),
        classification: Classification::Internal,
        pack,
        endpoints: BTreeMap::from([("ollama".to_owned(), FrozenEndpoint { base_url, local: true, rule })]),
        prices,
    };
    world.judge = Some((resolved.snapshot, frozen));
    world
}

/// Everything verifies, and what models cost is what the run spent.
fn sound(run: &Run<'_>) {
    run.verified();
    let state = run.state();
    let models = state.steps.values().flat_map(|step| &step.models);
    let spent: u64 = models.map(|model| model.spent().model_tokens.unwrap()).sum();
    assert_eq!(state.total_spent().model_tokens.unwrap_or_default(), spent);
}

/// The number of times that calls were begun.
fn begun(run: &Run<'_>) -> u32 {
    run.state().steps.values().flat_map(|step| &step.models).map(|model| model.begun).sum()
}

#[test]
fn a_death_before_any_write_loses_no_reply_that_was_written_and_counts_every_one_that_was_not() {
    let mut lost = 0;
    for nth in 0.. {
        let own = server(vec![ScriptedReply::text("fine").into(), answer("pass")]);
        let world = world(own.port, |_| {});
        let run = world.submit(&judged(json!({})));
        let (count, died) = (AtomicUsize::new(0), std::sync::Arc::new(AtomicUsize::new(0)));
        let seen = died.clone();
        let dying = world.dying(move |_| {
            let dies = count.fetch_add(1, Ordering::SeqCst) == nth;
            seen.fetch_add(usize::from(dies), Ordering::SeqCst);
            dies
        });
        let _ = dying.drive(&run.id, crate::common::Watch::new());
        drop(dying);
        let run = run.reopen();
        assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{nth}: {:?}", run.state().why);
        sound(&run);
        assert_eq!(run.json("output/a.json")["verdict"], "pass");
        // Before a request leaves, its call is on record; a death between the two counts as a lost reply.
        assert!(own.seen().len() <= begun(&run) as usize, "{nth}: each request is on record");
        let state = run.state();
        let models = &state.steps["a"].models;
        let again: u32 = models.iter().map(|model| model.begun - 1).sum();
        assert!(again <= 1, "{nth}");
        lost += again;
        let reserved: u64 =
            models.iter().map(|m| u64::from(m.begun - 1) * m.intent.reserved.model_tokens.unwrap()).sum();
        assert_eq!(state.total_spent().model_tokens, Some(TOKENS * models.len() as u64 + reserved), "{nth}");
        if died.load(Ordering::SeqCst) == 0 {
            assert!(nth > 10, "only {nth} writes");
            break;
        }
    }
    assert!(lost >= 2, "a reply was lost {lost} times");
}

#[test]
fn a_reply_that_is_lost_twice_is_not_asked_for_again() {
    let own = server(vec![answer("pass")]);
    let world = world(own.port, |_| {});
    let run = world.submit(&judged(json!({})));
    for _ in 0..2 {
        let dying = world.dying(|event| matches!(event, RunEvent::ModelCallEnded { .. }));
        assert!(dying.drive(&run.id, crate::common::Watch::new()).is_err());
    }
    let run = run.reopen();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Failed));
    assert_eq!(own.seen().len(), 2);
    assert_eq!(run.failure("a").code, "D2737", "{:?}", run.failure("a"));
    sound(&run);
}

#[test]
fn a_retry_of_the_step_asks_again() {
    let failing = || Turn::from(Fault::Status(400, None));
    let own = server(vec![failing(), answer("pass")]);
    let world = world(own.port, |_| {});
    let run = world.run(&judged(json!({ "max_retries": 1 })));
    run.succeeded();
    assert_eq!((own.seen().len(), run.state().steps["a"].models.len()), (2, 2));
    sound(&run);
}

#[test]
fn a_rule_of_the_pack_refuses_the_call() {
    let own = server(vec![answer("pass")]);
    let world = world(own.port, |pack| {
        pack["policy_layer"]["guardrails"]["must_refuse"] =
            json!([{ "id": "one_source", "when": { "==": [{ "var": "request.context.sources" }, 1] } }]);
    });
    let run = world.run(&judged(json!({})));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2732", FailureClass::PolicyViolation), "{failure:?}");
    assert!(failure.message.contains("one_source"), "{failure:?}");
    assert_eq!(own.seen().len(), 0);
    sound(&run);
}

#[test]
fn a_gate_of_the_pack_stands_before_the_call() {
    let own = server(vec![answer("pass")]);
    let world = world(own.port, |pack| {
        pack["policy_layer"]["approval_gates"] = json!([{
            "gate_id": "SEE_FIRST", "when": { "==": [{ "var": "request.context.item_id" }, "a"] },
            "required_approver_role": "lead", "ttl_seconds": 3600,
        }]);
    });
    let run = world.submit(&judged(json!({})));
    let Standing::Waiting(asked) = run.drive() else { panic!("it waits") };
    assert_eq!(asked[0].approver_role, "lead");
    assert!(asked[0].question.contains("SEE_FIRST"), "{}", asked[0].question);
    assert_eq!(own.seen().len(), 0);
    run.approve("lead");
    let run = run.reopen();
    assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{:?}", run.state().why);
    assert_eq!(own.seen().len(), 1);
    sound(&run);
}

#[test]
fn evidence_that_does_not_fit_or_is_not_admitted_is_not_judged_in_part() {
    let own = server(vec![answer("pass")]);
    let small = world(own.port, |pack| pack["budget_layer"]["default_total"] = json!(200));
    let run = small.run(&judged(json!({})));
    assert_eq!(run.failure("a").code, "D2733", "{:?}", run.failure("a"));
    let public = world(own.port, |pack| pack["pack_meta"]["data_classification"] = json!("PUBLIC"));
    let run = public.run(&judged(json!({})));
    assert_eq!(run.failure("a").code, "D2732", "{:?}", run.failure("a"));
    assert!(run.failure("a").message.contains("above_classification"), "{:?}", run.failure("a"));
    assert_eq!(own.seen().len(), 0);
}

#[test]
fn what_the_pack_redacts_does_not_leave() {
    let own = server(vec![quoting("pass", "Card [credit_card].")]);
    let world = world(own.port, |_| {});
    let source = SOURCE.replace("It rains.", "Card 4111 1111 1111 1111.");
    let run = world.run(&plan(vec![python(
        "a",
        &source,
        json!({
            "tool_needs": ["operator.artifact.evaluate"],
            "budget": { "wall_seconds": 60, "governed_calls": 9, "model_tokens": 900_000 },
        }),
    )]));
    run.succeeded();
    let body = own.bodies()[0].to_string();
    assert!(!body.contains("4111 1111") && body.contains("credit_card"), "{body}");
    sound(&run);
}

#[test]
fn an_uncertain_verdict_blocks() {
    let own = server(vec![answer("uncertain")]);
    let world = world(own.port, |_| {});
    let run = world.run(&judged(json!({})));
    run.succeeded();
    assert_eq!(run.json("output/a.json")["verdict"], "uncertain");
    let blocking = SOURCE.replace("'report'", "'block'");
    let run = world.run(&plan(vec![python(
        "a",
        &blocking,
        json!({
            "tool_needs": ["operator.artifact.evaluate"],
            "budget": { "wall_seconds": 60, "governed_calls": 9, "model_tokens": 900_000 },
        }),
    )]));
    assert_eq!(run.failure("a").class, FailureClass::SemanticVerdict, "{:?}", run.failure("a"));
    sound(&run);
}
