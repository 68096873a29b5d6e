//! What a reader found and what must not come back.

use crate::common::{Given, bundle, document};
use deed_canon::{ContentHash, to_canonical};
use deed_context::{
    Hydrations, Outcome, PackMaterial, Recording, compile, explain, hydrate, record, render_prompt, replay,
};
use deed_model::{EvidenceReason, SourceKind, Verdict};
use serde_json::{Value, json};

const CARD: &str = "4111111111111111";

/// The worked example, with one edit to the pack and one to the inputs.
struct Case {
    pack: Value,
    request: Value,
    run: Value,
    evidence: Value,
    memory: Value,
}

impl Case {
    fn new() -> Self {
        let value = |name: &str| document(&format!("packs/support/examples/{name}.yaml")).value().clone();
        let mut pack = bundle("packs/support").document.value().clone();
        pack["pack_meta"].as_object_mut().unwrap().remove("overlays");
        Self {
            pack,
            request: value("request"),
            run: value("run"),
            evidence: value("evidence"),
            memory: value("memory"),
        }
    }

    fn material(&self) -> PackMaterial {
        PackMaterial {
            pack: self.pack.clone(),
            overlays: Default::default(),
            selected: Vec::new(),
            source: Default::default(),
            endpoints: None,
        }
    }

    fn given(&self) -> Given {
        Given::of(self.request.clone(), self.run.clone(), self.evidence.clone(), self.memory.clone())
    }

