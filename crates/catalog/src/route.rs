//! The cheapest route from one kind to another: the least loss, then the fewest adapters, then by name.

use crate::catalog::Catalog;
use deed_diag::Invariant as _;
use deed_model::{AdapterDeclaration, AdapterUse, KindKey, Loss};
use std::collections::BTreeMap;

/// The most adapters in a row.
pub(crate) const LONGEST_ROUTE: usize = 3;

/// Adapters that lead from one kind to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route<'c> {
    /// The adapters, in order.
    pub adapters: Vec<&'c AdapterDeclaration>,
}

/// The cost of a route. Each part adds up along the way, so a cheapest route is made of cheapest routes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    lossy: usize,
    typed: usize,
    length: usize,
    names: Vec<String>,
}

impl Route<'_> {
    /// The worst loss on the way.
    pub fn loss(&self) -> Loss {
        self.adapters.iter().map(|adapter| adapter.loss).max().unwrap_or(Loss::None)
    }

    /// The losses in words, adapter by adapter.
    pub fn drops(&self) -> Vec<String> {
        let said = self.adapters.iter().filter(|adapter| !adapter.drops.is_empty());
        said.map(|adapter| format!("{}: {}", adapter.adapter_id, adapter.drops)).collect()
    }

    /// The names of the adapters in their order, for messages.
    pub fn names(&self) -> String {
        let names: Vec<&str> = self.adapters.iter().map(|adapter| adapter.adapter_id.as_str()).collect();
        names.join(", then ")
    }
}

/// The cheapest way from a kind to any of some kinds, of at most three adapters.
///
/// Adapters that need keys are taken only if the contract declares them, and those for flat rows only if rows are.
pub fn route<'c>(
    catalog: &'c Catalog,
    from: &KindKey,
    to: &[KindKey],
    keys: bool,
    nested: bool,
    allowed: AdapterUse,
) -> Option<Route<'c>> {
    if allowed == AdapterUse::None {
        return None;
    }
    // By kind: the cheapest way there of exactly so many adapters. A longer way may lose less, so each round keeps
    // its own.
    let start = Cost { lossy: 0, typed: 0, length: 0, names: Vec::new() };
    let mut reached: BTreeMap<&KindKey, Cost> = BTreeMap::from([(from, start)]);
    let mut best: Option<Cost> = None;
    for _ in 0..LONGEST_ROUTE {
        let mut next: BTreeMap<&KindKey, Cost> = BTreeMap::new();
        for (kind, cost) in &reached {
            for adapter in catalog.leading_from.get(*kind).into_iter().flatten() {
                let adapter = catalog.adapters.get(adapter).invariant("an indexed adapter is in the catalogue");
                let barred = adapter.needs_keys && !keys
                    || adapter.flat && nested
                    || allowed == AdapterUse::KeepsValues && adapter.loss == Loss::Lossy
                    || adapter.to == *from;
                if barred {
                    continue;
                }
                let there = cost.with(adapter);
                match next.get(&adapter.to) {
                    Some(known) if *known <= there => {}
                    _ => {
                        next.insert(&adapter.to, there);
                    }
                }
            }
        }
        let arrived = to.iter().filter_map(|kind| next.get(kind)).min();
        if let Some(arrived) = arrived.filter(|arrived| best.as_ref().is_none_or(|best| *arrived < best)) {
            best = Some(arrived.clone());
        }
        reached = next;
    }
    let adapters = best?.names.iter().filter_map(|name| catalog.adapters.get(name)).collect();
    Some(Route { adapters })
}

/// The cheapest way that groups rows by declared keys: adapters to what is grouped, the grouping, and adapters from the
/// groups to any of some kinds. `nested` says whether the rows before and the groups after have more than plain cells.
pub fn grouping_route<'c>(
    catalog: &'c Catalog,
    from: &KindKey,
    to: &[KindKey],
    nested: [bool; 2],
    allowed: AdapterUse,
) -> Option<Route<'c>> {
    let may = |adapter: &&AdapterDeclaration| match allowed {
        AdapterUse::None => false,
        AdapterUse::KeepsValues => adapter.loss != Loss::Lossy,
        AdapterUse::Any => true,
    };
    let between = |from: &KindKey, to: &[KindKey], nested: bool| match to.contains(from) {
        true => Some(Route { adapters: Vec::new() }),
        false => route(catalog, from, to, false, nested, allowed),
    };
    let [before, after] = nested;
    let grouping = catalog.adapters().filter(|adapter| adapter.needs_keys && adapter.from.len() == 1).filter(may);
    let whole = grouping.filter_map(|adapter| {
        let mut all = between(from, &adapter.from, before)?.adapters;
        all.push(adapter);
        all.extend(between(&adapter.to, to, after)?.adapters);
        Some(Route { adapters: all })
    });
    whole.min_by_key(Route::cost)
}

impl Route<'_> {
    fn cost(&self) -> Cost {
        let start = Cost { lossy: 0, typed: 0, length: 0, names: Vec::new() };
        self.adapters.iter().fold(start, |cost, adapter| cost.with(adapter))
    }
}

impl Cost {
    fn with(&self, adapter: &AdapterDeclaration) -> Self {
        let mut names = self.names.clone();
        names.push(adapter.adapter_id.clone());
        Self {
            lossy: self.lossy + usize::from(adapter.loss == Loss::Lossy),
            typed: self.typed + usize::from(adapter.loss == Loss::Typed),
            length: self.length + 1,
            names,
        }
    }
}
