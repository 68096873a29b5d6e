//! C5, bindings: every input gets the one producer that fits it best, or the plan is refused.
//!
//! Producers are looked for near first: among the steps it depends on, then among all that come before those, then
//! among what the mission is given. Of those that fit, the best rank counts; two of the same rank are ambiguous, and
//! the plan has to say which is meant.

mod columns;
mod measures;
mod provenance;
mod refuse;

use self::provenance::asks_provenance;
use self::refuse::{ambiguous, refuse};
use super::adapt::in_order;
use super::grouped::is_grouping;
use super::outputs::plain;
use super::state::{Bound, Lowering, NeedSpec, Output, Source, Told};
use crate::codes::{ADAPTER_MISFIT, FROM_ELSEWHERE, LOSSY, NEEDS_KEYS, NOT_GIVEN, SAME_INPUT, UNREADABLE};
use deed_catalog::{Catalog, Fit, Misfit, Need, Offer, fit};
use deed_diag::quote;
use deed_model::{AbstractInput, BindingRank, EntitySchemaId, KindKey, Loss, PolicyRules};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

pub(super) fn bind(lowering: &mut Lowering<'_>) {
    lowering.stage = "bind";
    let by_slot = by_slot(lowering);
    for position in 0..lowering.order.len() {
        let Some(index) = lowering.order.get(position).copied() else { continue };
        let inputs = lowering.plan.steps.get(index).map_or(0, |step| step.abstract_inputs.len());
        for input in 0..inputs {
            bind_input(lowering, index, input, &by_slot);
        }
        inherit(lowering, index);
        twice(lowering, index);
    }
}

/// What an adapter gives has the columns and the grain of what it takes, or those that it groups by.
fn inherit(lowering: &mut Lowering<'_>, index: usize) {
    let plan = lowering.plan;
    let Some(step) = plan.steps.get(index) else { return };
    let Some(adapter) = step.adapter.as_deref().and_then(|id| lowering.catalog.adapter(id)) else { return };
    let bound = lowering.steps.get(index).map(|step| step.bound.as_slice()).unwrap_or_default();
    let sources: Vec<Source> = in_order(step, adapter)
        .into_iter()
        .filter_map(|(position, _)| bound.get(position)?.as_ref().map(|bound| bound.source))
        .collect();
    columns::check(lowering, index, step, adapter, &sources);
    if let (true, [source]) = (is_grouping(adapter), sources.as_slice()) {
        measures::check(lowering, index, 0, *source);
    }
    let taken: Vec<&super::state::Output> = sources.iter().filter_map(|source| lowering.output(*source)).collect();
    let adapt = step.abstract_inputs.iter().find_map(|input| input.adapt.as_ref());
    let (fields, grain): (BTreeSet<String>, BTreeSet<String>) = match (taken.as_slice(), adapter.needs_keys, adapt) {
        ([only], false, _) => ((*only.fields).clone(), (*only.grain).clone()),
        ([_], true, Some(adapt)) => {
            let keys: BTreeSet<String> = adapt.keys.iter().cloned().collect();
            (keys.iter().cloned().chain(adapt.measures.iter().map(|m| m.name.clone())).collect(), keys)
        }
        ([first, second], true, _) if !first.fields.is_empty() && !second.fields.is_empty() => {
            (first.fields.union(&second.fields).cloned().collect(), (*first.grain).clone())
        }
        _ => return,
    };
    let told: Vec<String> = fields.iter().map(|field| quote(field)).collect();
    let mut wrong = Vec::new();
    let Some(known) = lowering.steps.get_mut(index) else { return };
    for (position, output) in known.outputs.iter_mut().enumerate() {
        let invented = output.fields.iter().any(|field| !fields.contains(field));
        if !fields.is_empty() && invented {
            wrong.push((position, "fields"));
        } else if !grain.is_empty()
            && *output.grain != grain
            && !step.abstract_outputs.get(position).is_none_or(|o| o.grain.is_empty())
        {
            wrong.push((position, "grain"));
        }
        if output.fields.is_empty() {
            output.fields = Arc::new(fields.clone());
        }
        if !grain.is_empty() {
            output.grain = Arc::new(grain.clone());
        }
    }
    for (position, part) in wrong {
        let message = format!("an adapter makes up no {part}; it gives {}", told.join(", "));
        let told = Told::error(index, ADAPTER_MISFIT, format!("/abstract_outputs/{position}/{part}"), message);
        lowering.tell(told.help("take out what it does not give"));
    }
}

