//! The way that is chosen is the cheapest one, as trying all of them says.

use deed_catalog::{Catalog, CatalogFile, Origin, read, route};
use deed_model::{AdapterUse, KindKey, Loss};
use proptest::prelude::*;
use std::fmt::Write as _;

/// A catalogue of kinds `k.a` to `k.f` and some adapters between them.
fn catalog(adapters: &[(usize, usize, usize, bool)]) -> Catalog {
    let mut kinds = String::new();
    for kind in 0..6 {
        let _ = writeln!(
            kinds,
            "- kind_key: k.{}\n  purpose: p\n  format: other\n  shape: bytes\n  extensions: [k{kind}]\n  media_type: a/b\n  readable: true",
            name(kind)
        );
    }
    let mut text = String::new();
    for (index, (from, to, loss, keys)) in adapters.iter().enumerate() {
        let loss = ["none", "typed", "lossy"][*loss];
        let _ = writeln!(
            text,
            "- adapter_id: a{index:02}\n  from: [k.{}]\n  to: k.{}\n  loss: {loss}\n  drops: something\n  needs_keys: {keys}",
            name(*from),
            name(*to)
        );
    }
    if text.is_empty() {
        text.push_str("[]");
    }
    let files = [
        CatalogFile { name: "kinds/k.yaml", bytes: kinds.as_bytes() },
        CatalogFile { name: "adapters/a.yaml", bytes: text.as_bytes() },
    ];
    let (catalog, report) = read(&Catalog::empty(), &files, Origin::BuiltIn, |_| Vec::new());
    assert!(!report.has_errors(), "{:?}", report.diagnostics());
    catalog
}

fn name(kind: usize) -> char {
    ['a', 'b', 'c', 'd', 'e', 'f'][kind]
}

/// What a way costs, and the way.
type Costed = ((usize, usize, usize, Vec<String>), Vec<String>);

/// Every way of at most three adapters, with what it costs.
fn all_ways(catalog: &Catalog, from: &KindKey, to: &KindKey, keys: bool, allowed: AdapterUse) -> Option<Vec<String>> {
    let mut best: Option<Costed> = None;
    let mut left: Vec<(KindKey, Vec<String>)> = vec![(from.clone(), Vec::new())];
    while let Some((here, way)) = left.pop() {
        if here == *to && !way.is_empty() {
            let of = |loss: Loss| way.iter().filter(|id| catalog.adapter(id).unwrap().loss == loss).count();
            let cost = (of(Loss::Lossy), of(Loss::Typed), way.len(), way.clone());
            if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                best = Some((cost, way.clone()));
            }
        }
        if way.len() == 3 {
            continue;
        }
        for adapter in catalog.adapters() {
            let usable = adapter.from == [here.clone()]
                && (keys || !adapter.needs_keys)
                && !(allowed == AdapterUse::KeepsValues && adapter.loss == Loss::Lossy)
                && adapter.to != *from;
            if usable {
                let mut longer = way.clone();
                longer.push(adapter.adapter_id.clone());
                left.push((adapter.to.clone(), longer));
            }
        }
    }
    best.map(|(_, way)| way)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn the_cheapest_way_is_chosen(
        adapters in prop::collection::vec((0..6_usize, 0..6_usize, 0..3_usize, any::<bool>()), 0..14),
        from in 0..6_usize,
        to in 0..6_usize,
        keys in any::<bool>(),
        keeps in any::<bool>(),
    ) {
        prop_assume!(from != to);
        let catalog = catalog(&adapters);
        let (from, to): (KindKey, KindKey) =
            (format!("k.{}", name(from)).parse().unwrap(), format!("k.{}", name(to)).parse().unwrap());
        let allowed = if keeps { AdapterUse::KeepsValues } else { AdapterUse::Any };
        let chosen = route(&catalog, &from, std::slice::from_ref(&to), keys, false, allowed)
            .map(|route| route.adapters.iter().map(|adapter| adapter.adapter_id.clone()).collect::<Vec<_>>());
        prop_assert_eq!(chosen, all_ways(&catalog, &from, &to, keys, allowed));
        prop_assert!(route(&catalog, &from, &[to], keys, false, AdapterUse::None).is_none());
    }
}

/// Kinds and adapters beyond count: the search looks at each adapter a few times, and not at every way.
#[test]
fn enormous_graphs_are_searched_at_once() {
    let mut kinds = String::new();
    let mut adapters = String::new();
    for kind in 0..150 {
        let _ = writeln!(
            kinds,
            "- {{kind_key: k.x{kind}, purpose: p, format: other, shape: bytes, extensions: [k{kind}], media_type: a/b, readable: true}}"
        );
        for step in 1..=30 {
            let to = (kind + step) % 150;
            let _ = writeln!(
                adapters,
                "- {{adapter_id: a{kind}_{to}, from: [k.x{kind}], to: k.x{to}, loss: typed, drops: d}}"
            );
        }
    }
    let files = [
        CatalogFile { name: "kinds/k.yaml", bytes: kinds.as_bytes() },
        CatalogFile { name: "adapters/a.yaml", bytes: adapters.as_bytes() },
    ];
    let (catalog, report) = read(&Catalog::empty(), &files, Origin::BuiltIn, |_| Vec::new());
    assert!(!report.has_errors());
    let kind = |number: usize| format!("k.x{number}").parse::<KindKey>().unwrap();
    let found = route(&catalog, &kind(0), &[kind(90)], false, false, AdapterUse::Any).unwrap();
    assert_eq!(found.adapters.len(), 3);
    assert!(route(&catalog, &kind(0), &[kind(91)], false, false, AdapterUse::Any).is_none());
}
