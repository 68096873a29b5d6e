//! Stage 5, memory.
//!
//! Enters: memories that were recalled before, the run's tenant, subjects, ceiling and instant, the intent, the pack's
//! lifetimes and cap. Leaves: admitted memories with the ids of their blocks, and rejected ones with their reasons.
//! Must prove: every admitted memory was promoted, has not expired, and is for this tenant, subject and intent; at most
//! the cap.

use super::Cx;
use super::evidence::ceiling;
use super::intent::Intent;
use crate::block_id::block_id;
use crate::decided::MemoryView;
use crate::refusal::Refusal;
use crate::seal::StageOutput;
use crate::tally::Tally;
use deed_canon::timestamp;
use deed_canon::{ContentHash, hash_of};
use deed_diag::Invariant as _;
use deed_model::{Classification, MEMORY_TAG, MemoryItem, MemoryReason, Stage};
use jiff::Timestamp;
use serde::Serialize;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The maximum number of memories if the pack sets none.
const DEFAULT_CAP: u64 = 8;

/// The judged memories.
pub(crate) struct Memory<'a> {
    /// Every memory, the newest first.
    pub(crate) items: Vec<JudgedMemory<'a>>,
    intent: Intent<'a>,
}

/// A memory, judged.
pub(crate) struct JudgedMemory<'a> {
    pub(crate) item: &'a MemoryItem,
    promoted: Option<Timestamp>,
    hash: ContentHash,
    pub(crate) reasons: Vec<MemoryReason>,
    /// The id of its block, if it was admitted.
    pub(crate) block_id: Option<Cow<'a, str>>,
}

#[derive(Serialize)]
struct Reads<'a> {
    as_of: &'a str,
    cap: u64,
    ceiling: Classification,
    intent: &'a str,
    items: Vec<(&'a str, ContentHash)>,
    layer: ContentHash,
    subjects: Vec<&'a str>,
    tenant_id: &'a str,
}

pub(crate) fn recall<'a>(cx: Cx<'a>, intent: Intent<'a>) -> Result<Memory<'a>, Refusal> {
    let subjects: BTreeSet<&str> = cx.inputs.run.subjects().collect();
    let mut items = Vec::with_capacity(cx.inputs.memory.items().len());
    for item in cx.inputs.memory.items() {
        let hash = hash_of(&MEMORY_TAG, item).map_err(|error| crate::seal::no_canonical_form(Stage::Memory, &error))?;
        let promoted = item.promoted_at.as_deref().and_then(timestamp);
        let reasons = reasons(cx, intent, &subjects, item);
        items.push(JudgedMemory { item, promoted, hash, reasons, block_id: None });
    }
    items.sort_by(|a, b| order(a).cmp(&order(b)));
    let mut memory = Memory { items, intent };
    memory.repeated();
    memory.cap(cap(cx));
    memory.number();
    Ok(memory)
}

impl<'a> StageOutput<'a> for Memory<'a> {
    const STAGE: Stage = Stage::Memory;

    fn reads(&self, cx: Cx<'a>) -> impl Serialize {
        Reads {
            as_of: cx.inputs.run.as_of_text(),
            cap: cap(cx),
            ceiling: ceiling(cx),
            intent: self.intent.id,
            items: self.items.iter().map(|r| (r.item.id.as_str(), r.hash)).collect(),
            layer: cx.pack.layers.memory,
            subjects: cx.inputs.run.subjects().collect(),
            tenant_id: &cx.inputs.run.context().tenant_id,
        }
    }

    fn decided(&self, _: Cx<'a>) -> impl Serialize {
        self.items.iter().map(|r| MemoryView { id: &r.item.id, reasons: &r.reasons }).collect::<Vec<_>>()
    }
}

/// Newest first, ties by id.
fn order<'r>(recalled: &'r JudgedMemory<'_>) -> impl Ord + use<'r> {
    (Reverse(recalled.promoted), &recalled.item.id, recalled.hash)
}

fn cap(cx: Cx<'_>) -> u64 {
    cx.pack.pack.memory_layer.recall_policy.as_ref().map_or(DEFAULT_CAP, |policy| policy.max_per_intent)
}

impl JudgedMemory<'_> {
    fn is_foreign(&self) -> bool {
        self.reasons.iter().any(|r| matches!(r, MemoryReason::MissingTenant | MemoryReason::OtherTenant))
    }
}