/// Outputs of steps by slot and entity, in the frozen order.
type BySlot = HashMap<(String, String), Vec<Source>>;

fn by_slot(lowering: &Lowering<'_>) -> BySlot {
    let mut all: BySlot = HashMap::new();
    for index in &lowering.order {
        let outputs = lowering.steps.get(*index).map(|step| step.outputs.as_slice()).unwrap_or_default();
        for (position, output) in outputs.iter().enumerate() {
            // Generic data may become anything, and anything generic data.
            let entity = if output.entity.is_generic() { "generic" } else { output.entity.as_str() };
            let named = (output.slot.clone(), entity.to_owned());
            all.entry(named).or_default().push(Source::Step(*index, position));
        }
    }
    all
}

fn bind_input(lowering: &mut Lowering<'_>, index: usize, position: usize, by_slot: &BySlot) {
    let plan = lowering.plan;
    let Some(input) = plan.steps.get(index).and_then(|step| step.abstract_inputs.get(position)) else { return };
    let Some(need) = lowering.steps.get_mut(index).and_then(|step| step.needs.get_mut(position)?.take()) else {
        return;
    };
    look_for(lowering, index, position, input, &need, by_slot);
    if let Some(slot) = lowering.steps.get_mut(index).and_then(|step| step.needs.get_mut(position)) {
        *slot = Some(need);
    }
}

