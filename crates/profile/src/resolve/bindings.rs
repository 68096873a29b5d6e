//! The bindings of all slots: model, prompt and the parameters that the provider takes.

use super::{ResolveInputs, origin_place};
use crate::chain::{EffectiveValue, EffectiveValues};
use crate::filter::filter;
use crate::gates::models;
use crate::prompts::{PromptLibrary, prompt_hash};
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, Invariant as _, Report, codes, did_you_mean, quote};
use deed_model::{
    BindingSlot, ModelParameter, ModelRef, ObjectRef, PromptBinding, ReasoningSwitches, ResolvedBinding,
    RuntimeOverrides,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// Bindings by slot, and the prompts that they use by reference.
type Bindings = (BTreeMap<String, ResolvedBinding>, BTreeMap<String, PromptBinding>);

/// Resolves every slot. Faults go to the report.
pub(super) fn resolved(
    inputs: &ResolveInputs<'_>,
    values: &EffectiveValues,
    switches: &ReasoningSwitches,
    library: &PromptLibrary<'_>,
    report: &mut Report,
) -> Bindings {
    let mut bindings = BTreeMap::new();
    let mut prompts = BTreeMap::new();
    for slot in BindingSlot::all() {
        let model = model(inputs, values, slot, report);
        let used = prompt(inputs, values, slot, library, report);
        let filtered = filter(&model, &parameters(values, slot), switches);
        // A consumer that asks no model has no call, so nothing of a call is dropped either.
        let dropped = if model == ModelRef::None { Vec::new() } else { filtered.dropped };
        if let Some(used) = &used {
            prompts.insert(used.reference.clone(), used.prompt.clone());
        }
        let binding = ResolvedBinding {
            consumer_key: slot.consumer().to_string(),
            model_binding_ref: model.to_string(),
            prompt_binding_ref: used.as_ref().map(|used| used.reference.clone()),
            prompt_hash: used.map(|used| used.hash),
            parameters: filtered.parameters,
            dropped,
        };
        bindings.insert(slot.name(), binding);
    }
    (bindings, prompts)
}

fn value<'a>(values: &'a EffectiveValues, slot: BindingSlot, field: &str) -> Option<&'a EffectiveValue> {
    values.get(&format!("{slot}/{field}"))
}

fn parameters(values: &EffectiveValues, slot: BindingSlot) -> RuntimeOverrides {
    let set: Vec<(ModelParameter, Value)> = ModelParameter::ALL
        .into_iter()
        .filter_map(|name| Some((name, value(values, slot, name.as_str())?.value.clone())))
        .collect();
    RuntimeOverrides::of_parts(&set).ok().invariant("parameters that were read can be read again")
}

fn model(inputs: &ResolveInputs<'_>, values: &EffectiveValues, slot: BindingSlot, report: &mut Report) -> ModelRef {
    let Some(found) = value(values, slot, "model_binding_ref") else { return ModelRef::None };
    let checked = models::check(found.value.as_str().invariant("a reference that was read is text"));
    let refusal = match checked {
        Ok(ModelRef::Model { .. }) if !slot.consumer().asks_a_model() => models::native(),
        Ok(model) => return model,
        Err(refusal) => *refusal,
    };
    report.push(refusal.stage("profile").at(origin_place(inputs, found)));
    ModelRef::None
}

/// A prompt with its pinned reference and its hash.
struct UsedPrompt<'a> {
    reference: String,
    prompt: &'a PromptBinding,
    hash: ContentHash,
}

fn prompt<'a>(
    inputs: &ResolveInputs<'_>,
    values: &EffectiveValues,
    slot: BindingSlot,
    library: &PromptLibrary<'a>,
    report: &mut Report,
) -> Option<UsedPrompt<'a>> {
    if !slot.consumer().asks_a_model() {
        return None;
    }
    let bound = value(values, slot, "prompt_binding_ref")?;
    let text = bound.value.as_str().invariant("a reference that was read is text");
    if let Some(refusal) = inputs.objects.refusal(&ObjectRef::prompt(text), origin_place(inputs, bound)) {
        report.push(refusal.stage("profile"));
        return None;
    }
    let found = text.parse().ok().and_then(|reference| {
        let (pinned, prompt) = library.find(&reference)?;
        Some(UsedPrompt { reference: pinned.to_string(), prompt, hash: prompt_hash(prompt).ok()? })
    });
    if found.is_none() {
        let known = library.references();
        let help = did_you_mean(text, known.iter().map(String::as_str));
        let refusal = Diagnostic::error(codes::UNKNOWN_PROMPT, format!("unknown prompt {}", quote(text)))
            .help(help.unwrap_or_else(|| "`deed prompt list` lists the prompts".to_owned()));
        report.push(refusal.stage("profile").at(origin_place(inputs, bound)));
    }
    found
}
