//! C2, the catalogue as it stands: every name of the plan leads to something in it, or is refused with the nearest one.

mod mission;
mod names;

use self::names::{NameFault, pack_fault, policy_named};
pub(super) use self::names::{entity, kind, profile, slot};

use super::adapt::places;
use super::grouped;
use super::state::{Lowering, NeedSpec, Told};
use crate::codes::{
    BAD_GRAIN, NEEDS_KEYS, NO_EFFECT, NOT_IMPLEMENTED, PACK_NOT_NAMED, PROFILE_CONTRADICTS, UNKNOWN_CAPABILITY,
    UNKNOWN_COLUMN,
};
use deed_catalog::{Catalog, Entity, PackKind};
use deed_diag::{Severity, did_you_mean, quote};
use deed_model::{
    AbstractInput, KindKey, MeasureKind, Plan, PlanStep, PolicyProfile, PolicyRules, Profile, StepPolicy,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The policy of steps for which nobody names one.
const STRICTEST: &str = "strict.fail-closed.v1";

/// How a profile that contradicts is fixed.
pub(super) const PROFILE_HELP: &str = "leave `profile_id` out, or name a profile of this entity and kind";

pub(super) fn resolve(lowering: &mut Lowering<'_>) {
    lowering.stage = "snapshot";
    plan_level(lowering);
    for index in 0..lowering.steps.len() {
        packs(lowering, index);
        policy(lowering, index);
        inputs(lowering, index);
        tools(lowering, index);
    }
    mission::given(lowering);
}

fn plan_level(lowering: &mut Lowering<'_>) {
    let (plan, catalog) = (lowering.plan, lowering.catalog);
    let mut faults: Vec<(String, NameFault)> = Vec::new();
    let packs = [(PackKind::Domain, &plan.domain_pack_ids), (PackKind::Workflow, &plan.workflow_pack_ids)];
    for (kind, ids) in packs {
        for (position, id) in ids.iter().enumerate() {
            let at = format!("/{}_pack_ids/{position}", kind.as_str());
            faults.extend(pack_fault(catalog, kind, id).map(|fault| (at, fault)));
        }
    }
    for (at, id) in policy_names(plan.policy_profile_id.as_ref(), &plan.extra_policy_profile_ids) {
        faults.extend(policy_named(catalog, id).err().map(|fault| (at, fault)));
    }
    for (at, fault) in faults {
        lowering.say(Severity::Error, fault.code, &at, fault.message, fault.help);
    }
}

fn policy_names<'p>(one: Option<&'p String>, more: &'p [String]) -> Vec<(String, &'p String)> {
    let more = more.iter().enumerate().map(|(at, id)| (format!("/extra_policy_profile_ids/{at}"), id));
    one.map(|id| ("/policy_profile_id".to_owned(), id)).into_iter().chain(more).collect()
}

fn packs(lowering: &mut Lowering<'_>, index: usize) {
    let (plan, catalog) = (lowering.plan, lowering.catalog);
    let Some(step) = plan.steps.get(index) else { return };
    let sorts = [
        (PackKind::Domain, &plan.domain_pack_ids, &step.domain_pack_ids),
        (PackKind::Workflow, &plan.workflow_pack_ids, &step.workflow_pack_ids),
    ];
    for (kind, of_plan, of_step) in sorts {
        for (position, id) in of_step.iter().enumerate() {
            if let Some(fault) = pack_fault(catalog, kind, id) {
                lowering.tell(fault.told(index, format!("/{}_pack_ids/{position}", kind.as_str())));
            }
            let unknown = catalog.pack(kind, id).is_none();
            if let Some(step) = lowering.steps.get_mut(index).filter(|_| unknown) {
                step.packs_in_doubt = true;
            }
        }
        let all: BTreeSet<String> = of_plan.iter().chain(of_step).cloned().collect();
        let doubt = of_plan.iter().any(|id| catalog.pack(kind, id).is_none());
        if let Some(step) = lowering.steps.get_mut(index).filter(|_| doubt) {
            step.packs_in_doubt = true;
        }
        if let Some(step) = lowering.steps.get_mut(index) {
            match kind {
                PackKind::Workflow => step.workflow_packs = all.into_iter().collect(),
                PackKind::Domain | PackKind::Generic => step.domain_packs = all.into_iter().collect(),
            }
        }
    }
}

