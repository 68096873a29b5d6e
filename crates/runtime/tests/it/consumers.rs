//! The corrector and the distiller, killed at every write: no reply that was written is asked for again, and every one that was
//! lost is paid for once.

use crate::common::{Run, World, plan, step, with};
use deed_canon::ContentHash;
use deed_desk::{DistillPolicy, Distillation, DistilledPiece};
use deed_model::{
    Classification, DistilledCandidate, EgressRule, FROZEN_MODELS_VERSION, FrozenEndpoint, FrozenModels, PriceTable,
    RunOutcome,
};
use deed_ports::Standing;
use deed_profile::{Objects, ProfileFile, ResolveInputs, resolve};
use deed_runtime::{
    DISTILL_STEP, DistillStanding, DistillSubmission, Distiller, RunState, begin_distillation, reverify_distillation,
};
use deed_testkit::loopback::provider::{Dialect, ProviderServer, ScriptedReply, Turn};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The tokens of a scripted reply.
const TOKENS: u64 = 32;

const PROFILE: &str = r#"profile_id: consumers
version: 1.0.0
consumer_bindings:
  operator_corrector: { model_binding_ref: "ollama:scripted", runtime_overrides: { max_tokens: 500 } }
  operator_distiller: { model_binding_ref: "ollama:scripted", runtime_overrides: { max_tokens: 500 } }
validation:
  phases: { step_output: { pack_ref: valpack.acme.status@v1, mode: block } }
  packs:
    - pack_ref: valpack.acme.status@v1
      phases: [step_output]
      rules:
        - id: status
          artifact_path: "*"
          read_as: json
          contract:
            contract: status
            schema: { type: object, properties: { status: { enum: [open, paid] } } }
            patch: { least_confidence: 900 }
"#;

fn world(port: u16) -> World {
    let mut world = World::new();
    let file = ProfileFile::read("consumers.yaml", PROFILE.as_bytes()).unwrap();
    let resolved =
        resolve(&ResolveInputs { profile: &file, governed: None, workspace: None, objects: Objects::default() })
            .unwrap();
    let rule: EgressRule = serde_json::from_value(json!({
        "scheme": "http", "host": "127.0.0.1", "port": port, "methods": ["POST"], "private_addresses": true,
    }))
    .unwrap();
    let base_url = format!("http://127.0.0.1:{port}");
    let frozen = FrozenModels {
        version: FROZEN_MODELS_VERSION,
        tenant_id: "acme".to_owned(),
        classification: Classification::Internal,
        pack: deed_desk::builtin_pack(),
        endpoints: BTreeMap::from([("ollama".to_owned(), FrozenEndpoint { base_url, local: true, rule })]),
        prices: PriceTable { format: 1, dated: "2026-01-01".to_owned(), currency: "USD".to_owned(), models: vec![] },
    };
    world.judge = Some((resolved.snapshot, frozen));
    world
}

fn server(turns: Vec<Turn>) -> ProviderServer {
    ProviderServer::start(Dialect::Ollama, turns)
}

fn written(status: &str) -> Value {
    let source =
        format!("export default function () {{ return {{ \"output/a.json\": '{{\"status\":\"{status}\"}}' }}; }}");
    let budget = json!({ "budget": { "wall_seconds": 30, "governed_calls": 9, "model_tokens": 900_000 } });
    plan(vec![step("a", "javascript", &source, with(budget, json!({ "max_retries": 0 })))])
}

/// The tokens that a journal's models cost: each reply, and each loss with its whole reservation.
fn owed(state: &RunState, step: &str) -> u64 {
    let models = &state.steps[step].models;
    models.iter().map(|own| TOKENS + u64::from(own.begun - 1) * own.intent.reserved.model_tokens.unwrap()).sum()
}

#[test]
fn a_corrector_that_dies_before_any_write_is_asked_for_no_reply_twice() {
    let fix = json!({
        "proposals": [{ "path": "/status", "value": "paid", "source": "payed", "confidence": 0.97 }], "findings": [],
    });
    let mut lost = 0;
    for nth in 0.. {
        let own = server(vec![ScriptedReply::text("it is fine").into(), ScriptedReply::text(&fix.to_string()).into()]);
        let world = world(own.port);
        let run = world.submit(&written("payed"));
        let (count, died) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let seen = died.clone();
        let dying = world.dying(move |_| {
            let dies = count.fetch_add(1, Ordering::SeqCst) == nth;
            seen.fetch_add(usize::from(dies), Ordering::SeqCst);
            dies
        });
        let _ = deed_ports::Engine::drive(&dying, &run.id, crate::common::Watch::new());
        drop(dying);
        let run: Run<'_> = run.reopen();
        assert_eq!(run.drive(), Standing::Ended(RunOutcome::Succeeded), "{nth}: {:?}", run.state().why);
        run.verified();
        assert_eq!(run.json("output/a.json"), json!({ "status": "paid" }));
        let state = run.state();
        let begun: u32 = state.steps["a"].models.iter().map(|own| own.begun).sum();
        assert!(own.seen().len() <= begun as usize, "{nth}: each request is on record");
        lost += begun as usize - state.steps["a"].models.len();
        assert_eq!(state.total_spent().model_tokens, Some(owed(&state, "a")), "{nth}");
        // Questions beside the calls of a step are governed calls of it.
        assert_eq!(state.total_spent().governed_calls, Some(u64::from(begun)), "{nth}");
        if died.load(Ordering::SeqCst) == 0 {
            assert!(nth > 8, "only {nth} writes");
            break;
        }
    }
    assert!(lost >= 2, "a reply was lost {lost} times");
}

