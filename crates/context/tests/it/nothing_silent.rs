//! Nothing silent: whatever is supplied is in the ledger once, as in or as out with a reason; every block that a stage
//! made is in the prompt or among the dropped ones; and the numbers of the budget say what was done.

use crate::common::random;

use crate::common::Given;
use deed_canon::hash_of;
use deed_context::{Hydrated, compile, compile_recorded, verify};
use deed_model::{Bucket, BucketTokens, CompiledContext, ItemStatus, STAGE_READS_TAG, StageHash};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use random::{BUCKETS, Raw};
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// What the runs of a property met, so that it is known to have looked at something.
#[derive(Default)]
struct Met {
    compiled: Cell<u32>,
    rejected: Cell<u32>,
    dropped: Cell<u32>,
    repeated: Cell<u32>,
    hidden: Cell<u32>,
}

fn add(cell: &Cell<u32>, more: usize) {
    cell.set(cell.get() + u32::try_from(more).unwrap());
}

/// For each reference: how often it was supplied, and with how many different contents.
fn supplied_evidence(given: &Given) -> BTreeMap<String, (u64, usize)> {
    let mut contents: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for item in given.evidence.items() {
        contents.entry(item.evidence_ref.clone()).or_default().push(&item.content);
    }
    let count = |own: Vec<&Value>| {
        let different: BTreeSet<String> = own.iter().map(ToString::to_string).collect();
        (own.len() as u64, different.len())
    };
    contents.into_iter().map(|(name, own)| (name, count(own))).collect()
}

fn evidence_is_accounted_for(given: &Given, context: &CompiledContext<'_>, met: &Met) -> Result<(), TestCaseError> {
    let ledger = &context.context_ledger.evidence;
    let mut counts: BTreeMap<String, (u64, usize)> = BTreeMap::new();
    for entry in ledger {
        let (times, entries) = counts.entry(entry.evidence_ref.to_string()).or_default();
        *times += entry.supplied.unwrap_or(1);
        *entries += 1;
        prop_assert_eq!(entry.status == ItemStatus::Rejected, !entry.reasons.is_empty(), "{:?}", entry);
        prop_assert_eq!(entry.status == ItemStatus::Rejected, entry.block_id.is_none(), "{:?}", entry);
        let distinct: BTreeSet<_> = entry.reasons.iter().collect();
        prop_assert_eq!(distinct.len(), entry.reasons.len(), "a reason is given twice: {:?}", entry);
    }
    // As often as it was supplied; one entry for what counts once, and one for each copy that has no voice.
    let supplied = supplied_evidence(given);
    prop_assert_eq!(counts.keys().collect::<Vec<_>>(), supplied.keys().collect::<Vec<_>>());
    for (name, (times, contents)) in supplied {
        let (counted, entries) = counts.get(&name).copied().unwrap_or_default();
        prop_assert_eq!(counted, times, "{}", name);
        prop_assert!(entries >= contents && entries as u64 <= times, "{}", name);
    }
    add(&met.rejected, ledger.iter().filter(|e| e.status == ItemStatus::Rejected).count());
    add(&met.repeated, ledger.iter().filter(|e| e.supplied.is_some()).count());
    // The ledger is in order of references, the manifest in order of packing.
    let kept: Vec<&str> =
        ledger.iter().filter(|e| e.status == ItemStatus::Kept).map(|e| e.evidence_ref.as_ref()).collect();
    let mut manifest: Vec<&str> = context.manifests.evidence_manifest.iter().map(|e| e.evidence_ref.as_ref()).collect();
    manifest.sort_unstable();
    prop_assert_eq!(kept, manifest);
    for entry in &context.manifests.evidence_manifest {
        let hash = entry.hash.to_string();
        let own = |item: &deed_model::EvidenceItem| {
            item.evidence_ref == entry.evidence_ref
                && item.payload_hash.as_ref() == Some(&hash)
                && item.source_id.as_deref() == entry.source_id.as_deref()
        };
        prop_assert!(given.evidence.items().iter().any(own), "{:?} was not supplied", entry);
    }
    Ok(())
}

