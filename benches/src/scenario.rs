//! Packs and requests for measuring compiles.
#![allow(clippy::indexing_slicing, reason = "the documents are ours: a part that is not there is a mistake here")]

use deed_canon::ContentHash;
use deed_context::{Evidence, Hydrated, Inputs, Memory, ReadInput, Request, Run, tokenizer};
use deed_diag::{Document, Format};
use deed_pack::{Bundle, Selection, resolve};
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;

/// Everything that a compile reads besides the pack.
pub(crate) struct Given {
    pub(crate) request: Request,
    pub(crate) run: Run,
    pub(crate) evidence: Evidence,
    pub(crate) memory: Memory,
    /// The same as JSON text, as it would come over a wire.
    pub(crate) json: String,
}

impl Given {
    pub(crate) fn inputs(&self) -> Inputs<'_> {
        Inputs { request: &self.request, run: &self.run, evidence: &self.evidence, memory: &self.memory }
    }

    fn of(request: Value, run: Value, evidence: Value, memory: Value) -> Result<Self, Box<dyn Error>> {
        let json = format!("{request}{run}{evidence}{memory}");
        let failed = |refusal: deed_context::Refusal| format!("{:?}", refusal.diagnostic);
        Ok(Self {
            request: Request::from_value(request).map_err(failed)?,
            run: Run::from_value(run).map_err(failed)?,
            evidence: Evidence::from_value(evidence).map_err(failed)?,
            memory: Memory::from_value(memory).map_err(failed)?,
            json,
        })
    }
}

/// The folder of the support pack.
pub(crate) fn support_folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../packs/support")
}

fn example(name: &str) -> Result<Value, Box<dyn Error>> {
    let path = support_folder().join(format!("examples/{name}.yaml"));
    let document = Document::read(name, &std::fs::read(path)?, Format::Yaml).map_err(|r| format!("{r:?}"))?;
    Ok(document.value().clone())
}

/// A pack, ready to compile.
pub(crate) fn hydrated(pack: &Value) -> Result<Hydrated, Box<dyn Error>> {
    let mut pack = pack.clone();
    if let Some(meta) = pack.get_mut("pack_meta").and_then(Value::as_object_mut) {
        meta.remove("overlays");
    }
    let document = Document::read("pack", pack.to_string().as_bytes(), Format::Json).map_err(|r| format!("{r:?}"))?;
    let bundle = Bundle::of_document(document);
    let typed = bundle.typed().ok_or("not a pack")?;
    let resolved = resolve(&bundle, &typed, &Selection::Named(Vec::new())).map_err(|r| format!("{r:?}"))?;
    let tokens = tokenizer("o200k_base").ok_or("no tokenizer")?;
    Hydrated::new(&resolved, tokens).map_err(|r| format!("{:?}", r.diagnostic).into())
}

/// The worked example, with another order and another amount in each.
pub(crate) fn examples(count: usize) -> Result<Vec<Given>, Box<dyn Error>> {
    let (request, run) = (example("request")?, example("run")?);
    let (evidence, memory) = (example("evidence")?, example("memory")?);
    (0..count)
        .map(|i| {
            let mut request = request.clone();
            let order = 881 + i;
            if let Some(input) = request.get_mut("input") {
                input["message"] = json!(format!("Refund order ord_{order} for INR {}.", 4200 + i));
                input["context"]["refund_amount"] = json!(4200 + i);
            }
            let mut evidence = evidence.clone();
            for item in evidence.as_array_mut().into_iter().flatten() {
                let text = item["content"].as_str().unwrap_or_default().replace("ord_881", &format!("ord_{order}"));
                item["payload_hash"] = json!(ContentHash::of_bytes(text.as_bytes()));
                item["content"] = json!(text);
            }
            Given::of(request, run.clone(), evidence, memory.clone())
        })
        .collect()
}

/// A large pack: rules that read the request, and capabilities that are all exposed.
pub(crate) fn large_pack(rules: usize, capabilities: usize) -> Result<Value, Box<dyn Error>> {
    let mut pack = crate::packs::support()?;
    let rule = |i: usize| {
        json!({
            "rule_id": format!("R_{i}"),
            "if": {"and": [
                {"==": [{"var": "user.role"}, "support_agent"]},
                {">": [{"var": "request.context.refund_amount"}, i]}
            ]},
            "then": {"allow": true, "requires": ["order_lookup"]},
            "rationale": format!("Amounts above {i} are looked at.")
        })
    };
    pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"] = (0..rules).map(rule).collect();
    let names: Vec<String> = (0..capabilities).map(|i| format!("cap_{i}")).collect();
    pack["tooling_layer"]["adapter_registry"][0]["capabilities"] = json!(names);
    let permission = |name: &String| json!({"permission_id": format!("p_{name}"), "adapter_id": "adp_orders", "capability": name, "allow": true});
    pack["tooling_layer"]["permissions"] = names.iter().map(permission).collect();
    Ok(pack)
}

/// A request with many pieces of evidence of a kilobyte each.
pub(crate) fn large_given(pieces: usize) -> Result<Given, Box<dyn Error>> {
    let (request, mut run) = (example("request")?, example("run")?);
    let plenty = 100_000_000;
    run["run_budget"] = json!({"bucket_tokens": {
        "business": plenty, "policy": plenty, "tool": plenty, "evidence": plenty, "memory": plenty, "session": plenty
    }});
    let words =
        ["order", "was", "delivered", "to", "the", "customer", "and", "returned", "after", "some", "days", "in"];
    let piece = |i: usize| {
        let mut text = String::new();
        let mut state = i as u64 + 1;
        while text.len() < 1000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let word = words.get((state >> 33) as usize % words.len()).copied().unwrap_or_default();
            text.push_str(word);
            text.push_str(if state.is_multiple_of(11) { ". " } else { " " });
            if state.is_multiple_of(7) {
                text.push_str(&format!("{} ", (state >> 40) % 10_000));
            }
        }
        json!({
            "evidence_ref": format!("kg:order:ord_{i}#snapshot_kg_2026_05_03_T0930"),
            "source_id": "kg.orders",
            "tenant_id": "tenant_acme_prod",
            "classification": "INTERNAL",
            "payload_hash": ContentHash::of_bytes(text.as_bytes()),
            "content": text,
        })
    };
    Given::of(request, run, (0..pieces).map(piece).collect(), json!([]))
}
