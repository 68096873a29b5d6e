//! Hydrated packs that are kept: nothing comes out otherwise for it, however many ask at once.

use crate::common::archive;

use crate::common::Given;
use archive::{calm, edited, recorded, small, support as support_pack, tiny, with_overlays, worked};
use deed_canon::ContentHash;
use deed_context::{
    CachedPack, Hydrated, HydrationKey, Hydrations, PackMaterial, ReadInput, Run, compile, hydrate, record, replay,
    replay_against, tokenizer, whatif,
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

fn key(pack: &PackMaterial, tokenizer: &str) -> HydrationKey {
    pack.key(tokenizer).unwrap()
}

fn make(pack: &PackMaterial, name: &str) -> Hydrated {
    Hydrated::new(&pack.resolve().unwrap(), tokenizer(name).unwrap()).unwrap()
}

fn ask<'c>(cache: &'c Hydrations, pack: &PackMaterial, name: &str) -> CachedPack<'c> {
    cache.get_or_hydrate(key(pack, name), None, || Ok(make(pack, name))).unwrap()
}

/// Where a kept pack lies.
fn place(cached: &CachedPack<'_>) -> usize {
    match cached {
        CachedPack::Kept(pack) => std::ptr::from_ref::<Hydrated>(pack) as usize,
        CachedPack::Once(_) => panic!("it was not kept"),
    }
}

fn given() -> Given {
    let calm = calm();
    Given::of(calm.request, calm.run, calm.evidence, calm.memory)
}

/// Packs that differ in a number, with and without their overlays.
fn packs(count: u64) -> Vec<PackMaterial> {
    let pack = with_overlays(&tiny());
    let all = (0..count).flat_map(|i| {
        let own = edited(&pack, |p| p["pack_meta"]["ttl_seconds"] = json!(i + 1));
        [PackMaterial { selected: Vec::new(), ..own.clone() }, own]
    });
    all.collect()
}

#[test]
fn the_same_with_and_without_room() {
    let (kept, none) = (Hydrations::new(), Hydrations::with_room(0));
    let other = edited(&small(), |p| p["memory_layer"]["recall_policy"]["max_per_intent"] = json!(1));
    for recording in [calm(), worked(support_pack(&[])), worked(support_pack(&["high_risk"]))] {
        let bundle = record(recording.clone(), &kept).unwrap();
        // Once it is there, and once more where nothing is ever there.
        assert_eq!(record(recording.clone(), &kept).unwrap(), bundle);
        assert_eq!(record(recording, &none).unwrap(), bundle);
        assert_eq!(replay(&bundle, &kept).unwrap(), replay(&bundle, &none).unwrap());
        let bundles = [bundle];
        assert_eq!(whatif(&bundles, &other, &kept).unwrap(), whatif(&bundles, &other, &none).unwrap());
    }
}

#[test]
fn eight_threads_find_the_same_packs() {
    let packs = packs(20);
    let hashes: Vec<ContentHash> = packs.iter().map(|p| p.resolve().unwrap().hash).collect();
    let cache = Hydrations::new();
    let made = AtomicUsize::new(0);
    let start = Barrier::new(8);
    let places: Vec<Vec<usize>> = std::thread::scope(|scope| {
        let race = |thread: usize| {
            let (packs, hashes, cache, made, start) = (&packs, &hashes, &cache, &made, &start);
            move || {
                start.wait();
                let mut places = vec![0; packs.len()];
                for step in 0..packs.len() {
                    // Half of them begin at the end, so that they meet everywhere.
                    let at = if thread.is_multiple_of(2) { step } else { packs.len() - 1 - step };
                    let cached = cache.get_or_hydrate(key(&packs[at], "bytes/4"), None, || {
                        made.fetch_add(1, Ordering::Relaxed);
                        Ok(make(&packs[at], "bytes/4"))
                    });
                    let cached = cached.unwrap();
                    assert_eq!(cached.resolved_hash(), hashes[at]);
                    places[at] = place(&cached);
                }
                places
            }
        };
        let threads: Vec<_> = (0..8).map(|i| scope.spawn(race(i))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(places.iter().all(|own| *own == places[0]), "two of them were given different packs for one key");
    assert_eq!(places[0].iter().collect::<BTreeSet<_>>().len(), 40, "two keys share a pack");
    assert!((40..=320).contains(&made.load(Ordering::Relaxed)));
    // Those that were made twice take no room: forty are kept, and all are found again.
    for (pack, place) in packs.iter().zip(&places[0]) {
        let found = cache.get(&key(pack, "bytes/4"), None).unwrap();
        assert_eq!(std::ptr::from_ref(found) as usize, *place);
    }
}

#[test]
fn a_race_leaves_the_room_as_it_is() {
    let packs = packs(2);
    for _ in 0..20 {
        let cache = Hydrations::with_room(4);
        let start = Barrier::new(8);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    let _ = cache.get_or_hydrate(key(&packs[0], "bytes/4"), None, || Ok(make(&packs[0], "bytes/4")));
                });
            }
        });
        // One place at most is taken, whoever came first; three are left, and the fifth has none.
        let first = ask(&cache, &packs[0], "bytes/4");
        let others: Vec<CachedPack<'_>> = packs[1..].iter().map(|p| ask(&cache, p, "bytes/4")).collect();
        assert!(matches!(first, CachedPack::Kept(_)) && others.iter().all(|c| matches!(c, CachedPack::Kept(_))));
        assert!(matches!(ask(&cache, &packs[0], "bytes/5"), CachedPack::Once(_)));
    }
}