fn memory_is_accounted_for(given: &Given, context: &CompiledContext<'_>) -> Result<(), TestCaseError> {
    let ledger = &context.context_ledger.memory;
    let mut supplied: Vec<&str> = given.memory.items().iter().map(|item| item.id.as_str()).collect();
    let mut listed: Vec<&str> = ledger.iter().map(|entry| entry.id.as_ref()).collect();
    supplied.sort_unstable();
    listed.sort_unstable();
    prop_assert_eq!(supplied, listed);
    for entry in ledger {
        prop_assert_eq!(entry.status == ItemStatus::Rejected, !entry.reasons.is_empty(), "{:?}", entry);
        prop_assert_eq!(entry.status == ItemStatus::Rejected, entry.block_id.is_none(), "{:?}", entry);
    }
    Ok(())
}

fn tools_are_accounted_for(pack: &Value, context: &CompiledContext<'_>, met: &Met) -> Result<(), TestCaseError> {
    let mut registry = Vec::new();
    for adapter in pack["tooling_layer"]["adapter_registry"].as_array().unwrap() {
        for capability in adapter["capabilities"].as_array().unwrap() {
            let name = capability.as_str().unwrap_or_else(|| capability["id"].as_str().unwrap());
            registry.push((adapter["adapter_id"].as_str().unwrap().to_owned(), name.to_owned()));
        }
    }
    let ledger = &context.context_ledger.tools;
    let listed: Vec<(String, String)> =
        ledger.iter().map(|t| (t.adapter_id.to_string(), t.capability.to_string())).collect();
    prop_assert_eq!(registry, listed);
    for tool in ledger {
        prop_assert_eq!(tool.surfaced, tool.hidden_by.is_empty(), "{:?}", tool);
        prop_assert_eq!(tool.surfaced, tool.block_id.is_some(), "{:?}", tool);
    }
    add(&met.hidden, ledger.iter().filter(|t| !t.surfaced).count());
    let surfaced: Vec<(&str, &str)> =
        ledger.iter().filter(|t| t.surfaced).map(|t| (t.adapter_id.as_ref(), t.capability.as_ref())).collect();
    let manifest: Vec<(&str, &str)> = context
        .manifests
        .tool_manifest
        .iter()
        .flat_map(|entry| entry.capabilities.iter().map(|c| (entry.adapter_id.as_ref(), c.as_ref())))
        .collect();
    prop_assert_eq!(surfaced, manifest);
    for entry in &context.manifests.tool_manifest {
        let described: BTreeSet<&str> = entry.capability_metadata.keys().map(AsRef::as_ref).collect();
        prop_assert_eq!(described, entry.capabilities.iter().map(AsRef::as_ref).collect::<BTreeSet<_>>());
    }
    Ok(())
}

/// The blocks that the stages made, as the ledger and the inputs tell it.
fn made(given: &Given, context: &CompiledContext<'_>) -> BTreeSet<String> {
    let ledger = &context.context_ledger;
    let turns = given.request.value()["session"]["recent_turns"].as_array().map_or(0, Vec::len);
    let mut ids = BTreeSet::from(["biz_summary".to_owned(), "session".to_owned()]);
    ids.extend((0..turns).map(|i| format!("turn_{i}")));
    ids.extend((0..ledger.policy_decisions.len()).map(|i| format!("pol_{i}")));
    ids.extend(ledger.tools.iter().filter_map(|t| t.block_id.as_ref()).map(ToString::to_string));
    ids.extend(ledger.evidence.iter().filter_map(|e| e.block_id.as_ref()).map(ToString::to_string));
    ids.extend(ledger.memory.iter().filter_map(|m| m.block_id.as_ref()).map(ToString::to_string));
    ids
}

