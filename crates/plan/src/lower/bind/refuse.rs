//! Why an input is not bound: the nearest producer is shown with the cheapest way out, and one mistake is told once.

use super::{judge, offered, wanted};
use crate::codes::{
    AMBIGUOUS, GENERIC, IMPLICIT, LACKS_COLUMNS, NO_ADAPTER, NO_PRODUCER, OTHER_ENTITY, OTHER_GRAIN, OTHER_PROFILE,
    OTHER_SLOT,
};
use crate::lower::state::{Lowering, NeedSpec, Output, Source, Told};
use deed_catalog::{Fit, Misfit, grouped_id, grouping_route, route, unheld};
use deed_diag::quote;
use deed_model::{AbstractInput, AdapterUse, Kind, PolicyRules};
use std::collections::BTreeSet;

pub(super) fn ambiguous(
    lowering: &mut Lowering<'_>,
    index: usize,
    at: &str,
    input: &AbstractInput,
    several: &[(Source, Fit<'_>)],
) {
    let paths: Vec<String> =
        several.iter().filter_map(|(source, _)| lowering.output(*source)).map(|output| output.path.clone()).collect();
    let who: Vec<String> =
        several.iter().zip(&paths).map(|((source, _), path)| format!("{} ({path})", lowering.who(*source))).collect();
    let rank = several.first().map_or("", |(_, fit)| fit.rank.as_str());
    let message = format!("input {} could come from {}; all fit alike ({rank})", quote(&input.slot), who.join(" or "));
    let first = several.first().map_or_else(String::new, |(source, _)| match source {
        Source::Mission(_) => "mission".to_owned(),
        Source::Step(step, _) => lowering.steps.get(*step).map_or(String::new(), |step| step.authored.id.clone()),
    });
    let sources: BTreeSet<String> = several.iter().map(|(source, _)| lowering.who(*source)).collect();
    let help = match sources.len() < several.len() {
        true => format!("say which file is meant, such as `path: {}`", paths.first().map_or("", String::as_str)),
        false => format!("say which is meant, such as `from: {first}`"),
    };
    let mut told = Told::error(index, AMBIGUOUS, format!("{at}/slot"), message).help(help);
    for (source, _) in several.iter().take(5) {
        if let Some(output) = lowering.output(*source) {
            told = told.related(output.at.clone(), "one is given here");
        }
    }
    lowering.tell(told);
}

/// Why nothing fits: the nearest producer is shown, with the cheapest way out.
pub(super) fn refuse(
    lowering: &mut Lowering<'_>,
    index: usize,
    at: &str,
    input: &AbstractInput,
    need: &NeedSpec,
    misfits: Vec<(Source, Misfit<'_>)>,
) {
    if in_doubt(lowering, index, input, need) {
        return;
    }
    let nearest = misfits.into_iter().max_by_key(|(source, misfit)| {
        let same_entity = lowering.output(*source).is_some_and(|output| output.entity == need.entity);
        (misfit.nearness(), same_entity, std::cmp::Reverse(*source))
    });
    let useful = nearest.filter(|(source, misfit)| {
        *misfit != Misfit::Slot || lowering.output(*source).is_some_and(|output| output.entity == need.entity)
    });
    let Some((source, misfit)) = useful else { return no_producer(lowering, index, at, input, need) };
    let Some(output) = lowering.output(source).cloned() else { return };
    if output.flawed && matches!(misfit, Misfit::Fields(_) | Misfit::Grain) {
        return;
    }
    let who = lowering.who(source);
    let slot = quote(&input.slot);
    let accepted: Vec<String> = need.accepted.iter().map(|kind| quote(kind.as_str())).collect();
    let (wanted, given) = (quote(need.entity.as_str()), quote(output.entity.as_str()));
    let told = match misfit {
        Misfit::Slot => {
            let message = format!("input {slot} takes {wanted}, which {who} gives as {}", quote(&output.slot));
            Told::error(index, OTHER_SLOT, format!("{at}/slot"), message)
                .help(format!("write `slot: {}` here, or `slot: {}` there", output.slot, input.slot))
        }
        Misfit::Entity => {
            let message = format!("input {slot} takes {wanted}, and {who} gives {given}");
            let elsewhere = producer_elsewhere(lowering, index, input, need);
            let help = elsewhere.unwrap_or_else(|| "add a step that makes the one of the other".to_owned());
            Told::error(index, OTHER_ENTITY, format!("{at}/entity_schema_id"), message).help(help)
        }
        Misfit::Generic => {
            let message = format!(
                "input {slot} takes {wanted}, {who} gives {given}, and the policy does not let generic data be bound"
            );
            Told::error(index, GENERIC, format!("{at}/entity_schema_id"), message).help(format!(
                "name the entity, or {} `generic.inference-allowed.v1`",
                lowering.put_under(index, PolicyRules::allows_generic)
            ))
        }
        Misfit::Kind => {
            let (why, help) = no_way(lowering, need, &output);
            let message = format!(
                "input {slot} accepts {}, {who} gives {}, and {why}",
                accepted.join(", "),
                quote(output.kind.as_str())
            );
            Told::error(index, NO_ADAPTER, format!("{at}/accepted_kind_keys"), message).help(help)
        }
        Misfit::Profile => {
            let of =
                |profile: Option<&deed_model::ProfileId>| profile.map_or("none".to_owned(), |id| quote(id.as_str()));
            let message = format!(
                "input {slot} asks for profile {}, and {who} gives {}",
                of(need.profile.as_ref()),
                of(output.profile.as_ref())
            );
            Told::error(index, OTHER_PROFILE, format!("{at}/profile_id"), message)
                .help("name the profile under `profile_id` of the output, or do not ask for one")
        }
        Misfit::AdaptersBarred(route) => {
            let message = format!(
                "input {slot} accepts {}, and {who} gives {}; the policy does not let the compiler put in adapters{}",
                accepted.join(", "),
                quote(output.kind.as_str()),
                if lowering.rules(index).adapters == AdapterUse::None { "" } else { " that lose something" }
            );
            let steps: Vec<String> =
                route.adapters.iter().map(|adapter| format!("`adapter: {}`", adapter.adapter_id)).collect();
            let help = format!(
                "add {} with {}, or {} `strict.allow-normalizers.v1`",
                if steps.len() == 1 { "a step" } else { "steps" },
                steps.join(" and then "),
                lowering.put_under(index, |rules| rules.adapters != AdapterUse::None)
            );
            Told::error(index, IMPLICIT, format!("{at}/accepted_kind_keys"), message).help(help)
        }
        Misfit::Grain => {
            let rows = |grain: &BTreeSet<String>| grain.iter().map(|f| quote(f)).collect::<Vec<_>>().join(" and ");
            let regrouped = need.keys.as_ref().filter(|_| !need.accepted.contains(&output.kind));
            let (message, help) = match regrouped {
                Some(keys) => (
                    format!(
                        "input {slot} has one row for each {}, and its keys give one for each {}",
                        rows(&need.grain),
                        rows(keys)
                    ),
                    "leave `grain` out, or write the keys there".to_owned(),
                ),
                None => (
                    format!(
                        "input {slot} has one row for each {}, and {who} gives one for each {}",
                        rows(&need.grain),
                        rows(&output.grain)
                    ),
                    match groups_of(lowering, need) {
                        Some(groups) => format!("name {}, the entity of such groups", quote(&groups)),
                        None => "add a step that groups or splits the rows, or say how under `adapt`".to_owned(),
                    },
                ),
            };
            Told::error(index, OTHER_GRAIN, format!("{at}/grain"), message).help(help)
        }
        Misfit::Fields(missing) => {
            let missing: Vec<String> = missing.iter().map(|field| quote(field)).collect();
            let message = format!("input {slot} needs {}, which {who} does not give", missing.join(", "));
            Told::error(index, LACKS_COLUMNS, format!("{at}/fields"), message)
                .help("let the producer give them, or list under `fields` only what the step reads")
        }
    };
    lowering.tell(told.related(output.at.clone(), "given here"));
}

/// The entity of the groups that an input means by an entity and a grain, where the plan derives it.
fn groups_of(lowering: &Lowering<'_>, need: &NeedSpec) -> Option<String> {
    let keys: Vec<String> = need.grain.iter().cloned().collect();
    let groups = lowering.catalog.entity(grouped_id(&need.entity, &keys)?.as_str())?;
    (groups.derived_from.as_ref() == Some(&need.entity)).then(|| groups.id.to_string())
}

/// Whether something that would have given it was refused already: one mistake is told once.
fn in_doubt(lowering: &Lowering<'_>, index: usize, input: &AbstractInput, need: &NeedSpec) -> bool {
    let like = |slot: &str, entity: &str| slot == input.slot || entity == need.entity.as_str();
    lowering.given_in_doubt.contains(need.entity.as_str())
        || lowering.steps.get(index).is_some_and(|step| step.depends_on_nothing)
        || lowering.steps.iter().filter(|step| step.doubtful > 0).any(|step| {
            step.authored.abstract_outputs.iter().any(|output| like(&output.slot, &output.entity_schema_id))
        })
}

/// Why no adapters lead to an accepted form, and what helps: rows that no flat table holds, or keys that are missing.
fn no_way(lowering: &Lowering<'_>, need: &NeedSpec, output: &Output) -> (String, String) {
    let catalog = lowering.catalog;
    let lists = unheld(catalog, &wanted(need), &offered(output));
    let lists: Vec<String> = lists.iter().map(|field| quote(field)).collect();
    let keys = need.keys.is_some();
    let leads = |keys: bool, nested: bool| match need.groups {
        true => grouping_route(catalog, &output.kind, &need.accepted, [nested, false], AdapterUse::Any),
        false => route(catalog, &output.kind, &need.accepted, keys, nested, AdapterUse::Any),
    };
    if need.accepted.contains(&output.kind) && !lists.is_empty() {
        let why = format!("no cell of that can hold {} of {}", lists.join(", "), quote(output.entity.as_str()));
        return (why, "let the producer give `table.json_rows`, or do not read the column".to_owned());
    }
    if let (false, Some(way)) = (lists.is_empty(), leads(keys, false)) {
        let why = format!(
            "{} takes rows of plain values, while {} of {} holds more in one cell",
            way.told(),
            lists.join(", "),
            quote(output.entity.as_str())
        );
        let given = output.kind.as_str();
        let flat = catalog.kind(given).is_some_and(Kind::is_flat);
        return match flat {
            true => (why, "let the producer give `table.json_rows`, or do not read the column".to_owned()),
            false => (why, format!("accept `{given}`, or let the producer give another form of rows")),
        };
    }
    if let (false, Some(way)) = (keys, leads(true, !lists.is_empty())) {
        let why = format!("{} needs keys to group by", way.told());
        return (why, "name them under `adapt: { keys: [...] }` of the input".to_owned());
    }
    ("no adapters lead from one to the other".to_owned(), way_out(lowering, need, output, !lists.is_empty()))
}

/// For a form that does not fit: what adapters could reach, or what the producer could prefer.
fn way_out(lowering: &Lowering<'_>, need: &NeedSpec, output: &Output, nested: bool) -> String {
    let reachable: Vec<String> = lowering
        .catalog
        .adapters()
        .filter(|adapter| adapter.from == [output.kind.clone()] && !(adapter.flat && nested))
        .filter(|adapter| need.keys.is_some() || !adapter.needs_keys)
        .map(|adapter| quote(adapter.to.as_str()))
        .collect();
    let first = need.accepted.first().map_or("", |kind| kind.as_str());
    match reachable.is_empty() {
        true => format!("let the producer give `{first}`"),
        false => format!("let the producer give `{first}`, or accept what adapters reach: {}", reachable.join(", ")),
    }
}

fn no_producer(lowering: &mut Lowering<'_>, index: usize, at: &str, input: &AbstractInput, need: &NeedSpec) {
    if let Some(path) = &input.path {
        let message = format!("nobody gives {} in {} by then", quote(&input.slot), quote(path));
        let told = Told::error(index, NO_PRODUCER, format!("{at}/path"), message);
        lowering.tell(told.help("name the file of the output that is meant, or take `path` out"));
        return;
    }
    let message = format!("nothing gives input {} of {}", quote(&input.slot), quote(need.entity.as_str()));
    let help = producer_elsewhere(lowering, index, input, need)
        .unwrap_or_else(|| "add a step that gives it, or list it under `inputs` of the plan".to_owned());
    lowering.tell(Told::error(index, NO_PRODUCER, at.to_owned(), message).help(help));
}

/// A step that would fit and does not come before.
fn producer_elsewhere(
    lowering: &mut Lowering<'_>,
    index: usize,
    input: &AbstractInput,
    need: &NeedSpec,
) -> Option<String> {
    if !lowering.may_search() {
        return None;
    }
    let policy = lowering.rules(index);
    let catalog = lowering.catalog;
    for other in lowering.order.clone() {
        if other == index || lowering.comes_before(other, index) || lowering.comes_before(index, other) {
            continue;
        }
        let outputs = lowering.steps.get(other).map_or(0, |step| step.outputs.len());
        let fits = (0..outputs).any(|output| {
            matches!(judge(lowering, catalog, input, need, Source::Step(other, output), &policy), Some(Ok(_)))
        });
        if fits {
            let name = lowering.steps.get(other).map_or("", |step| step.authored.id.as_str());
            return Some(format!("step `{name}` would fit: add it to `depends_on`"));
        }
    }
    None
}