    /// Compiles, and hands the outcome over.
    fn compiled<T>(&self, look: impl FnOnce(&Outcome<'_>) -> T) -> T {
        let (cache, given) = (Hydrations::new(), self.given());
        let pack = hydrate(&self.material(), &given.run, &cache).unwrap_or_else(|r| panic!("{r:?}"));
        look(&compile(&pack, given.inputs()))
    }

    fn refusal(&self) -> String {
        self.compiled(|outcome| match outcome {
            Outcome::Refused(refusal) => refusal.diagnostic.code.to_string(),
            other => other.as_str().to_owned(),
        })
    }
}

fn piece(reference: &str, content: Value) -> Value {
    let hash = match &content {
        Value::String(text) => ContentHash::of_bytes(text.as_bytes()),
        other => ContentHash::of_bytes(&to_canonical(other).unwrap()),
    };
    json!({ "evidence_ref": reference, "tenant_id": "tenant_acme_prod", "classification": "INTERNAL", "content": content,
            "payload_hash": hash })
}

#[test]
fn structured_evidence_is_redacted_before_json_tears_it_apart() {
    let mut case = Case::new();
    let torn = "4111\u{0}1111\u{0}1111\u{0}1111";
    case.evidence = json!([
        piece("tool:a.b:1", json!({ "card": torn, torn: [torn] })),
        piece("tool:a.b:2", json!({ "number": 4_111_111_111_111_111u64 })),
    ]);
    case.memory[0].as_object_mut().unwrap().remove("text");
    for (key, value) in
        [("entity", json!("cus_17")), ("predicate", json!("pays by")), ("value", json!({ "card": torn }))]
    {
        case.memory[0][key] = value;
    }
    case.compiled(|outcome| {
        let context = outcome.context().unwrap();
        let digits: String = render_prompt(&context.compiled_prompt).chars().filter(char::is_ascii_digit).collect();
        assert!(!digits.contains(CARD), "{}", render_prompt(&context.compiled_prompt));
        let count = |rule: &str| context.context_ledger.redactions.iter().find(|r| r.rule == rule).unwrap().count;
        assert_eq!(count("credit_card"), 5);
    });
}

#[test]
fn an_explanation_redacts_before_it_cuts() {
    let mut case = Case::new();
    let long = format!("{} {CARD}", "x".repeat(50));
    case.request["input"]["context"]["identity_verified"] = json!(long);
    let (cache, given) = (Hydrations::new(), case.given());
    let pack = hydrate(&case.material(), &given.run, &cache).unwrap();
    let outcome = compile(&pack, given.inputs());
    let explained = explain(&pack, given.inputs(), outcome.context().unwrap());
    let all = format!("{} {}", json!(explained), explained.rules.iter().map(|r| r.text.as_str()).collect::<String>());
    assert!(!all.contains("41111"), "{all}");
}

#[test]
fn a_pack_that_is_fixed_to_a_snapshot_is_held_to_it() {
    let mut case = Case::new();
    case.pack["intelligence_refs"]["knowledge_graph"]["snapshot_pin_rule"] = json!("snapshot:another");
    assert_eq!(case.refusal(), "D1513");
    case.pack["intelligence_refs"]["knowledge_graph"]["snapshot_pin_rule"] =
        json!("snapshot:snapshot_kg_2026_05_03_T0930");
    assert_eq!(case.refusal(), "must_escalate");
    case.run["kg_snapshot_id"] = json!("alias:prod");
    assert_eq!(case.refusal(), "D1513");
}

#[test]
fn a_run_cannot_claim_a_runtime() {
    let mut case = Case::new();
    case.pack["contract_meta"]["compatibility"]["requires"]["runtime"] = json!(">=9.0.0");
    assert_eq!(case.refusal(), "D1505");
    case.run["components"] = json!({ "runtime": "9.0.0" });
    assert_eq!(case.refusal(), "D1505");
}

#[test]
fn a_recording_has_the_hash_of_its_compile() {
    let case = Case::new();
    assert!(case.run.get("tokenizer").is_none());
    let hash = case.compiled(|outcome| outcome.context().unwrap().context_ledger.compiled_context_hash);
    let recording = Recording {
        pack: case.material(),
        request: case.request.clone(),
        run: case.run.clone(),
        evidence: case.evidence.clone(),
        memory: case.memory.clone(),
        recalled_memory: None,
        source_kind: SourceKind::DecisionRecord,
        origin: Default::default(),
        reported_tokens: None,
    };
    let bundle = record(recording, &Hydrations::new()).unwrap();
    assert_eq!(bundle.expected.compiled_context_hash, hash);
    assert!(replay(&bundle, &Hydrations::new()).unwrap().is_equal());
}

#[test]
fn what_prohibits_or_forbids_nothing_is_noted() {
    let mut case = Case::new();
    case.run["prohibitions"] = json!([
        { "adapter_id": "adp_paymnts" },
        { "adapter_id": "adp_payments", "capability": "isue_refund" },
        { "adapter_id": "adp_policy", "capability": "eval" },
    ]);
    case.pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][0]["then"]["forbids"] = json!(["adp_x.y"]);
    case.compiled(|outcome| {
        let notices = &outcome.context().unwrap().context_ledger.notices;
        let codes: Vec<&str> = notices.iter().map(|n| n.code.as_ref()).collect();
        assert_eq!(codes, ["D1537", "D1537", "D1538"]);
        assert!(notices[0].message.contains("`adp_payments.isue_refund`"), "{notices:?}");
    });
}

#[test]
fn only_graph_references_are_shown_without_their_snapshot() {
    let mut case = Case::new();
    case.evidence = json!([piece("tool:a.b:c#1", json!("one")), piece("tool:a.b:c#2", json!("two"))]);
    case.compiled(|outcome| {
        let prompt = render_prompt(&outcome.context().unwrap().compiled_prompt);
        assert!(prompt.contains("<<<ev_0 tool:a.b:c#1\n") && prompt.contains("<<<ev_1 tool:a.b:c#2\n"), "{prompt}");
    });
}