fn blocks_are_accounted_for(given: &Given, context: &CompiledContext<'_>, met: &Met) -> Result<(), TestCaseError> {
    let report = &context.budget_report;
    let kept: Vec<String> = context.compiled_prompt.context_blocks.iter().map(|b| b.block_id.to_string()).collect();
    let dropped: Vec<String> = report.dropped_block_ids.values().flatten().map(ToString::to_string).collect();
    let all: BTreeSet<String> = kept.iter().chain(&dropped).cloned().collect();
    prop_assert_eq!(all.len(), kept.len() + dropped.len(), "a block is there twice");
    prop_assert_eq!(&all, &made(given, context));
    add(&met.dropped, dropped.len());
    let truncated: Vec<Bucket> = report.bucket_truncations.keys().copied().collect();
    prop_assert!(report.bucket_truncations.values().all(|truncated| *truncated));
    prop_assert_eq!(&truncated, &report.dropped_block_ids.keys().copied().collect::<Vec<_>>());
    prop_assert_eq!(&truncated, &context.context_ledger.budget.truncated);
    prop_assert!(report.dropped_block_ids.values().all(|ids| !ids.is_empty()));
    prop_assert!(!truncated.contains(&Bucket::Policy), "policy was dropped");
    let described: Vec<String> = report.dropped_blocks.iter().map(|b| b.block_id.to_string()).collect();
    prop_assert_eq!(described.iter().collect::<BTreeSet<_>>(), dropped.iter().collect::<BTreeSet<_>>());
    prop_assert_eq!(described.len(), dropped.len());
    for block in &report.dropped_blocks {
        prop_assert!(report.dropped_block_ids[&block.bucket].contains(&block.block_id), "{:?}", block);
    }
    for (items, prefix) in [(statuses(context, true), "ev_"), (statuses(context, false), "mem_")] {
        let kept: BTreeSet<&String> = kept.iter().filter(|id| id.starts_with(prefix)).collect();
        let said: BTreeSet<&String> =
            items.iter().filter(|(_, status)| *status == ItemStatus::Kept).map(|(id, _)| id).collect();
        prop_assert_eq!(kept, said);
    }
    Ok(())
}

fn statuses(context: &CompiledContext<'_>, evidence: bool) -> Vec<(String, ItemStatus)> {
    let ledger = &context.context_ledger;
    let ids: Vec<_> = if evidence {
        ledger.evidence.iter().map(|e| (e.block_id.clone(), e.status)).collect()
    } else {
        ledger.memory.iter().map(|m| (m.block_id.clone(), m.status)).collect()
    };
    ids.into_iter().filter_map(|(id, status)| id.map(|id| (id.into_owned(), status))).collect()
}

fn numbers_add_up(pack: &Hydrated, given: &Given, context: &CompiledContext<'_>) -> Result<(), TestCaseError> {
    let report = &context.budget_report;
    let mut used = deed_model::TokensByBucket::default();
    for block in &context.compiled_prompt.context_blocks {
        *used.get_mut(block.bucket) += block.tokens;
        prop_assert_eq!(block.tokens, pack.tokenizer().count(&block.content));
        prop_assert_eq!(block.priority, block.bucket.priority());
    }
    prop_assert_eq!(used, report.tokens_used_by_bucket);
    prop_assert_eq!(used.sum(), report.tokens_used_at_compile);
    for bucket in Bucket::ALL {
        prop_assert!(used.get(bucket) <= report.tokens_allocated.get(bucket), "{} is over its budget", bucket);
    }
    let head = report.head_tokens;
    prop_assert_eq!(head.sum() + report.tokens_allocated.sum(), report.tokens_total);
    let prompt = &context.compiled_prompt;
    let count = |text: &str| pack.tokenizer().count(text);
    prop_assert_eq!(
        (head.system, head.developer, head.task),
        (count(&prompt.system), count(&prompt.developer), count(&prompt.task))
    );
    let asked = given.run.context().run_budget.as_ref().and_then(|budget| budget.bucket_tokens.as_ref());
    match asked {
        Some(BucketTokens::Total(total)) => prop_assert_eq!(*total, report.tokens_total),
        Some(BucketTokens::ByBucket(map)) => {
            for bucket in BUCKETS {
                let allocated = report.tokens_allocated.get(bucket.parse().unwrap());
                prop_assert_eq!(allocated, map.get(bucket).copied().unwrap_or(0));
                let warned = report.warnings.iter().any(|w| w.contains(&format!("`{bucket}`")));
                prop_assert_eq!(warned, !map.contains_key(bucket), "{}: {:?}", bucket, report.warnings);
            }
        }
        None => {
            let own = pack.pack().budget_layer.as_ref().and_then(|layer| layer.default_total);
            prop_assert_eq!(own.unwrap_or(8000), report.tokens_total);
        }
    }
    let ledger = &context.context_ledger.budget;
    prop_assert_eq!((ledger.head, ledger.total, ledger.used), (head.sum(), report.tokens_total, used.sum()));
    let expected: Vec<&str> = deed_model::Stage::ALL.into_iter().map(|stage| stage.as_str()).collect();
    let sealed: Vec<&str> = context.context_ledger.stage_hashes.iter().map(|s| s.stage.as_str()).collect();
    prop_assert_eq!(sealed, expected);
    Ok(())
}

