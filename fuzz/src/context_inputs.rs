//! Whatever comes as request, run, evidence and memory: no panic, everything accounted for, every hash holds, and
//! nothing in the prompt is a fence but ours.
#![no_main]

use deed_context::{Evidence, Hydrated, Inputs, Memory, ReadInput, Request, Run, compile, render_prompt, tokenizer, verify};
use deed_diag::{Document, Format};
use deed_model::Bucket;
use deed_pack::{Bundle, Selection, resolve};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use std::sync::LazyLock;

static PACK: LazyLock<Hydrated> = LazyLock::new(|| {
    let text = include_str!("../../packs/support/pack.yaml");
    let document = Document::read("pack.yaml", text.as_bytes(), Format::Yaml).expect("the support pack is readable");
    let mut value = document.value().clone();
    value["pack_meta"].as_object_mut().expect("a layer").remove("overlays");
    value["policy_layer"]["guardrails"]["redaction_rules"] = json!(["pan", "credit_card", "email", "phone", "iban"]);
    let document = Document::read("pack.json", value.to_string().as_bytes(), Format::Json).expect("it is JSON");
    let bundle = Bundle::of_document(document);
    let resolved = resolve(&bundle, &bundle.typed().expect("a pack"), &Selection::Named(Vec::new())).expect("no overlays");
    Hydrated::new(&resolved, tokenizer("bytes/4").expect("an estimate")).expect("it can be used")
});

/// The given document where it is one, with what a compile needs at least.
fn given(document: Option<&Value>, needed: Value) -> Value {
    let mut value = document.cloned().unwrap_or(Value::Null);
    if let (Some(fields), Some(needed)) = (value.as_object_mut(), needed.as_object()) {
        for (key, part) in needed {
            fields.entry(key.clone()).or_insert_with(|| part.clone());
        }
        return value;
    }
    needed
}

fuzz_target!(|data: &[u8]| {
    // JSON with four parts, or any text, which is then evidence, memory, a turn and a message at once.
    let parts: Value = serde_json::from_slice(data).unwrap_or_else(|_| {
        let text = String::from_utf8_lossy(data);
        let hash = deed_canon::ContentHash::of_bytes(text.as_bytes());
        json!({
            "request": { "input": { "intent": "support.refund", "message": text },
                         "session": { "recent_turns": [{ "role": text, "text": text }] } },
            "evidence": [{ "evidence_ref": "tool:a.b:c", "tenant_id": "tenant_acme_prod", "classification": "INTERNAL",
                           "content": text, "payload_hash": hash },
                         { "evidence_ref": text, "content": [text] }],
            "memory": [{ "id": text, "tenant_id": "tenant_acme_prod", "subject": "*", "intent_id": "*", "tier": "semantic",
                         "classification": "PUBLIC", "text": text, "promoted_at": "2026-05-01T00:00:00Z" }],
        })
    });
    let request = given(parts.get("request"), json!({ "request_id": "r", "input": { "intent": "support.refund" } }));
    let run = given(
        parts.get("run"),
        json!({ "run_id": "r", "tenant_id": "tenant_acme_prod", "safety_mode": "destructive", "as_of": "2026-05-09T00:00:00Z" }),
    );
    let (Ok(request), Ok(run)) = (Request::from_value(request), Run::from_value(run)) else { return };
    let list = |name: &str| parts.get(name).cloned().unwrap_or_else(|| json!([]));
    let (Ok(evidence), Ok(memory)) = (Evidence::from_value(list("evidence")), Memory::from_value(list("memory"))) else {
        return;
    };
    let inputs = Inputs { request: &request, run: &run, evidence: &evidence, memory: &memory };
    let outcome = compile(&PACK, inputs);
    let Some(context) = outcome.context() else { return };
    assert_eq!(verify(context), Ok(()));
    let supplied: u64 = context.context_ledger.evidence.iter().map(|e| e.supplied.unwrap_or(1)).sum();
    assert_eq!(supplied, evidence.items().len() as u64);
    assert_eq!(context.context_ledger.memory.len(), memory.items().len());
    let prompt = render_prompt(&context.compiled_prompt);
    let outside = |bucket: Bucket| matches!(bucket, Bucket::Evidence | Bucket::Memory | Bucket::Session);
    let blocks = context.compiled_prompt.context_blocks.iter().filter(|b| outside(b.bucket)).count();
    let fences = blocks + usize::from(request.message().is_some());
    // The developer text names both once.
    assert_eq!((prompt.matches("<<<").count(), prompt.matches(">>>").count()), (fences + 1, fences + 1));
});