/// The strictest of all policies that apply to a step.
fn policy(lowering: &mut Lowering<'_>, index: usize) {
    let (plan, catalog) = (lowering.plan, lowering.catalog);
    let Some(step) = plan.steps.get(index) else { return };
    let own = policy_names(step.policy_profile_id.as_ref(), &step.extra_policy_profile_ids);
    let mut named: Vec<&PolicyProfile> = policy_names(plan.policy_profile_id.as_ref(), &plan.extra_policy_profile_ids)
        .into_iter()
        .filter_map(|(_, id)| catalog.policy(id))
        .collect();
    let outer = named.iter().map(|policy| policy.rules).reduce(PolicyRules::and);
    for (at, id) in own {
        match policy_named(catalog, id) {
            Ok(policy) => {
                named.push(policy);
                if let Some(outer) = outer.filter(|outer| loosens(policy.rules, *outer)) {
                    let message = format!("{} allows more than the plan's policy, which holds", quote(id));
                    let told = Told::warning(index, NO_EFFECT, at, message);
                    let help = match outer.adapters {
                        deed_model::AdapterUse::None => {
                            "adapters are still not put in; name them as steps of their own"
                        }
                        _ => "loosen the plan's policy, and tighten the steps that need it",
                    };
                    lowering.tell(told.help(help));
                }
            }
            Err(fault) => lowering.tell(fault.told(index, at)),
        }
    }
    if named.is_empty() {
        named.extend(default_policy(catalog, plan, step));
    }
    let ids: BTreeSet<_> = named.iter().map(|policy| policy.policy_profile_id.clone()).collect();
    let rules = named.iter().map(|policy| policy.rules).reduce(PolicyRules::and).unwrap_or(PolicyRules::STRICTEST);
    if let Some(step) = lowering.steps.get_mut(index) {
        step.policy = StepPolicy { policy_profile_ids: ids.into_iter().collect(), rules };
    }
}

/// Whether a policy allows what another does not. Those that only add demands of their own do not try to.
fn loosens(inner: PolicyRules, outer: PolicyRules) -> bool {
    let adds = inner.effects_need_gate && !outer.effects_need_gate || inner.provenance > outer.provenance;
    let allows = inner.adapters > outer.adapters || inner.allows_generic() && outer.generic == Some(false);
    allows && !adds
}

/// That of the first pack which has one, or the strictest.
fn default_policy<'c>(catalog: &'c Catalog, plan: &Plan, step: &PlanStep) -> Option<&'c PolicyProfile> {
    let domains = step.domain_pack_ids.iter().chain(&plan.domain_pack_ids).map(|id| (PackKind::Domain, id));
    let workflows = step.workflow_pack_ids.iter().chain(&plan.workflow_pack_ids).map(|id| (PackKind::Workflow, id));
    let mut packs = domains.chain(workflows).filter_map(|(kind, id)| catalog.pack(kind, id));
    let named = packs.find_map(|pack| pack.library.default_policy.as_ref());
    catalog.policy(named.map_or(STRICTEST, |id| id.as_str()))
}

fn inputs(lowering: &mut Lowering<'_>, index: usize) {
    let plan = lowering.plan;
    let Some(step) = plan.steps.get(index) else { return };
    for (position, input) in step.abstract_inputs.iter().enumerate() {
        let at = format!("/abstract_inputs/{position}");
        let need = need(lowering, index, input, &at);
        if let Some(slot) = lowering.steps.get_mut(index).and_then(|step| step.needs.get_mut(position)) {
            *slot = need;
        }
    }
}