#[test]
fn a_distillation_that_dies_before_any_write_proposes_the_same_once_and_pays_no_reply_twice() {
    let candidate = json!({
        "statement": "Orders are paid late.", "class": "preference", "tier": "semantic", "subject": "*", "intent": "*",
        "confidence": 0.9, "evidence": [{ "path": "output/a.json", "quote": "paid" }],
    });
    let answer = json!({ "candidates": [candidate, { "statement": "x", "class": "preference", "tier": "semantic", "subject": "*", "intent": "*", "confidence": 1, "evidence": [] }] });
    let mut lost = 0;
    for nth in 0.. {
        let own = server(vec![ScriptedReply::text("hm").into(), ScriptedReply::text(&answer.to_string()).into()]);
        let world = world(own.port);
        let run = world.run(&written("paid"));
        run.succeeded();
        let of = run.state().request.clone().unwrap();
        let (snapshot, models) = world.judge.clone().unwrap();
        let (count, died) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let seen = died.clone();
        let dying = world.dying(move |_| {
            let dies = count.fetch_add(1, Ordering::SeqCst) == nth;
            seen.fetch_add(usize::from(dies), Ordering::SeqCst);
            dies
        });
        let submission = DistillSubmission {
            name: "distill-1",
            of: &of,
            profile: &snapshot,
            models: &models,
            grant: Default::default(),
            actor: "ada",
        };
        let content = json!("{\"status\":\"paid\"}");
        let piece =
            DistilledPiece { path: "output/a.json", sha256: ContentHash::of_bytes(b"a"), bytes: 1, content: &content };
        let question = Distillation {
            contract: "sha256:plan",
            outcome: "succeeded",
            run: "objective: x",
            pieces: vec![piece],
            policy: DistillPolicy { classes: vec!["preference"], tiers: vec!["semantic"], intents: vec![], rules: "" },
        };
        let mut proposed = BTreeSet::new();
        let mut go = |engine: &deed_runtime::LocalEngine| -> Result<(), deed_ports::EngineError> {
            begin_distillation(engine.world(), &submission)?;
            let distiller = Distiller::open(Arc::new(engine.world().clone()), "distill-1")?;
            let (call, answers) = distiller.ask(&question)?;
            let candidates = answers.iter().map(|answer| match &answer.candidate {
                Ok(candidate) => {
                    proposed.insert(candidate.statement.clone());
                    DistilledCandidate { memory_id: Some("mem_1".to_owned()), refused: None }
                }
                Err(reason) => DistilledCandidate { memory_id: None, refused: Some(reason.clone()) },
            });
            distiller.end(call, candidates.collect())
        };
        let first = go(&dying);
        drop(dying);
        let engine = world.engine();
        let state = |engine: &deed_runtime::LocalEngine| {
            let entries = engine.world().journal.events("distill-1", 0).unwrap();
            (RunState::of(entries.iter().map(|entry| &entry.record.event)), entries)
        };
        if DistillStanding::of(&state(&engine).0) == DistillStanding::Open {
            go(&engine).unwrap();
        } else {
            assert!(first.is_ok() || died.load(Ordering::SeqCst) > 0);
        }
        let (state, entries) = state(&engine);
        let DistillStanding::Ended { candidates, .. } = DistillStanding::of(&state) else { panic!("{nth}") };
        assert_eq!((candidates.len(), proposed.len()), (2, 1), "{nth}");
        assert!(candidates[1].refused.as_ref().unwrap().contains("cites no artifact"));
        let models = &state.steps[DISTILL_STEP].models;
        let begun: u32 = models.iter().map(|own| own.begun).sum();
        assert!(own.seen().len() <= begun as usize, "{nth}: each request is on record");
        lost += begun as usize - models.len();
        assert_eq!(state.total_spent().model_tokens, Some(owed(&state, DISTILL_STEP)), "{nth}");
        let key = crate::common::key().public();
        let known = |id: &deed_canon::KeyId| (*id == key.id()).then(|| key.clone());
        let found = reverify_distillation(&entries, &run.plan, &*engine.world().blobs, &known);
        assert!(found.iter().all(|part| part.holds), "{nth}: {found:?}");
        // The run itself is as it was sealed.
        run.verified();
        if died.load(Ordering::SeqCst) == 0 {
            assert!(nth > 6, "only {nth} writes");
            break;
        }
    }
    assert!(lost >= 2, "a reply was lost {lost} times");
}
