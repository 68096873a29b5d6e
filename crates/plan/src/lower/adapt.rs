//! C6, adapters: those that the plan names are checked, and those that bindings need become steps of their own.

use super::state::{Inserted, Lowering, Source, Told};
use crate::codes::{ADAPTER_MISFIT, BAD_PATH, BAD_ROLE, NEEDS_KEYS, UNKNOWN_ADAPTER};
use crate::path::WorkPath;
use deed_diag::{did_you_mean, quote};
use deed_model::{AbstractInput, Adapt, AdapterDeclaration, KindKey, PlanStep};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

pub(super) fn insert(lowering: &mut Lowering<'_>) {
    lowering.stage = "adapt";
    for index in 0..lowering.steps.len() {
        let Some(step) = lowering.plan.steps.get(index) else { continue };
        match &step.adapter {
            Some(id) => named(lowering, index, step, id),
            None => roleless(lowering, index, step),
        }
    }
    // By what they read, which adapter and with what settings: two readers share one.
    let mut known: HashMap<String, usize> = HashMap::new();
    for position in 0..lowering.order.len() {
        let Some(index) = lowering.order.get(position).copied() else { continue };
        let inputs = lowering.steps.get(index).map_or(0, |step| step.bound.len());
        for input in 0..inputs {
            way(lowering, index, input, &mut known);
        }
    }
}

/// The place of each input of a step among those of its adapter: by its role, or else the next place that no role takes.
pub(super) fn places(step: &PlanStep, adapter: &AdapterDeclaration) -> Vec<usize> {
    let of_role = |role: &String| adapter.roles.iter().position(|known| known == role);
    let taken: BTreeSet<usize> =
        step.abstract_inputs.iter().filter_map(|input| input.role.as_ref().and_then(of_role)).collect();
    let mut free = (0..step.abstract_inputs.len().max(adapter.from.len())).filter(|place| !taken.contains(place));
    let inputs = step.abstract_inputs.iter();
    inputs.filter_map(|input| input.role.as_ref().and_then(of_role).or_else(|| free.next())).collect()
}

/// The inputs of a step in the order in which its adapter takes them.
pub(super) fn in_order<'s>(step: &'s PlanStep, adapter: &AdapterDeclaration) -> Vec<(usize, &'s AbstractInput)> {
    let places = places(step, adapter);
    let mut inputs: Vec<(usize, &AbstractInput)> = step.abstract_inputs.iter().enumerate().collect();
    inputs.sort_by_key(|(position, _)| places.get(*position).copied());
    inputs
}

/// Roles are those of an adapter: without one they mean nothing.
fn roleless(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) {
    for (position, input) in step.abstract_inputs.iter().enumerate() {
        if let Some(role) = &input.role {
            let message = format!("an input has the role {}, and the step names no adapter", quote(role));
            let told = Told::error(index, BAD_ROLE, format!("/abstract_inputs/{position}/role"), message);
            lowering.tell(told.help("remove `role`; code finds its inputs by slot, entity and path"));
        }
    }
}

/// Each role is one of the adapter's, and no two inputs have the same.
fn roles(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep, adapter: &AdapterDeclaration) {
    let mut seen: HashMap<&String, usize> = HashMap::new();
    for (position, input) in step.abstract_inputs.iter().enumerate() {
        let Some(role) = &input.role else { continue };
        let at = format!("/abstract_inputs/{position}/role");
        let all: Vec<String> = adapter.roles.iter().map(|role| quote(role)).collect();
        if !adapter.roles.contains(role) {
            let message = format!("{} has no role {}", quote(&adapter.adapter_id), quote(role));
            let help = did_you_mean(role, adapter.roles.iter().map(String::as_str));
            let help = help.unwrap_or_else(|| match all.is_empty() {
                true => "remove `role`: the adapter takes one input".to_owned(),
                false => format!("its roles are {}", all.join(" and ")),
            });
            lowering.tell(Told::error(index, BAD_ROLE, at, message).help(help));
        } else if let Some(first) = seen.insert(role, position) {
            let message = format!("two inputs have the role {}", quote(role));
            let told = Told::error(index, BAD_ROLE, at, message);
            lowering.tell(
                told.related(format!("/steps/{index}/abstract_inputs/{first}/role"), "here first")
                    .help(format!("give each input one of {}", all.join(" and "))),
            );
        }
    }
}