fn need(lowering: &mut Lowering<'_>, index: usize, input: &AbstractInput, at: &str) -> Option<NeedSpec> {
    let catalog = lowering.catalog;
    let mut whole = true;
    if let Err(fault) = slot(catalog, &input.slot) {
        lowering.tell(fault.told(index, format!("{at}/slot")));
        whole = false;
    }
    let known = match entity(catalog, &input.entity_schema_id) {
        Ok(entity) => Some(entity),
        Err(fault) => {
            lowering.tell(fault.told(index, format!("{at}/entity_schema_id")));
            None
        }
    };
    let mut accepted = Vec::new();
    for (position, text) in input.accepted_kind_keys.iter().enumerate() {
        match kind(catalog, text) {
            Ok(kind) => accepted.push(kind),
            Err(fault) => {
                lowering.tell(fault.told(index, format!("{at}/accepted_kind_keys/{position}")));
                whole = false;
            }
        }
    }
    let mut wanted = None;
    if let Some(text) = &input.profile_id {
        match profile(catalog, text) {
            Ok(profile) => wanted = Some(profile),
            Err(fault) => {
                lowering.tell(fault.told(index, format!("{at}/profile_id")));
                whole = false;
            }
        }
    }
    let known = known.filter(|_| whole)?;
    names_pack(lowering, index, known, &format!("{at}/entity_schema_id"));
    let known = grouped::ungrouped(catalog, known, input.adapt.as_ref());
    let known = grouped::meant(catalog, known, input).unwrap_or(known);
    let step_groups = lowering.plan.steps.get(index).is_some_and(|step| step.adapter.is_some());
    let groups = if step_groups { None } else { grouped::of_input(catalog, known, input) };
    let read = groups.as_deref().unwrap_or(known);
    if catalog.entity(read.id.as_str()).is_some_and(|other| read.derived_from.is_some() && other.derived_from.is_none())
    {
        let message = format!("grouped rows would be called {}, which is another entity", quote(read.id.as_str()));
        let told = Told::error(index, NEEDS_KEYS, format!("{at}/adapt/keys"), message);
        lowering.tell(told.help("rename the entity of the catalogue"));
    }
    if let Some(profile) = wanted.filter(|profile| profile.entity_schema_id != known.id) {
        let message = format!(
            "profile {} is of {}, and the input is of {}",
            quote(profile.profile_id.as_str()),
            quote(profile.entity_schema_id.as_str()),
            quote(known.id.as_str())
        );
        let told = Told::error(index, PROFILE_CONTRADICTS, format!("{at}/profile_id"), message);
        lowering.tell(told.help(PROFILE_HELP));
        return None;
    }
    if let Some(profile) = wanted.filter(|profile| !accepted.is_empty() && !accepted.contains(&profile.kind_key)) {
        let message = format!(
            "profile {} is {}, which the input does not accept",
            quote(profile.profile_id.as_str()),
            quote(profile.kind_key.as_str())
        );
        let told = Told::error(index, PROFILE_CONTRADICTS, format!("{at}/profile_id"), message);
        lowering.tell(told.help(PROFILE_HELP));
        return None;
    }
    if wanted.is_some() {
        accepted.clear();
    }
    columns(lowering, index, read, &input.fields, &format!("{at}/fields"));
    let grain = grain(lowering, index, read, &input.grain, &input.fields, &format!("{at}/grain"));
    if accepted.is_empty() {
        accepted = taken_by_adapter(lowering, index, input)
            .map_or_else(|| accepted_by_default(catalog, known, &input.slot, wanted), |kind| vec![kind]);
    }
    let keys = keys(lowering, index, known, input, at);
    let keys_named = keys.is_some();
    let usual = accepted.first().and_then(|kind| catalog.profile_for(known.id.as_str(), kind.as_str()));
    let policy = lowering.rules(index);
    let names_fields = !input.fields.is_empty();
    Some(NeedSpec {
        entity: known.id.clone(),
        profile: wanted.or(usual).map(|profile| profile.profile_id.clone()),
        fields: if names_fields {
            Arc::new(input.fields.iter().cloned().collect())
        } else {
            Arc::clone(&read.required)
        },
        names_fields,
        grain,
        provenance: input.provenance_policy.max(policy.provenance),
        keys,
        must: wanted.is_some(),
        measured: input.adapt.iter().flat_map(|adapt| adapt.measures.iter().map(|m| m.field.clone())).collect(),
        measures: input.adapt.iter().flat_map(|adapt| adapt.measures.iter().map(|m| m.name.clone())).collect(),
        grouped: groups,
        groups: !step_groups && keys_named,
        accepted,
    })
}

