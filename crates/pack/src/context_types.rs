//! The schema of the evaluation context: what a predicate may read.
//!
//! The run context is merged into the top level and may have its own keys, and `request.context` belongs to the
//! application, so both are open; what Deed itself supplies is closed and typed.

use deed_diag::Invariant as _;
use deed_logic::Ty;
use deed_model::{ApprovalMode, ContextPack, EnvironmentDefaults};
use serde_json::{Map, Value, json};

/// Names at the top level that Deed supplies or interprets.
pub(crate) const KNOWN_ROOTS: [&str; 20] = [
    "call",
    "user",
    "request",
    "intent",
    "tenant",
    "env",
    "run_id",
    "tenant_id",
    "user_id",
    "session_id",
    "request_id",
    "channel",
    "locale",
    "safety_mode",
    "as_of",
    "kg_snapshot_id",
    "prohibitions",
    "run_budget",
    "context_pack_refs",
    "environment",
];

/// Fields of a request.
pub(crate) const KNOWN_IN_REQUEST: [&str; 10] = [
    "context",
    "input",
    "intent",
    "message",
    "channel",
    "locale",
    "session",
    "request_id",
    "tenant_id",
    "context_pack_refs",
];
/// Fields of a call.
pub(crate) const KNOWN_IN_CALL: [&str; 2] = ["tool", "arguments"];
/// Fields of a user.
pub(crate) const KNOWN_IN_USER: [&str; 6] = ["role", "roles", "id", "user_id", "name", "department"];

/// Returns the type of the evaluation context of a pack, for requests of one intent or of any.
pub(crate) fn evaluation_context(pack: &ContextPack, intent: Option<&str>) -> Ty {
    let text = json!({ "type": "string" });
    let modes: Vec<&str> = ApprovalMode::ALL.iter().map(|m| m.as_str()).collect();
    let intents = intent.map_or_else(|| pack.intents(), |one| vec![one]);
    let intent_id = if intents.is_empty() { text.clone() } else { json!({ "type": "string", "enum": intents }) };
    Ty::from_schema(&json!({
        "type": "object",
        "properties": {
            "intent": {
                "type": "object",
                "properties": {
                    "id": intent_id,
                    "class": { "type": ["string", "null"] },
                    "task": { "type": ["string", "null"] },
                },
                "required": ["id", "class", "task"],
                "additionalProperties": false,
            },
            "tenant": {
                "type": "object",
                "properties": { "tenant_id": text, "name": { "type": ["string", "null"] } },
                "required": ["tenant_id", "name"],
                "additionalProperties": false,
            },
            "env": environment(&pack.pack_meta.environment_defaults),
            "safety_mode": { "type": "string", "enum": modes },
            "user": { "type": "object", "properties": { "role": text }, "required": ["role"] },
            "request": { "type": "object", "properties": { "context": { "type": "object" } }, "required": ["context"] },
            "call": {
                "type": "object",
                "properties": { "tool": tool_names(pack), "arguments": { "type": "object" } },
                "required": ["tool", "arguments"],
                "additionalProperties": false,
            },
        },
        "required": ["call", "intent", "tenant", "env", "user", "request", "safety_mode"],
    }))
}

/// Returns the type of `call.tool`: the capabilities of the registry.
fn tool_names(pack: &ContextPack) -> Value {
    let adapters = pack.tooling_layer.adapter_registry.iter();
    let names: Vec<String> =
        adapters.flat_map(|a| a.capabilities.iter().map(move |c| format!("{}.{}", a.adapter_id, c.id()))).collect();
    if names.is_empty() { json!({ "type": "string" }) } else { json!({ "type": "string", "enum": names }) }
}

fn environment(defaults: &EnvironmentDefaults) -> Value {
    let given = serde_json::to_value(defaults).invariant("defaults are JSON");
    let properties: Map<String, Value> =
        EnvironmentDefaults::KEYS.iter().map(|k| ((*k).to_owned(), json!({ "type": "string" }))).collect();
    let required: Vec<&str> = EnvironmentDefaults::KEYS.into_iter().filter(|k| given.get(*k).is_some()).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