#[test]
fn another_sessions_evidence_and_another_tenants_memory_have_no_voice() {
    let mut case = Case::new();
    let mut foreign = piece("session:somebody", json!("no"));
    foreign["conflicts_with"] = json!(["tool:a.b:1"]);
    case.evidence = json!([piece("tool:a.b:1", json!("yes")), foreign]);
    let mut other = case.memory[0].clone();
    other["tenant_id"] = json!("tenant_globex");
    case.memory.as_array_mut().unwrap().push(other);
    case.compiled(|outcome| {
        let context = outcome.context().unwrap();
        assert_eq!(context.manifests.evidence_manifest.len(), 1);
        let foreign = context.context_ledger.evidence.iter().find(|e| e.evidence_ref == "session:somebody").unwrap();
        assert_eq!(foreign.reasons[0], EvidenceReason::OtherSession);
        assert!(context.compiled_prompt.context_blocks.iter().any(|b| b.block_id == "mem_0"));
    });
}

#[test]
fn predicates_see_the_tenant_of_the_run() {
    let mut case = Case::new();
    case.pack["pack_meta"]["shared"] = json!(true);
    case.pack["policy_layer"]["guardrails"]["must_refuse"] =
        json!([{ "id": "globex", "when": { "==": [{ "var": "tenant.tenant_id" }, "tenant_globex"] } }]);
    assert_eq!(case.refusal(), "must_escalate");
    case.run["tenant_id"] = json!("tenant_globex");
    case.compiled(|outcome| assert_eq!(outcome.context().unwrap().outcome, Verdict::MustRefuse));
}

/// A copy of another tenant does not spoil ours; one of ours with another hash does.
#[test]
fn a_foreign_copy_spoils_nothing() {
    let mut case = Case::new();
    let ours = piece("tool:a.b:1", json!("yes"));
    let mut foreign = ours.clone();
    foreign["tenant_id"] = json!("tenant_globex");
    case.evidence = json!([ours, foreign]);
    case.compiled(|outcome| assert_eq!(outcome.context().unwrap().manifests.evidence_manifest.len(), 1));
    let mut wrong = ours.clone();
    wrong["payload_hash"] = json!(ContentHash::of_bytes(b"no"));
    case.evidence = json!([ours, wrong]);
    case.compiled(|outcome| {
        let context = outcome.context().unwrap();
        assert_eq!(context.manifests.evidence_manifest.len(), 0);
        let rejected = |e: &deed_model::LedgerEvidence<'_>| e.reasons.contains(&EvidenceReason::RepeatedRef);
        assert_eq!(context.context_ledger.evidence.iter().filter(|e| rejected(e)).count(), 2);
    });
    // The same again, with another source: once.
    let mut again = ours.clone();
    again["source_id"] = json!("elsewhere");
    case.evidence = json!([ours, again, ours]);
    case.compiled(|outcome| {
        let ledger = &outcome.context().unwrap().context_ledger.evidence;
        assert_eq!((ledger.len(), ledger[0].supplied), (1, Some(3)));
    });
}

#[test]
fn long_runs_of_one_kind_are_counted_in_one_pass() {
    let mut case = Case::new();
    for one in ["7", " ", "\n", "a", "A", "-", "'", "a1", " \n"] {
        case.request["input"]["message"] = json!(one.repeat(200_000));
        case.run["run_budget"] = json!({ "bucket_tokens": 10_000_000 });
        assert_eq!(case.refusal(), "must_escalate", "{one:?}");
    }
}

#[test]
fn the_part_that_is_gone_broke_the_prefix() {
    let case = Case::new();
    let (cache, given) = (Hydrations::new(), case.given());
    let pack = hydrate(&case.material(), &given.run, &cache).unwrap();
    let earlier = compile(&pack, given.inputs());
    let mut less = Case::new();
    less.run["safety_mode"] = json!("read_only");
    let given = less.given();
    let later = compile(&pack, given.inputs());
    let (earlier, later) = (earlier.context().unwrap(), later.context().unwrap());
    assert_eq!(deed_context::compare_prefix(earlier, later).broken_by.as_deref(), Some("tool_2"));
    assert_eq!(deed_context::compare_prefix(later, earlier).broken_by.as_deref(), Some("tool_2"));
    assert_eq!(deed_context::compare_prefix(later, later).broken_by, None);
}
