//! Whether a packet may take the place of another one.
//!
//! Enters: both recordings. Leaves: nothing, or the reason why not. Must prove: nothing that the earlier packet would have
//! found is lost with it.

use super::inputs::{counted_by, prepare};
use super::run::{is_equal_again, unmet_of};
use super::seal::broken;
use crate::cache::Hydrations;
use crate::compile::compile_recorded;
use crate::hydrate::{PackMaterial, hydrate_for};
use deed_canon::Pointer;
use deed_diag::{Invariant as _, Report};
use deed_model::{Correction, GoldenExpectation, ReplayBundle, SourceKind};
use serde_json::{Value, json};
use thiserror::Error;

/// The reason why a packet may not take the place of another one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SupersedeFault {
    /// One of them is not what was recorded.
    #[error("`{0}` was changed since it was recorded")]
    Changed(String),
    /// It is of another pack, tenant or request.
    #[error("its {what} is {newer}, and that of the older one is {older}")]
    Other {
        /// What differs.
        what: &'static str,
        /// The value of the older packet.
        older: String,
        /// The value of the newer packet.
        newer: String,
    },
    /// The older one is a correction, and the newer one is neither a correction nor a golden case.
    #[error(
        "the older one is a correction, and this is a `{0}`: an `operator_correction` or a `golden_case` may take it"
    )]
    Kind(SourceKind),
    /// The newer one states less than the correction that it would replace.
    #[error("it does not state what the correction states at {}", .0.join(", "))]
    StatesLess(Vec<String>),
    /// The newer golden case does not compile as it was recorded.
    #[error("it does not compile as it was recorded")]
    NotCurrent,
}

/// What two packets have to share: its name, and its value.
type Identity = (&'static str, fn(&ReplayBundle) -> Option<&Value>);

/// Checks that a packet is about the same pack, tenant and request as an earlier one. One that takes the place of a
/// correction states at least as much, about the same request, evidence, memory and run.
///
/// # Errors
/// The first reason why it is not.
pub fn may_take_place(older: &ReplayBundle, newer: &ReplayBundle, cache: &Hydrations) -> Result<(), SupersedeFault> {
    for bundle in [older, newer] {
        if broken(bundle).map_or(true, |parts| !parts.is_empty()) {
            return Err(SupersedeFault::Changed(bundle.packet.packet_id.clone()));
        }
    }
    let identities: [Identity; 4] = [
        ("pack", |bundle| bundle.inputs.pack.pointer("/pack_meta/pack_id")),
        ("tenant", |bundle| bundle.inputs.run.get("tenant_id")),
        ("intent", |bundle| bundle.inputs.request.pointer("/input/intent")),
        ("request id", |bundle| bundle.inputs.request.get("request_id")),
    ];
    for (what, of) in identities {
        same(what, of(older), of(newer))?;
    }
    let Some(correction) = &older.packet.correction else { return Ok(()) };
    // A correction of other facts could hold without the fault having been corrected.
    for (what, decides) in DECIDING {
        let (older, newer) = (decides(older), decides(newer));
        same(what, Some(&older), Some(&newer))?;
    }
    let less = match (&newer.packet.correction, newer.packet.source_kind) {
        (Some(newer), _) => left_out(correction, newer),
        (None, SourceKind::GoldenCase) => not_met(newer, &correction.expect, cache)?,
        (None, kind) => return Err(SupersedeFault::Kind(kind)),
    };
    if less.is_empty() { Ok(()) } else { Err(SupersedeFault::StatesLess(less)) }
}

/// What decides about a request: its name, and its value without what cannot change a decision.
type Deciding = (&'static str, fn(&ReplayBundle) -> Value);

/// Everything that decides about a request, besides the pack.
const DECIDING: [Deciding; 4] = [
    // The versions that it names, and those of the run, are the pack's.
    ("request", |bundle| without(&bundle.inputs.request, &["context_pack_refs"])),
    ("evidence", |bundle| unordered(&bundle.inputs.evidence)),
    ("memory", |bundle| {
        json!([unordered(&bundle.inputs.memory), bundle.inputs.recalled_memory.as_ref().map(unordered)])
    }),
    ("run context", |bundle| {
        let mut run = without(&bundle.inputs.run, &["context_pack_refs", "run_id", "session_id", "tokenizer"]);
        for list in ["subject_ids", "prohibitions"] {
            run.get_mut(list).into_iter().for_each(|items| *items = unordered(items));
        }
        run
    }),
];

/// Returns an object without some of its fields.
fn without(value: &Value, fields: &[&str]) -> Value {
    let mut value = value.clone();
    if let Some(object) = value.as_object_mut() {
        object.retain(|name, _| !fields.contains(&name.as_str()));
    }
    value
}

/// Returns a list whose order has no meaning, sorted.
fn unordered(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(items) = value.as_array_mut() {
        items.sort_by_cached_key(ToString::to_string);
    }
    value
}

fn same(what: &'static str, older: Option<&Value>, newer: Option<&Value>) -> Result<(), SupersedeFault> {
    let shown = |value: Option<&Value>| match value {
        None => "none".to_owned(),
        // What was asked is not repeated in a message.
        Some(Value::Object(_) | Value::Array(_)) => "another one".to_owned(),
        Some(value) => value.to_string(),
    };
    match older == newer {
        true => Ok(()),
        false => Err(SupersedeFault::Other { what, older: shown(older), newer: shown(newer) }),
    }
}

/// Returns the places of an earlier correction that a later one does not state.
fn left_out(older: &Correction, newer: &Correction) -> Vec<String> {
    let json = |correction: &Correction| serde_json::to_value(&correction.expect).invariant("an expectation is JSON");
    let mut found = Vec::new();
    covered(&json(older), Some(&json(newer)), "/expect", &mut found);
    found
}

/// Collects the places of a value that another one does not have. Texts of a prompt may be joined by more of them; any
/// other list is exact.
fn covered(older: &Value, newer: Option<&Value>, at: &str, found: &mut Vec<String>) {
    match (older, newer) {
        (Value::Object(fields), Some(Value::Object(others))) => {
            for (name, value) in fields {
                covered(value, others.get(name), &Pointer::push(at, name), found);
            }
        }
        (Value::Array(texts), Some(Value::Array(others)))
            if ["/expect/prompt_has", "/expect/prompt_lacks"].contains(&at) =>
        {
            if !texts.iter().all(|text| others.contains(text)) {
                found.push(at.to_owned());
            }
        }
        (older, newer) if Some(older) == newer => {}
        _ => found.push(at.to_owned()),
    }
}

/// Returns the places of an expectation that a recording, compiled again, does not meet.
fn not_met(
    bundle: &ReplayBundle,
    expect: &GoldenExpectation,
    cache: &Hydrations,
) -> Result<Vec<String>, SupersedeFault> {
    let stale = |_: Report| SupersedeFault::NotCurrent;
    let prepared = prepare(&bundle.inputs).map_err(stale)?;
    let recorded = PackMaterial::recorded(&bundle.inputs);
    let pack = hydrate_for(&recorded, counted_by(&bundle.inputs, &prepared.run), cache).map_err(stale)?;
    let (outcome, stages) = compile_recorded(&pack, prepared.inputs());
    if !is_equal_again(bundle, &outcome, &stages) {
        return Err(SupersedeFault::NotCurrent);
    }
    Ok(unmet_of(expect, (&pack, prepared.inputs()), &outcome, &stages).into_iter().map(|unmet| unmet.pointer).collect())
}
