//! The needs of inputs, once their names are looked up.

use super::StepScope;
use super::columns::{check_columns, grain};
use super::keys;
use super::names::{PROFILE_HELP, entity, kind, profile, slot};
use super::packs::check_pack_named;
use crate::lower::cx::{Cx, Input};
use crate::lower::findings::{Finding, Findings};
use crate::lower::{grouped, places};
use deed_catalog::{Catalog, Entity, Need};
use deed_diag::{codes, quote};
use deed_model::{EntitySchemaId, KindKey, Profile, ProfileId, ProvenanceDemand};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The needs of an input.
#[derive(Debug, Clone)]
pub(in crate::lower) struct InputNeed {
    pub(in crate::lower) entity: EntitySchemaId,
    /// The kinds that it reads, the best first.
    pub(in crate::lower) accepted: Vec<KindKey>,
    pub(in crate::lower) profile: Option<ProfileId>,
    pub(in crate::lower) fields: Arc<BTreeSet<String>>,
    /// True if the plan names the columns.
    pub(in crate::lower) names_fields: bool,
    pub(in crate::lower) grain: Arc<BTreeSet<String>>,
    pub(in crate::lower) provenance: ProvenanceDemand,
    pub(in crate::lower) keys: Option<BTreeSet<String>>,
    /// True if the plan asks for the profile by name.
    pub(in crate::lower) must: bool,
    /// Names of what is computed of each group.
    measures: BTreeSet<String>,
    /// Columns that it is computed of.
    measured: BTreeSet<String>,
    /// True if adapters have to group the rows on the way.
    pub(in crate::lower) groups: bool,
    /// The entity of what is read, where adapters group it on the way.
    pub(in crate::lower) grouped: Option<Arc<Entity>>,
}

impl InputNeed {
    /// The need as the catalogue compares it, in a slot.
    pub(in crate::lower) fn in_slot<'n>(&'n self, slot: &'n str) -> Need<'n> {
        Need {
            slot,
            entity: &self.entity,
            accepted: &self.accepted,
            profile: self.profile.as_ref(),
            must: self.must,
            grain: &self.grain,
            fields: &self.fields,
            keys: self.keys.as_ref(),
            groups: self.groups,
            names_fields: self.names_fields,
            measures: &self.measures,
            measured: &self.measured,
        }
    }
}

/// The names of an input, looked up.
struct ResolvedNames<'l> {
    entity: &'l Entity,
    accepted: Vec<KindKey>,
    profile: Option<&'l Profile>,
}

/// Resolves what an input needs; none if one of its names leads nowhere or two of them contradict each other.
pub(super) fn resolve(
    cx: Cx<'_>,
    input: Input<'_>,
    scope: &StepScope,
    findings: &mut Findings<'_>,
) -> Option<InputNeed> {
    let (authored, at) = (input.authored, input.at());
    let named = look_up(cx, input, findings)?;
    check_pack_named(cx, &scope.packs, named.entity, &at.key("entity_schema_id"), findings);
    let rows = grouped::ungrouped(cx.catalog, named.entity, authored.adapt.as_ref());
    let rows = grouped::meant(cx.catalog, rows, authored).unwrap_or(rows);
    let step_groups = input.step.authored.adapter.is_some();
    let groups = if step_groups { None } else { grouped::of_input(cx.catalog, rows, authored) };
    let read = groups.as_deref().unwrap_or(rows);
    check_group_name(cx, read, input, findings);
    if !agrees(&named, rows, input, findings) {
        return None;
    }
    check_columns(scope.policy.rules, read, &authored.fields, &at.key("fields"), findings);
    let grain = grain(read, &authored.grain, &authored.fields, &at.key("grain"), findings);
    let accepted = match (named.profile, named.accepted) {
        (None, accepted) if !accepted.is_empty() => accepted,
        (wanted, _) => accepted_by_default(cx, rows, input, wanted),
    };
    let keys = keys::resolve(rows, input, findings);
    let usual = accepted.first().and_then(|kind| cx.catalog.profile_for(rows.id.as_str(), kind.as_str()));
    let measures = || authored.adapt.iter().flat_map(|adapt| &adapt.measures);
    let names_fields = !authored.fields.is_empty();
    Some(InputNeed {
        entity: rows.id.clone(),
        profile: named.profile.or(usual).map(|profile| profile.profile_id.clone()),
        fields: match names_fields {
            true => Arc::new(authored.fields.iter().cloned().collect()),
            false => Arc::clone(&read.required),
        },
        names_fields,
        grain,
        provenance: authored.provenance_policy.max(scope.policy.rules.provenance),
        must: named.profile.is_some(),
        measured: measures().map(|measure| measure.field.clone()).collect(),
        measures: measures().map(|measure| measure.name.clone()).collect(),
        groups: !step_groups && keys.is_some(),
        keys,
        grouped: groups,
        accepted,
    })
}

