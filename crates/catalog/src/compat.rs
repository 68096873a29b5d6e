//! Compatibility of an offer with a need: five ranks, and no "close enough".

use crate::catalog::Catalog;
use crate::grouped::grouped_id;
use crate::route::{Route, grouping_route, route};
use deed_model::{AdapterUse, BindingRank, EntitySchemaId, Kind, KindKey, KindShape, PolicyRules, ProfileId};
use std::collections::BTreeSet;

/// An output of a step, or an input of the mission.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'o> {
    /// Its part between steps.
    pub slot: &'o str,
    /// Its meaning.
    pub entity: &'o EntitySchemaId,
    /// Its form.
    pub kind: &'o KindKey,
    /// Both under one name.
    pub profile: Option<&'o ProfileId>,
    /// The fields that identify a row.
    pub grain: &'o BTreeSet<String>,
    /// Its columns; none if they are not declared.
    pub fields: &'o BTreeSet<String>,
}

/// The need of a step's input.
#[derive(Debug, Clone, Copy)]
pub struct Need<'n> {
    /// Its part between steps.
    pub slot: &'n str,
    /// Its meaning.
    pub entity: &'n EntitySchemaId,
    /// Forms that are read, the best first.
    pub accepted: &'n [KindKey],
    /// Meaning and form under one name.
    pub profile: Option<&'n ProfileId>,
    /// True if it must have that profile.
    pub must: bool,
    /// The fields that identify a row.
    pub grain: &'n BTreeSet<String>,
    /// Columns that are read.
    pub fields: &'n BTreeSet<String>,
    /// Columns to group by, if adapters may.
    pub keys: Option<&'n BTreeSet<String>>,
    /// True if adapters have to group the rows on the way, by these keys.
    pub groups: bool,
    /// True if the plan names the columns that are read.
    pub names_fields: bool,
    /// Names of what is computed of each group.
    pub measures: &'n BTreeSet<String>,
    /// Columns that it is computed of.
    pub measured: &'n BTreeSet<String>,
}

/// A fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fit<'c> {
    /// The rank.
    pub rank: BindingRank,
    /// Adapters on the way.
    pub route: Option<Route<'c>>,
}

/// The reason why an offer does not fit, in the order of the checks: the further down, the nearer it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit<'c> {
    /// It has another slot.
    Slot,
    /// It means something else.
    Entity,
    /// One side or both are generic, and no policy allows that.
    Generic,
    /// It has another form, and no adapters lead to one that is accepted.
    Kind,
    /// It has an accepted form under another profile than the one that is asked for.
    Profile,
    /// Adapters would lead there, and the policy does not allow them.
    AdaptersBarred(Route<'c>),
    /// Its rows are something else.
    Grain,
    /// It lacks columns.
    Fields(Vec<String>),
}

impl Misfit<'_> {
    /// The number of checks that it passed.
    pub fn nearness(&self) -> usize {
        match self {
            Self::Slot => 0,
            Self::Entity => 1,
            Self::Generic => 2,
            Self::Kind => 3,
            Self::Profile => 4,
            Self::AdaptersBarred(_) => 5,
            Self::Grain => 6,
            Self::Fields(_) => 7,
        }
    }
}

/// Ranks an offer for a need under a policy.
///
/// # Errors
/// The offer does not fit; the reason says at which check.
pub fn fit<'c>(
    catalog: &'c Catalog,
    need: &Need<'_>,
    offer: &Offer<'_>,
    policy: &PolicyRules,
) -> Result<Fit<'c>, Misfit<'c>> {
    if need.slot != offer.slot {
        return Err(Misfit::Slot);
    }
    let generic = need.entity.is_generic() || offer.entity.is_generic();
    if need.entity != offer.entity && !generic {
        // Groups of what is needed mean the same and have other rows.
        let offered = catalog.entity(offer.entity.as_str());
        let grouped = offered.is_some_and(|offered| offered.derived_from.as_ref() == Some(need.entity));
        return Err(if grouped { Misfit::Grain } else { Misfit::Entity });
    }
    let accepted = need.accepted.contains(offer.kind) && !must_group(catalog, need, offer) && {
        let flat = catalog.kind(offer.kind.as_str()).is_some_and(Kind::is_flat);
        !flat || named_and_unheld(catalog, need, offer).is_empty()
    };
    if generic && !policy.allows_generic() {
        // What would not fit by its form either is not what was meant.
        let reachable = accepted || way(catalog, need, offer, AdapterUse::Any).is_ok();
        return Err(if reachable { Misfit::Generic } else { Misfit::Entity });
    }
    let way = if accepted { None } else { Some(way(catalog, need, offer, policy.adapters)?) };
    let grouped = way.as_ref().is_some_and(|route| route.adapters.iter().any(|adapter| adapter.needs_keys));
    match need.entity == offer.entity {
        true => content(catalog, need, offer, grouped)?,
        // Of generic data only what both sides list can be compared.
        false if need.names_fields && !offer.fields.is_empty() && !grouped => lacks(need.fields, offer.fields.iter())?,
        false => {}
    }
    let same_profile = need.profile.is_some() && need.profile == offer.profile;
    if need.must && way.is_none() && !same_profile {
        return Err(Misfit::Profile);
    }
    let rank = match (&way, generic) {
        (_, true) => BindingRank::Generic,
        (Some(_), false) => BindingRank::ByAdapter,
        (None, false) if same_profile => BindingRank::Exact,
        (None, false) => BindingRank::AcceptedKind,
    };
    Ok(Fit { rank, route: way })
}