/// The kind that the adapter of a step takes for one of its inputs.
fn taken_by_adapter(lowering: &Lowering<'_>, index: usize, input: &AbstractInput) -> Option<KindKey> {
    let step = lowering.plan.steps.get(index)?;
    let adapter = lowering.catalog.adapter(step.adapter.as_deref()?)?;
    let position = step.abstract_inputs.iter().position(|other| std::ptr::eq(other, input))?;
    let place = places(step, adapter).get(position).copied()?;
    adapter.from.get(place).cloned()
}

/// Keys to group or join by, held against the entity.
fn keys(
    lowering: &mut Lowering<'_>,
    index: usize,
    entity: &Entity,
    input: &AbstractInput,
    at: &str,
) -> Option<BTreeSet<String>> {
    let adapt = input.adapt.as_ref()?;
    if adapt.keys.is_empty() {
        let told = Told::error(index, NEEDS_KEYS, format!("{at}/adapt/keys"), "there are no keys to group or join by");
        lowering.tell(told.help("name at least one field"));
        return None;
    }
    let fields = adapt.keys.iter().enumerate().map(|(number, key)| (format!("keys/{number}"), key));
    let measured =
        adapt.measures.iter().enumerate().map(|(number, measure)| (format!("measures/{number}/field"), &measure.field));
    let unknown: Vec<(String, String)> = fields
        .chain(measured)
        .filter(|(_, field)| !entity.open && !entity.fields.contains(*field) && !input.fields.contains(*field))
        .map(|(part, field)| (part, field.clone()))
        .collect();
    for (part, field) in unknown {
        let message = format!("{} is no field of {}", quote(&field), quote(entity.id.as_str()));
        let help = did_you_mean(&field, entity.fields.iter().map(String::as_str));
        lowering.tell(Told::error(index, UNKNOWN_COLUMN, format!("{at}/adapt/{part}"), message).help_opt(help));
    }
    for (number, key) in adapt.keys.iter().enumerate().filter(|(_, key)| entity.is_composite(key) == Some(true)) {
        let message = format!("{} holds lists or objects, and rows cannot be told apart by it", quote(key));
        let at = format!("{at}/adapt/keys/{number}");
        lowering.tell(Told::error(index, NEEDS_KEYS, at, message).help("name a field of plain values"));
    }
    let mut names: BTreeSet<&String> = adapt.keys.iter().collect();
    for (number, measure) in adapt.measures.iter().enumerate() {
        if !names.insert(&measure.name) {
            let message = format!("{} is the name of another column of the result", quote(&measure.name));
            let at = format!("{at}/adapt/measures/{number}/name");
            lowering.tell(Told::error(index, NEEDS_KEYS, at, message).help("give each a name of its own"));
        }
        if entity.is_ordered(&measure.field) == Some(false)
            && matches!(measure.how, MeasureKind::Min | MeasureKind::Max)
        {
            let message =
                format!("{} is neither a number nor text, and has no least or greatest", quote(&measure.field));
            let at = format!("{at}/adapt/measures/{number}/field");
            lowering.tell(Told::error(index, NEEDS_KEYS, at, message).help("count it, or take another field"));
        }
        let numeric = entity.is_numeric(&measure.field);
        if numeric == Some(false) && matches!(measure.how, MeasureKind::Sum | MeasureKind::Mean) {
            let message = format!("{} is no number", quote(&measure.field));
            let at = format!("{at}/adapt/measures/{number}/field");
            lowering.tell(Told::error(index, NEEDS_KEYS, at, message).help("count it, or take another field"));
        }
    }
    Some(adapt.keys.iter().cloned().collect())
}

/// The kinds of the profile that is wanted, of the entity's usual ones for this slot, or of the slot.
fn accepted_by_default(catalog: &Catalog, entity: &Entity, slot: &str, wanted: Option<&Profile>) -> Vec<KindKey> {
    let usual = || catalog.profiles_of(entity.id.as_str()).find(|profile| profile.slot == slot);
    let any = || catalog.profiles_of(entity.id.as_str()).next();
    if let Some(profile) = wanted {
        return vec![profile.kind_key.clone()];
    }
    match usual().or_else(any) {
        Some(profile) => [&profile.kind_key].into_iter().chain(&profile.also_accepts).cloned().collect(),
        None => catalog.slot(slot).map(|slot| slot.kinds.clone()).unwrap_or_default(),
    }
}