fn look_for(
    lowering: &mut Lowering<'_>,
    index: usize,
    position: usize,
    input: &AbstractInput,
    need: &NeedSpec,
    by_slot: &BySlot,
) {
    let at = format!("/abstract_inputs/{position}");
    let wanted = input.path.as_deref().map(plain);
    let policy = lowering.rules(index);
    let catalog = lowering.catalog;
    let mut misfits: Vec<(Source, Misfit<'_>)> = Vec::new();
    let mut unreachable: HashSet<(EntitySchemaId, KindKey)> = HashSet::new();
    for level in [Level::Near, Level::Far, Level::Mission] {
        let sources = match (&input.from, level) {
            (Some(from), Level::Near) => match named(lowering, index, from, &at) {
                Some(sources) => sources,
                None => return,
            },
            (Some(_), _) => break,
            (None, level) => sources(lowering, index, (&input.slot, &need.entity), by_slot, level),
        };
        let mut fits: Vec<(Source, Fit<'_>)> = Vec::new();
        for source in sources {
            let other = |path: &String| lowering.output(source).is_some_and(|output| output.path != *path);
            if wanted.as_ref().is_some_and(other) {
                continue;
            }
            let same_form = lowering.output(source).filter(|output| output.fields.is_empty());
            let same_form = same_form.map(|output| (output.entity.clone(), output.kind.clone()));
            if same_form.as_ref().is_some_and(|form| unreachable.contains(form)) {
                continue;
            }
            match judge(lowering, catalog, input, need, source, &policy) {
                Some(Ok(fit)) => fits.push((source, fit)),
                Some(Err(misfit)) => {
                    // No adapters lead from here, and so from none of the same form: that is looked for once.
                    unreachable.extend(same_form.filter(|_| misfit == Misfit::Kind));
                    misfits.push((source, misfit));
                }
                None => {}
            }
        }
        let Some(best) = fits.iter().map(|(_, fit)| fit.rank).min() else { continue };
        fits.retain(|(_, fit)| fit.rank == best);
        match fits.as_slice() {
            [(source, fit)] => bound(lowering, index, position, need, *source, fit),
            several => ambiguous(lowering, index, &at, input, several),
        }
        return;
    }
    if input.required {
        refuse(lowering, index, &at, input, need, misfits);
    } else {
        let message = format!("nothing gives the optional input {}; it is left out", quote(&input.slot));
        lowering.tell(Told::info(index, NOT_GIVEN, at, message));
    }
}

/// The outputs of the step that is named, which has to come before.
fn named(lowering: &mut Lowering<'_>, index: usize, from: &str, at: &str) -> Option<Vec<Source>> {
    if from == "mission" {
        return Some((0..lowering.given.len()).map(Source::Mission).collect());
    }
    let at = format!("{at}/from");
    if lowering.by_id.get(from) == Some(&index) {
        lowering.tell(Told::error(index, FROM_ELSEWHERE, at, "an input cannot come from the step itself"));
        return None;
    }
    let Some(producer) = lowering.by_id.get(from).copied() else {
        let help = lowering.step_like(from);
        let message = format!("an input comes from {}, which is no step", quote(from));
        lowering.tell(Told::error(index, FROM_ELSEWHERE, at, message).help_opt(help));
        return None;
    };
    if !lowering.comes_before(producer, index) {
        let after = lowering.comes_before(index, producer);
        let message = match after {
            true => format!("an input comes from step {}, which runs afterwards", quote(from)),
            false => format!("an input comes from step {}, which need not have run by then", quote(from)),
        };
        let help = match after {
            true => "take it from a step that comes before".to_owned(),
            false => format!("add `{from}` to `depends_on`"),
        };
        lowering.tell(Told::error(index, FROM_ELSEWHERE, at, message).help(help));
        return None;
    }
    let outputs = lowering.steps.get(producer).map_or(0, |step| step.outputs.len());
    Some((0..outputs).map(|output| Source::Step(producer, output)).collect())
}

/// How near producers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// The steps it depends on.
    Near,
    /// All that come before those.
    Far,
    /// What the mission is given.
    Mission,
}

/// Producers so near.
fn sources(
    lowering: &mut Lowering<'_>,
    index: usize,
    wanted: (&str, &EntitySchemaId),
    by_slot: &BySlot,
    level: Level,
) -> Vec<Source> {
    let before = lowering.steps.get(index).map(|step| step.before.clone()).unwrap_or_default();
    let mut found = Vec::new();
    match level {
        Level::Near => {
            for step in &before {
                let outputs = lowering.steps.get(*step).map_or(0, |step| step.outputs.len());
                found.extend((0..outputs).map(|output| Source::Step(*step, output)));
            }
        }
        Level::Far => {
            let (slot, entity) = wanted;
            let like = match entity.is_generic() {
                true => {
                    by_slot.iter().filter(|((known, _), _)| known == slot).flat_map(|(_, all)| all).copied().collect()
                }
                false => [entity.as_str(), "generic"]
                    .into_iter()
                    .filter_map(|entity| by_slot.get(&(slot.to_owned(), entity.to_owned())))
                    .flatten()
                    .copied()
                    .collect::<Vec<Source>>(),
            };
            for source in &like {
                if let Source::Step(step, _) = source
                    && !before.contains(step)
                    && lowering.comes_before(*step, index)
                {
                    found.push(*source);
                }
            }
        }
        Level::Mission => found.extend((0..lowering.given.len()).map(Source::Mission)),
    }
    found.sort_unstable();
    found
}

fn judge<'c>(
    lowering: &Lowering<'_>,
    catalog: &'c Catalog,
    input: &AbstractInput,
    need: &NeedSpec,
    source: Source,
    policy: &PolicyRules,
) -> Option<Result<Fit<'c>, Misfit<'c>>> {
    let output = lowering.output(source)?;
    let need = Need { slot: &input.slot, ..wanted(need) };
    Some(fit(catalog, &need, &offered(output), policy))
}

/// What is given, as the catalogue compares it.
fn offered(output: &Output) -> Offer<'_> {
    Offer {
        slot: &output.slot,
        entity: &output.entity,
        kind: &output.kind,
        profile: output.profile.as_ref(),
        grain: &output.grain,
        fields: &output.fields,
    }
}

/// What is needed, as the catalogue compares it, in no slot.
fn wanted(need: &NeedSpec) -> Need<'_> {
    Need {
        slot: "",
        entity: &need.entity,
        accepted: &need.accepted,
        profile: need.profile.as_ref(),
        must: need.must,
        grain: &need.grain,
        fields: &need.fields,
        keys: need.keys.as_ref(),
        groups: need.groups,
        names_fields: need.names_fields,
        measures: &need.measures,
        measured: &need.measured,
    }
}