#[test]
fn without_room_a_pack_is_made_for_this_once() {
    let packs = packs(2);
    let cache = Hydrations::with_room(2);
    let given = given();
    for (i, pack) in packs.iter().enumerate() {
        for again in 0..2 {
            let cached = ask(&cache, pack, "bytes/4");
            assert_eq!(matches!(cached, CachedPack::Kept(_)), i < 2, "{i} {again}");
            let alone = make(pack, "bytes/4");
            let (kept, alone) = (compile(&cached, given.inputs()), compile(&alone, given.inputs()));
            assert_eq!(kept.context().unwrap(), alone.context().unwrap());
        }
        assert_eq!(cache.get(&key(pack, "bytes/4"), None).is_some(), i < 2);
    }
}

#[test]
fn keys_that_differ_in_one_part_do_not_meet() {
    let cache = Hydrations::new();
    let pack = with_overlays(&tiny());
    let selections: [&[&str]; 4] = [&[], &["site"], &["risk"], &["site", "risk"]];
    let mut seen = BTreeMap::new();
    for selected in selections {
        let selected = selected.iter().map(|name| (*name).to_owned()).collect();
        let pack = PackMaterial { selected, ..pack.clone() };
        let hash = pack.resolve().unwrap().hash;
        for name in ["bytes/4", "bytes/5", "bytes/4.5"] {
            let cached = ask(&cache, &pack, name);
            assert_eq!((cached.tokenizer().id(), cached.resolved_hash()), (name, hash));
            // All tokenizers of one pack hang in one bucket.
            assert!(seen.insert(place(&cached), (name, hash)).is_none());
            assert_eq!(place(&ask(&cache, &pack, name)), place(&cached));
        }
        // The two hashes the other way round share the bucket and are another key.
        let own = key(&pack, "bytes/4");
        let turned = HydrationKey { pack: own.overlays, overlays: own.pack, ..own };
        assert!(cache.get(&turned, None).is_none());
    }
    // An overlay that is not applied is in the key too: it says what the next selection would be.
    let mut other = PackMaterial { selected: Vec::new(), ..pack };
    other.overlays.get_mut("site").unwrap()["changes"][0]["rationale"] = json!("Other words.");
    assert!(cache.get(&key(&other, "bytes/4"), None).is_none());
    assert_eq!(seen.len(), 12);
}

#[test]
fn what_cannot_be_made_is_not_kept() {
    let cache = Hydrations::with_room(1);
    let broken =
        edited(&tiny(), |p| p["policy_layer"]["guardrails"]["redaction_rules"] = json!(["nothing_finds_this"]));
    let failed = hydrate(&broken, &given().run, &cache);
    assert_eq!(failed.unwrap_err().diagnostics()[0].code.to_string(), "D1509");
    assert!(cache.get(&key(&broken, "bytes/4"), None).is_none());
    // It took no room either.
    let kept = hydrate(&tiny(), &given().run, &cache).unwrap();
    assert_eq!(place(&kept), std::ptr::from_ref(cache.get(&key(&tiny(), "bytes/4"), None).unwrap()) as usize);
}

#[test]
fn another_tokenizer_of_the_same_pack_is_replayed_with_its_own() {
    let cache = Hydrations::new();
    let mut longer = calm();
    longer.run["tokenizer"] = json!("bytes/3");
    let (four, three) = (recorded(calm()), recorded(longer));
    for bundle in [&four, &three, &four] {
        assert!(replay(bundle, &cache).unwrap().is_equal());
        assert!(replay_against(bundle, &small(), &cache).unwrap().is_equal());
    }
    assert_ne!(four.expected.compiled_context_hash, three.expected.compiled_context_hash);
}

#[test]
fn a_copy_serves_as_long_as_its_pack_says_and_is_made_again_then() {
    let made = AtomicUsize::new(0);
    let cache = Hydrations::new();
    let pack = edited(&tiny(), |p| p["pack_meta"]["ttl_seconds"] = json!(60));
    let at = |text: &str| {
        let cached = cache.get_or_hydrate(key(&pack, "bytes/4"), Some(text.parse().unwrap()), || {
            made.fetch_add(1, Ordering::Relaxed);
            Ok(make(&pack, "bytes/4"))
        });
        place(&cached.unwrap())
    };
    let first = at("2026-05-09T10:00:00Z");
    assert_eq!(at("2026-05-09T10:00:59Z"), first);
    // At the end of its lifetime it is no longer fresh, and before its time it was not there.
    let second = at("2026-05-09T10:01:00Z");
    assert_ne!(second, first);
    assert_ne!(at("2026-05-09T09:59:59Z"), first);
    assert_eq!(made.load(Ordering::Relaxed), 3);
    assert_eq!(at("2026-05-09T10:01:59Z"), second);
    assert_eq!(made.load(Ordering::Relaxed), 3);
    // A replay has no time: any copy of the same documents serves.
    assert!(cache.get(&key(&pack, "bytes/4"), None).is_some());
}

#[test]
fn a_run_is_served_by_a_copy_that_is_fresh_at_its_instant() {
    let cache = Hydrations::new();
    let pack = edited(&tiny(), |p| p["pack_meta"]["ttl_seconds"] = json!(60));
    let at = |text: &str| {
        let mut run = calm().run;
        run["as_of"] = json!(text);
        place(&hydrate(&pack, &Run::from_value(run).unwrap(), &cache).unwrap())
    };
    assert_eq!(at("2026-05-09T10:00:00Z"), at("2026-05-09T10:00:30Z"));
    assert_ne!(at("2026-05-09T10:00:00Z"), at("2026-05-09T10:02:00Z"));
}