/// Adapters to a form that is accepted.
fn way<'c>(
    catalog: &'c Catalog,
    need: &Need<'_>,
    offer: &Offer<'_>,
    allowed: AdapterUse,
) -> Result<Route<'c>, Misfit<'c>> {
    let nested = !unheld(catalog, need, offer).is_empty();
    let found = |allowed: AdapterUse| match must_group(catalog, need, offer) {
        true => {
            grouping_route(catalog, offer.kind, need.accepted, [nested, groups_nest(catalog, need, offer)], allowed)
        }
        false => route(catalog, offer.kind, need.accepted, need.keys.is_some(), nested, allowed),
    };
    found(allowed).ok_or_else(|| match found(AdapterUse::Any) {
        Some(barred) => Misfit::AdaptersBarred(barred),
        None => Misfit::Kind,
    })
}

/// Returns whether the rows have to be grouped on the way: they are, unless they come as groups already.
fn must_group(catalog: &Catalog, need: &Need<'_>, offer: &Offer<'_>) -> bool {
    let groups = catalog.adapters().filter(|adapter| adapter.needs_keys && adapter.from.len() == 1);
    need.groups && !groups.into_iter().any(|adapter| adapter.to == *offer.kind)
}

/// The columns on the way that no cell of a flat table holds.
pub fn unheld(catalog: &Catalog, need: &Need<'_>, offer: &Offer<'_>) -> Vec<String> {
    let Some(entity) = catalog.entity(offer.entity.as_str()) else { return Vec::new() };
    // The fields that the entity requires are there even if the producer does not list them.
    let there = entity.required.iter().chain(offer.fields);
    let nested = there.filter(|field| entity.nested.contains(*field)).cloned();
    let all: BTreeSet<String> = nested.chain(named_and_unheld(catalog, need, offer)).collect();
    all.into_iter().collect()
}

/// The columns that the plan says are read, and that no cell of a flat table holds.
fn named_and_unheld(catalog: &Catalog, need: &Need<'_>, offer: &Offer<'_>) -> Vec<String> {
    let entity = catalog.entity(offer.entity.as_str()).filter(|entity| entity.id == *need.entity);
    let Some(entity) = entity else { return Vec::new() };
    let nested = |field: &&String| entity.nested.contains(*field);
    match (need.groups, need.names_fields) {
        (true, _) => need.keys.into_iter().flatten().chain(need.measured).filter(nested).cloned().collect(),
        (false, true) => need.fields.iter().filter(nested).cloned().collect(),
        (false, false) => Vec::new(),
    }
}

/// Returns whether groups have a column that no cell of a flat table holds.
fn groups_nest(catalog: &Catalog, need: &Need<'_>, offer: &Offer<'_>) -> bool {
    let keys: Vec<String> = need.keys.into_iter().flatten().cloned().collect();
    let groups = grouped_id(offer.entity, &keys).and_then(|id| catalog.entity(id.as_str()));
    groups.is_some_and(|groups| !groups.nested.is_empty())
}

/// Rows are compared by grain and columns, where both sides declare them.
fn content<'c>(catalog: &Catalog, need: &Need<'_>, offer: &Offer<'_>, grouped: bool) -> Result<(), Misfit<'c>> {
    let rows = catalog.kind(offer.kind.as_str()).is_some_and(|kind| kind.shape == KindShape::Rows);
    let nothing = BTreeSet::new();
    let keys = need.keys.unwrap_or(&nothing);
    let grain = if grouped { keys } else { offer.grain };
    if rows && !need.grain.is_empty() && !grain.is_empty() && grain != need.grain {
        return Err(Misfit::Grain);
    }
    if grouped {
        if !offer.fields.is_empty() {
            let read: BTreeSet<String> = keys.iter().chain(need.measured).cloned().collect();
            lacks(&read, offer.fields.iter())?;
        }
        let read = if need.names_fields { need.fields } else { &nothing };
        return lacks(read, keys.iter().chain(need.measures));
    }
    if offer.fields.is_empty() { Ok(()) } else { lacks(need.fields, offer.fields.iter()) }
}

/// Refuses columns that are read and not given.
fn lacks<'c, 's>(read: &BTreeSet<String>, given: impl Iterator<Item = &'s String>) -> Result<(), Misfit<'c>> {
    let given: BTreeSet<&String> = given.collect();
    let missing: Vec<String> = read.iter().filter(|field| !given.contains(field)).cloned().collect();
    if missing.is_empty() { Ok(()) } else { Err(Misfit::Fields(missing)) }
}