/// A step that names an adapter has the inputs and the output that the adapter has.
fn named(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep, id: &str) {
    let catalog = lowering.catalog;
    let Some(adapter) = catalog.adapter(id) else {
        let message = format!("no adapter is called {}", quote(id));
        let help = did_you_mean(id, catalog.adapters().map(|adapter| adapter.adapter_id.as_str()));
        let help = help.unwrap_or_else(|| "`deed catalog list adapters` shows what there is".to_owned());
        lowering.tell(Told::error(index, UNKNOWN_ADAPTER, "/adapter", message).help(help));
        return;
    };
    roles(lowering, index, step, adapter);
    let told = |kinds: &[KindKey]| kinds.iter().map(|kind| quote(kind.as_str())).collect::<Vec<_>>().join(" and ");
    let form = format!("{} makes {} of {}", quote(id), quote(adapter.to.as_str()), told(&adapter.from));
    let known = lowering.steps.get(index);
    let taken = known.and_then(|step| step.needs.first()?.as_ref().map(|need| need.entity.clone()));
    let made = known.and_then(|step| step.outputs.first().map(|output| output.entity.clone()));
    let mut misfit = |at: String, message: String| {
        lowering.tell(Told::error(index, ADAPTER_MISFIT, at, message).help(form.clone()));
    };
    if step.abstract_inputs.len() != adapter.from.len() {
        let message = format!(
            "{} takes {} inputs, and the step has {}",
            quote(id),
            adapter.from.len(),
            step.abstract_inputs.len()
        );
        misfit("/abstract_inputs".to_owned(), message);
    }
    for ((position, input), kind) in in_order(step, adapter).into_iter().zip(&adapter.from) {
        if !input.required {
            let message = format!("{} cannot run without this input, and it is optional", quote(id));
            misfit(format!("/abstract_inputs/{position}/required"), message);
        }
        if !input.accepted_kind_keys.is_empty() && input.accepted_kind_keys != [kind.as_str()] {
            let message = format!("{} takes {} here", quote(id), quote(kind.as_str()));
            misfit(format!("/abstract_inputs/{position}/accepted_kind_keys"), message);
        }
    }
    if let (1, 1, Some(taken), Some(made)) = (step.abstract_inputs.len(), step.abstract_outputs.len(), taken, made)
        && taken != made
        && !adapter.needs_keys
    {
        let message = "an adapter changes the form and not what it means; the two entities have to be the same";
        misfit("/abstract_outputs/0/entity_schema_id".to_owned(), message.to_owned());
    }
    if !step.side_effects.is_empty() || !step.tool_needs.is_empty() {
        misfit("/adapter".to_owned(), "an adapter calls no tools and does nothing beyond the workspace".to_owned());
    }
    if let [first, second, ..] = step.abstract_inputs.as_slice() {
        if second.adapt.is_some() && first.adapt.is_some() && second.adapt != first.adapt {
            misfit("/abstract_inputs/1/adapt".to_owned(), "both sides are joined by the same keys".to_owned());
        }
        for (position, input) in step.abstract_inputs.iter().enumerate() {
            if input.adapt.as_ref().is_some_and(|adapt| !adapt.measures.is_empty()) {
                let message = format!("{} computes no measures", quote(id));
                misfit(format!("/abstract_inputs/{position}/adapt/measures"), message);
            }
        }
    }
    if step.code.is_some() {
        misfit("/code".to_owned(), "a step has code or an adapter, and not both".to_owned());
    }
    let outputs: Vec<KindKey> =
        lowering.steps.get(index).map(|step| step.outputs.iter().map(|o| o.kind.clone()).collect()).unwrap_or_default();
    if step.abstract_outputs.len() != 1 || outputs.iter().any(|kind| *kind != adapter.to) {
        let message = format!("{} gives {} and nothing else", quote(id), quote(adapter.to.as_str()));
        lowering.tell(Told::error(index, ADAPTER_MISFIT, "/abstract_outputs", message).help(form));
    }
    if adapter.needs_keys
        && !step.abstract_inputs.iter().any(|input| input.adapt.as_ref().is_some_and(|a| !a.keys.is_empty()))
    {
        let message = format!("{} needs keys", quote(id));
        let told = Told::error(index, NEEDS_KEYS, "/abstract_inputs", message);
        lowering.tell(told.help("name them under `adapt: { keys: [...] }` of the input"));
    }
}