/// Looks up the names of an input; none if one of them leads nowhere.
fn look_up<'l>(cx: Cx<'l>, input: Input<'_>, findings: &mut Findings<'_>) -> Option<ResolvedNames<'l>> {
    let (authored, at) = (input.authored, input.at());
    let mut faults = Vec::new();
    if let Err(fault) = slot(cx.catalog, &authored.slot) {
        faults.push(fault.at(at.key("slot")));
    }
    let known = entity(cx.catalog, &authored.entity_schema_id)
        .map_err(|fault| faults.push(fault.at(at.key("entity_schema_id"))));
    let mut accepted = Vec::new();
    for (position, text) in authored.accepted_kind_keys.iter().enumerate() {
        match kind(cx.catalog, text) {
            Ok(kind) => accepted.push(kind),
            Err(fault) => faults.push(fault.at(at.key("accepted_kind_keys").item(position))),
        }
    }
    let wanted = authored.profile_id.as_ref().map(|text| profile(cx.catalog, text));
    let wanted = wanted.transpose().map_err(|fault| faults.push(fault.at(at.key("profile_id"))));
    let whole = faults.is_empty();
    faults.into_iter().for_each(|fault| findings.add(fault));
    match (known, wanted) {
        (Ok(entity), Ok(profile)) if whole => Some(ResolvedNames { entity, accepted, profile }),
        _ => None,
    }
}

/// Derived groups must not take the name of an entity that means something else.
fn check_group_name(cx: Cx<'_>, read: &Entity, input: Input<'_>, findings: &mut Findings<'_>) {
    let taken = |other: &Entity| read.derived_from.is_some() && other.derived_from.is_none();
    if cx.catalog.entity(read.id.as_str()).is_some_and(taken) {
        let message = format!("grouped rows would be called {}, which is another entity", quote(read.id.as_str()));
        let finding = Finding::error(input.at().key("adapt").key("keys"), codes::ADAPTER_NEEDS_KEYS, message);
        findings.add(finding.help("rename the entity of the catalogue"));
    }
}

/// Returns whether the profile that is asked for is one of the entity and of an accepted kind.
fn agrees(named: &ResolvedNames<'_>, rows: &Entity, input: Input<'_>, findings: &mut Findings<'_>) -> bool {
    let Some(profile) = named.profile else { return true };
    let id = quote(profile.profile_id.as_str());
    let message = if profile.entity_schema_id != rows.id {
        let (of, is) = (quote(profile.entity_schema_id.as_str()), quote(rows.id.as_str()));
        format!("profile {id} is of {of}, and the input is of {is}")
    } else if !named.accepted.is_empty() && !named.accepted.contains(&profile.kind_key) {
        format!("profile {id} is {}, which the input does not accept", quote(profile.kind_key.as_str()))
    } else {
        return true;
    };
    let finding = Finding::error(input.at().key("profile_id"), codes::PROFILE_CONTRADICTS, message);
    findings.add(finding.help(PROFILE_HELP));
    false
}

/// The kinds that an input reads if it lists none: what the step's adapter takes, the kind of the profile that is wanted,
/// the entity's usual ones for the slot, or all of the slot.
fn accepted_by_default(cx: Cx<'_>, entity: &Entity, input: Input<'_>, wanted: Option<&Profile>) -> Vec<KindKey> {
    taken_by_adapter(cx, input)
        .map_or_else(|| usual_kinds(cx.catalog, entity, &input.authored.slot, wanted), |kind| vec![kind])
}

/// The kind that the adapter of a step takes for one of its inputs.
fn taken_by_adapter(cx: Cx<'_>, input: Input<'_>) -> Option<KindKey> {
    let step = input.step.authored;
    let adapter = cx.catalog.adapter(step.adapter.as_deref()?)?;
    let place = places::places(step, adapter).get(input.position).copied()?;
    adapter.from.get(place).cloned()
}

fn usual_kinds(catalog: &Catalog, entity: &Entity, slot: &str, wanted: Option<&Profile>) -> Vec<KindKey> {
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