impl<'a> Memory<'a> {
    /// Rejects an id that names two different memories; identical copies are one.
    fn repeated(&mut self) {
        // Foreign memories are ignored.
        let ours = self.items.iter_mut().filter(|recalled| !recalled.is_foreign());
        let mut by_id: Vec<&mut JudgedMemory<'a>> = ours.collect();
        by_id.sort_by(|a, b| a.item.id.cmp(&b.item.id));
        for group in by_id.chunk_by_mut(|a, b| a.item.id == b.item.id).filter(|group| group.len() > 1) {
            let one = group.first().map(|first| first.hash);
            let same = group.iter().all(|recalled| Some(recalled.hash) == one);
            let again = group.iter_mut().skip(usize::from(same));
            again.for_each(|recalled| recalled.reasons.push(MemoryReason::RepeatedId));
        }
    }

    fn cap(&mut self, cap: u64) {
        let admitted = self.items.iter_mut().filter(|recalled| recalled.reasons.is_empty());
        let beyond = admitted.skip(usize::try_from(cap).unwrap_or(usize::MAX));
        beyond.for_each(|recalled| recalled.reasons.push(MemoryReason::OverCap));
    }

    /// Gives each admitted memory the id of its block.
    fn number(&mut self) {
        let admitted = self.items.iter_mut().filter(|recalled| recalled.reasons.is_empty());
        for (index, recalled) in admitted.enumerate() {
            recalled.block_id = Some(block_id("mem", index));
        }
    }

    /// The admitted memories with the ids of their blocks, in order.
    pub(crate) fn admitted(&self) -> impl Iterator<Item = (&Cow<'a, str>, &JudgedMemory<'a>)> {
        self.items.iter().filter_map(|recalled| Some((recalled.block_id.as_ref()?, recalled)))
    }
}

/// Returns every reason against a memory by itself.
fn reasons(cx: Cx<'_>, intent: Intent<'_>, subjects: &BTreeSet<&str>, item: &MemoryItem) -> Vec<MemoryReason> {
    let run = cx.inputs.run.context();
    let mut found = Vec::new();
    if item.text.is_some() == item.fact.is_some() {
        found.push(MemoryReason::NoContent);
    }
    match item.tenant_id.as_deref() {
        None | Some("") => found.push(MemoryReason::MissingTenant),
        Some(tenant) if tenant != run.tenant_id => found.push(MemoryReason::OtherTenant),
        Some(_) => {}
    }
    match item.subject.as_deref() {
        None | Some("") => found.push(MemoryReason::MissingSubject),
        Some(subject) if subject != "*" && !subjects.contains(subject) => found.push(MemoryReason::OtherSubject),
        Some(_) => {}
    }
    match item.intent_id.as_deref() {
        None | Some("") => found.push(MemoryReason::MissingIntent),
        Some(own) if own != "*" && own != intent.id => found.push(MemoryReason::OtherIntent),
        Some(_) => {}
    }
    match item.classification.as_deref() {
        None | Some("") => found.push(MemoryReason::MissingClassification),
        Some(text) => match text.parse::<Classification>() {
            Err(()) => found.push(MemoryReason::UnknownClassification),
            Ok(level) if level > ceiling(cx) => found.push(MemoryReason::AboveClassification),
            Ok(_) => {}
        },
    }
    found.extend(lifetime(cx, item));
    found
}

/// Checks that it was promoted, not later than now, and within its tier's lifetime; returns the first violation.
fn lifetime(cx: Cx<'_>, item: &MemoryItem) -> Option<MemoryReason> {
    let tier = item.tier.as_deref().and_then(|tier| cx.pack.ttls.iter().find(|(name, _)| *name == tier));
    let Some(text) = item.promoted_at.as_deref().filter(|text| !text.is_empty()) else {
        return Some(MemoryReason::NotPromoted);
    };
    let Some((_, ttl)) = tier else { return Some(MemoryReason::UnknownTier) };
    let Some(promoted) = timestamp(text) else { return Some(MemoryReason::MalformedTime) };
    let as_of = cx.inputs.run.as_of();
    if promoted > as_of {
        return Some(MemoryReason::PromotedLater);
    }
    let Some(ttl) = ttl else { return Some(MemoryReason::TierWithoutTtl) };
    let age = as_of.as_second().saturating_sub(promoted.as_second());
    // Whole seconds decide, then the fractions.
    let over = age > *ttl || (age == *ttl && as_of.subsec_nanosecond() >= promoted.subsec_nanosecond());
    over.then_some(MemoryReason::Expired)
}

/// Renders an admitted memory as a fenced block.
pub(crate) fn render(cx: Cx<'_>, item: &MemoryItem, block_id: &str, tally: &mut Tally) -> String {
    let written;
    let raw = match (&item.text, &item.fact) {
        (Some(text), _) => text.as_str(),
        (None, fact) => {
            let fact = fact.as_ref().invariant("an admitted memory has a text or a fact");
            let value = tally.written(cx.pack, &fact.value);
            written = format!("{} {} {value}", fact.entity, fact.predicate);
            &written
        }
    };
    tally.block(cx.pack, block_id, [item.class.as_deref()], raw)
}