/// The adapters on the way to one input.
fn way(lowering: &mut Lowering<'_>, index: usize, input: usize, known: &mut HashMap<String, usize>) {
    let Some(bound) = lowering.steps.get(index).and_then(|step| step.bound.get(input)).cloned().flatten() else {
        return;
    };
    let Some(output) = lowering.output(bound.source).cloned() else { return };
    let plan = lowering.plan;
    let Some(authored) = plan.steps.get(index).and_then(|step| step.abstract_inputs.get(input)) else { return };
    let policy = lowering.steps.get(index).map(|step| step.policy.clone());
    let (mut reads, mut kind) = (output.path.clone(), output.kind.clone());
    let mut before: Vec<String> = match bound.source {
        Source::Mission(_) => Vec::new(),
        Source::Step(step, _) => lowering.steps.get(step).map(|step| step.authored.id.clone()).into_iter().collect(),
    };
    let grouped = lowering.steps.get(index).and_then(|step| step.needs.get(input)?.as_ref()?.grouped.clone());
    let (mut entity, mut derived) = (output.entity.clone(), output.derived.clone());
    let (mut fields, mut grain) = (output.fields.clone(), output.grain.clone());
    let mut provenance = output.provenance.clone();
    let mut by = Vec::new();
    for id in &bound.route {
        let (Some(adapter), Some(policy)) = (lowering.catalog.adapter(id), policy.clone()) else { return };
        let Some(made) = lowering.catalog.kind(adapter.to.as_str()) else { return };
        let adapt = authored.adapt.clone().filter(|_| adapter.needs_keys);
        let from_entity = entity.clone();
        if let Some(adapt) = &adapt {
            if let Some(grouped) = &grouped {
                entity = grouped.id.clone();
                derived = Some(Arc::clone(grouped));
            }
            grain = Arc::new(adapt.keys.iter().cloned().collect());
            fields = Arc::new(grain.iter().cloned().chain(adapt.measures.iter().map(|m| m.name.clone())).collect());
            provenance.retain(|field| fields.contains(field));
        }
        let name = format!("adapt:{reads}:{id}{}", settings(adapt.as_ref()));
        let extension = made.extensions.first().map_or("out", String::as_str);
        // The folder is that of this one adapter, so that no two write to one place.
        let folder = digits(name.as_bytes());
        let file = output.path.rsplit('/').next().unwrap_or("file");
        if WorkPath::read(&output.path).is_err() {
            return;
        }
        let Ok(writes) = WorkPath::read(&format!("work/adapted/{folder}/{file}.{extension}")).map(|path| path.text)
        else {
            let message = format!("the ending {} of {} makes no path", quote(extension), quote(adapter.to.as_str()));
            let at = format!("/abstract_inputs/{input}");
            lowering.tell(Told::error(index, BAD_PATH, at, message).help("mend the kind's `extensions`"));
            return;
        };
        match known.get(&name).copied() {
            Some(at) => {
                if let Some(shared) = lowering.inserted.get_mut(at) {
                    shared.policy.rules = shared.policy.rules.and(policy.rules);
                    let ids: BTreeSet<_> =
                        shared.policy.policy_profile_ids.iter().chain(&policy.policy_profile_ids).cloned().collect();
                    shared.policy.policy_profile_ids = ids.into_iter().collect();
                }
            }
            None => {
                known.insert(name.clone(), lowering.inserted.len());
                lowering.inserted.push(Inserted {
                    id: name.clone(),
                    adapter: id.clone(),
                    before: before.clone(),
                    reads: reads.clone(),
                    from_kind: kind.clone(),
                    writes: writes.clone(),
                    kind: adapter.to.clone(),
                    format: made.format,
                    from_entity,
                    entity: entity.clone(),
                    derived: derived.clone(),
                    slot: output.slot.clone(),
                    fields: fields.clone(),
                    grain: grain.clone(),
                    provenance: provenance.clone(),
                    adapt: adapt.clone(),
                    policy,
                });
            }
        }
        by.push(name.clone());
        (before, reads, kind) = (vec![name], writes, adapter.to.clone());
    }
    if let Some(step) = lowering.steps.get_mut(index) {
        if let Some(slot) = step.by.get_mut(input) {
            *slot = by;
        }
        if let Some(slot) = step.arrived.get_mut(input) {
            *slot = derived;
        }
        if let Some(slot) = step.read_from.get_mut(input) {
            *slot = Some((reads, kind));
        }
    }
}

/// Settings as a part of a name, so that two settings are two steps.
fn settings(adapt: Option<&Adapt>) -> String {
    let text = adapt.and_then(|adapt| serde_json::to_string(adapt).ok());
    text.map_or_else(String::new, |text| format!(":{}", digits(text.as_bytes())))
}

/// Sixteen digits of a hash.
fn digits(bytes: &[u8]) -> String {
    deed_canon::ContentHash::of_bytes(bytes).hex().chars().take(16).collect()
}