fn bound(lowering: &mut Lowering<'_>, index: usize, position: usize, need: &NeedSpec, source: Source, fit: &Fit<'_>) {
    let Some(output) = lowering.output(source).cloned() else { return };
    let at = format!("/abstract_inputs/{position}");
    let who = lowering.who(source);
    let (kind, entity) = (quote(output.kind.as_str()), quote(output.entity.as_str()));
    let why = match (&fit.route, fit.rank) {
        (_, BindingRank::Exact) => format!("{who} gives exactly this profile"),
        (None, BindingRank::Generic) => {
            format!("{who} gives {entity} as {kind}; the policy lets generic data be bound")
        }
        (None, _) => format!("{who} gives {entity} as {kind}, which is accepted"),
        (Some(route), _) => format!("{who} gives {entity} as {kind}; {} makes it what is accepted", route.told()),
    };
    if let Some(route) = fit.route.as_ref().filter(|route| route.loss() == Loss::Lossy) {
        let message =
            format!("what {who} gives is changed on the way, and something is lost: {}", route.drops().join("; "));
        let told = Told::warning(index, LOSSY, at.clone(), message);
        lowering.tell(
            told.related(output.at.clone(), "given here")
                .help("accept the kind that is given, if the step can read it"),
        );
    }
    let grouped = fit.route.as_ref().is_some_and(|route| route.adapters.iter().any(|adapter| adapter.needs_keys));
    asks_provenance(lowering, index, &at, need, source, &output, grouped);
    if need.keys.is_some() && !grouped && lowering.plan.steps.get(index).is_some_and(|step| step.adapter.is_none()) {
        let message = "it says how to group, and what is given is accepted as it is; nothing is grouped";
        let told = Told::error(index, NEEDS_KEYS, format!("{at}/adapt"), message);
        lowering.tell(told.help("accept `dataset.aggregated_rows` alone, or take `adapt` out"));
    }
    if grouped {
        measures::check(lowering, index, position, source);
    }
    readable(lowering, index, &at, need, &output, fit);
    match source {
        Source::Mission(given) => {
            if let Some(given) = lowering.given.get_mut(given) {
                given.used = true;
            }
        }
        Source::Step(step, output) => {
            if let Some(output) = lowering.steps.get_mut(step).and_then(|step| step.outputs.get_mut(output)) {
                output.used = true;
            }
        }
    }
    let route = fit.route.as_ref();
    let bound = Bound {
        source,
        rank: fit.rank,
        route: route.into_iter().flat_map(|route| route.adapters.iter().map(|a| a.adapter_id.clone())).collect(),
        drops: route.map(|route| route.drops()).unwrap_or_default(),
        why,
    };
    if let Some(slot) = lowering.steps.get_mut(index).and_then(|step| step.bound.get_mut(position)) {
        *slot = Some(bound);
    }
}

/// The same file bound twice in one step, by two inputs that do not differ.
fn twice(lowering: &mut Lowering<'_>, index: usize) {
    let Some(step) = lowering.plan.steps.get(index).filter(|step| step.adapter.is_none()) else { return };
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (position, input) in step.abstract_inputs.iter().enumerate() {
        let bound = lowering.steps.get(index).and_then(|step| step.bound.get(position)?.as_ref());
        let Some(bound) = bound else { continue };
        let what = format!("{:?} {:?} {:?} {:?}", bound.source, bound.route, input.adapt, input.entity_schema_id);
        if let Some(first) = seen.insert(what, position) {
            let message = format!("input {} is the same as another input of it", quote(&input.slot));
            let told = Told::warning(index, SAME_INPUT, format!("/abstract_inputs/{position}"), message);
            let place = format!("/steps/{index}/abstract_inputs/{first}");
            lowering.tell(told.related(place, "the other").help("remove one of them"));
        }
    }
}

/// Columns can be read only of what can be read.
fn readable(
    lowering: &mut Lowering<'_>,
    index: usize,
    at: &str,
    need: &NeedSpec,
    output: &super::state::Output,
    fit: &Fit<'_>,
) {
    let kind = fit.route.as_ref().and_then(|route| route.adapters.last()).map_or(&output.kind, |adapter| &adapter.to);
    let opaque = lowering.catalog.kind(kind.as_str()).is_some_and(|kind| !kind.readable);
    if opaque && need.names_fields {
        let message = format!("it reads columns of {}, which nothing here can look into", quote(kind.as_str()));
        let told = Told::error(index, UNREADABLE, format!("{at}/fields"), message);
        lowering.tell(told.related(output.at.clone(), "given here").help("take it as a kind of table or object"));
    }
}
