//! Packs of any size, all of whose rules differ.
#![allow(dead_code, reason = "each program uses a part of it")]

use serde_json::{Value, json};
use std::error::Error;

/// The support pack with more rules and capabilities; it passes lint.
pub(crate) fn large(rules: usize, capabilities: usize) -> Result<Value, Box<dyn Error>> {
    let mut pack = support()?;
    let many: Vec<Value> = (0..rules)
        .map(|i| {
            json!({
                "rule_id": format!("R_{i:05}"), "applies_to": { "intent": "support.refund" },
                "if": { "and": [
                    { "==": [{ "var": "user.role" }, format!("role_{}", i % 97)] },
                    { ">": [{ "var": format!("request.context.measure_{}", i % 211) }, i] },
                    { "<=": [{ "var": format!("request.context.measure_{}", i % 211) }, i + 500] },
                ] },
                "then": if i % 3 == 0 { json!({ "allow": false, "reason": "too much" }) } else { json!({ "allow": true, "requires": ["order_lookup"] }) },
                "decision_binding": "support.refund.execute", "rationale": "Measured and found to be needed.",
            })
        })
        .collect();
    let adapters: Vec<Value> = (0..capabilities.div_ceil(50))
        .map(|a| {
            let names: Vec<String> = (0..50).map(|c| format!("read_{a}_{c}")).collect();
            json!({ "adapter_id": format!("adp_bulk_{a}"), "type": "OPENAPI", "endpoint_ref": format!("internal://bulk-{a}"),
                "capabilities": names, "approval_mode": "read_only" })
        })
        .collect();
    let permissions: Vec<Value> = (0..capabilities)
        .map(|i| {
            json!({ "permission_id": format!("p_bulk_{i}"), "adapter_id": format!("adp_bulk_{}", i / 50),
                "capability": format!("read_{}_{}", i / 50, i % 50), "allow": true })
        })
        .collect();
    extend(&mut pack, "/policy_layer/policy_bundles/0/policy_dsl/rules", many);
    extend(&mut pack, "/tooling_layer/adapter_registry", adapters);
    extend(&mut pack, "/tooling_layer/permissions", permissions);
    Ok(pack)
}

fn extend(pack: &mut Value, pointer: &str, items: Vec<Value>) {
    if let Some(list) = pack.pointer_mut(pointer).and_then(Value::as_array_mut) {
        list.extend(items);
    }
}

/// The support pack without its overlays.
pub(crate) fn support() -> Result<Value, Box<dyn Error>> {
    let bytes = include_bytes!("../../packs/support/pack.yaml");
    let document = deed_diag::Document::read("pack.yaml", bytes, deed_diag::Format::Yaml)
        .map_err(|report| report.render(deed_diag::Style::Lines))?;
    let mut pack = document.value().clone();
    if let Some(meta) = pack.pointer_mut("/pack_meta").and_then(Value::as_object_mut) {
        meta.remove("overlays");
    }
    Ok(pack)
}