/// An entity can be used if a pack that defines it is named, as a library is imported.
pub(super) fn names_pack(lowering: &mut Lowering<'_>, index: usize, entity: &Entity, at: &str) {
    if entity.id.is_generic() {
        return;
    }
    let Some(step) = lowering.steps.get(index) else { return };
    let defining = lowering.catalog.defined_by(entity.id.as_str());
    let named = defining.iter().any(|(kind, pack)| match kind {
        PackKind::Workflow => step.workflow_packs.contains(pack),
        PackKind::Domain | PackKind::Generic => step.domain_packs.contains(pack),
    });
    if step.packs_in_doubt {
        return;
    }
    if let (false, Some((kind, pack))) = (named, defining.first()) {
        let message = format!(
            "{} is defined by {} pack {}, which is not named",
            quote(entity.id.as_str()),
            kind.as_str(),
            quote(pack)
        );
        let help = format!("add `{pack}` to `{}_pack_ids` of the step or the plan", kind.as_str());
        lowering.tell(Told::error(index, PACK_NOT_NAMED, at, message).help(help));
    }
}

/// Columns have to be fields of the entity, unless the policy lets others in.
pub(super) fn columns(lowering: &mut Lowering<'_>, index: usize, entity: &Entity, fields: &[String], at: &str) {
    // A closed entity refuses other columns when the file is checked, unless that check only reports.
    if entity.open || lowering.rules(index).unknown_columns && lowering.rules(index).allows_generic() {
        return;
    }
    for (position, field) in fields.iter().enumerate() {
        if !entity.fields.contains(field) {
            let message = format!("{} is no field of {}", quote(field), quote(entity.id.as_str()));
            let help = did_you_mean(field, entity.fields.iter().map(String::as_str));
            let help = help.unwrap_or_else(|| format!("`deed catalog show {}` lists its fields", entity.id));
            lowering.tell(Told::error(index, UNKNOWN_COLUMN, format!("{at}/{position}"), message).help(help));
        }
    }
}

/// What one row is: as declared, or as the entity has it.
pub(super) fn grain(
    lowering: &mut Lowering<'_>,
    index: usize,
    entity: &Entity,
    declared: &[String],
    fields: &[String],
    at: &str,
) -> Arc<BTreeSet<String>> {
    if declared.is_empty() {
        return Arc::clone(&entity.grain);
    }
    for (position, field) in declared.iter().enumerate() {
        if !entity.fields.contains(field) && !fields.contains(field) {
            let message = format!(
                "rows cannot be told apart by {}, which is no field of {}",
                quote(field),
                quote(entity.id.as_str())
            );
            let help = did_you_mean(field, entity.fields.iter().map(String::as_str));
            lowering.tell(Told::error(index, BAD_GRAIN, format!("{at}/{position}"), message).help_opt(help));
        }
    }
    Arc::new(declared.iter().cloned().collect())
}

fn tools(lowering: &mut Lowering<'_>, index: usize) {
    let (plan, catalog) = (lowering.plan, lowering.catalog);
    let Some(step) = plan.steps.get(index) else { return };
    for (position, tool) in step.tool_needs.iter().enumerate() {
        let known = catalog.capability(tool);
        if known.is_some_and(|known| !known.implemented) {
            let message = format!("nothing in this runtime implements {}; a run of the plan is refused", quote(tool));
            let told = Told::warning(index, NOT_IMPLEMENTED, format!("/tool_needs/{position}"), message);
            lowering.tell(told.help("`deed catalog list capabilities` marks what is implemented"));
        }
        if known.is_none() {
            let message = format!("no registry has a capability {}", quote(tool));
            let help = did_you_mean(tool, catalog.capabilities().map(|known| known.capability.as_str()));
            let help = help.unwrap_or_else(|| "`deed catalog list capabilities` shows what there is".to_owned());
            let told = Told::error(index, UNKNOWN_CAPABILITY, format!("/tool_needs/{position}"), message);
            lowering.tell(told.help(help));
        }
    }
}