/// The records of the stages agree with what came out, to the hash.
fn the_record_agrees(pack: &Hydrated, given: &Given) -> Result<(), TestCaseError> {
    let (outcome, records) = compile_recorded(pack, given.inputs());
    let Some(context) = outcome.context() else { return Ok(()) };
    prop_assert_eq!(verify(context), Ok(()));
    let sealed = records.iter().map(|record| StageHash {
        hash: record.hash,
        reads: hash_of(&STAGE_READS_TAG, &record.reads).unwrap(),
        stage: record.stage,
    });
    prop_assert_eq!(sealed.collect::<Vec<_>>(), context.context_ledger.stage_hashes.clone());
    let record = &records.iter().find(|r| r.stage == deed_model::Stage::Buckets).unwrap().decided;
    let of = |list: &str| -> BTreeSet<String> {
        record[list].as_array().unwrap().iter().map(|b| b["block_id"].as_str().unwrap().to_owned()).collect()
    };
    let kept = context.compiled_prompt.context_blocks.iter().map(|b| b.block_id.to_string());
    prop_assert_eq!(of("blocks"), kept.collect());
    prop_assert_eq!(
        of("dropped"),
        context.budget_report.dropped_blocks.iter().map(|b| b.block_id.to_string()).collect()
    );
    Ok(())
}

/// The allocation as a map, with another budget for one bucket.
fn with_budget(raw: &Raw, context: &CompiledContext<'_>, bucket: Bucket, tokens: u64) -> Given {
    let map: Map<String, Value> = Bucket::ALL
        .into_iter()
        .map(|b| {
            (b.to_string(), json!(if b == bucket { tokens } else { context.budget_report.tokens_allocated.get(b) }))
        })
        .collect();
    let mut raw = raw.clone();
    raw.run["run_budget"] = json!({ "bucket_tokens": map });
    raw.read()
}

fn smallest_budgets_are_right(pack: &Hydrated, raw: &Raw, context: &CompiledContext<'_>) -> Result<(), TestCaseError> {
    for block in &context.budget_report.dropped_blocks {
        prop_assert!(block.exact, "{:?}", block);
        prop_assert!(block.smallest_budget > context.budget_report.tokens_allocated.get(block.bucket));
        for (budget, keeps) in [(block.smallest_budget, true), (block.smallest_budget - 1, false)] {
            let given = with_budget(raw, context, block.bucket, budget);
            let again = compile(pack, given.inputs());
            let again = again.context().expect("another budget for a bucket that may be dropped refuses nothing");
            let kept = again.compiled_prompt.context_blocks.iter().any(|b| b.block_id == block.block_id);
            prop_assert_eq!(kept, keeps, "{:?} with {}", block, budget);
        }
    }
    Ok(())
}

#[test]
fn everything_is_accounted_for() {
    let met = Met::default();
    let config = Config { cases: 100, failure_persistence: None, ..Config::default() };
    let case = (random::pack(), proptest::collection::vec(random::raw(), 2));
    let run = TestRunner::new(config).run(&case, |(value, raws)| {
        let pack = random::hydrate(&value);
        for raw in raws {
            let given = raw.read();
            let outcome = compile(&pack, given.inputs());
            let Some(context) = outcome.context() else { continue };
            add(&met.compiled, 1);
            evidence_is_accounted_for(&given, context, &met)?;
            memory_is_accounted_for(&given, context)?;
            tools_are_accounted_for(&value, context, &met)?;
            blocks_are_accounted_for(&given, context, &met)?;
            numbers_add_up(&pack, &given, context)?;
            the_record_agrees(&pack, &given)?;
            smallest_budgets_are_right(&pack, &raw, context)?;
        }
        Ok(())
    });
    run.unwrap();
    let [compiled, rejected, dropped, repeated, hidden] =
        [&met.compiled, &met.rejected, &met.dropped, &met.repeated, &met.hidden].map(Cell::get);
    assert!(
        compiled > 80 && rejected > 80 && dropped > 30 && repeated > 8 && hidden > 80,
        "{compiled} compiled, {rejected} rejected, {dropped} dropped, {repeated} repeated, {hidden} hidden"
    );
}
