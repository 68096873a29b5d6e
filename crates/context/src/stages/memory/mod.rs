//! Stage 5, memory.
//!
//! Enters: memories that were recalled before, from the store or from a list of the caller; the run's tenant, subjects,
//! ceiling and instant, the intent, the pack's memory layer. Leaves: admitted memories with the ids of their blocks, and
//! rejected ones with their reasons. Must prove: every admitted memory was promoted, has not expired, and is for this
//! tenant, subject and intent; the pack allows its class, its personal data and its confidence; it names a source; no two
//! contradict each other; at most the cap.

mod contradiction;
mod reasons;

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
use deed_model::{Classification, MEMORY_TAG, MemoryItem, MemoryOrigin, MemoryReason, Stage};
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
    pub(crate) origin: MemoryOrigin,
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
    /// What the store recalled, with the event that promoted each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recalled: Vec<(&'a str, ContentHash, ContentHash)>,
    subjects: Vec<&'a str>,
    tenant_id: &'a str,
}

pub(crate) fn recall<'a>(cx: Cx<'a>, intent: Intent<'a>) -> Result<Memory<'a>, Refusal> {
    let subjects: BTreeSet<&str> = cx.inputs.run.subjects().collect();
    let supplied = cx.inputs.memory.supplied();
    let mut items = Vec::with_capacity(supplied.size_hint().0);
    for (item, origin) in supplied {
        let hash = hash_of(&MEMORY_TAG, item).map_err(|error| crate::seal::no_canonical_form(Stage::Memory, &error))?;
        let promoted = item.promoted_at.as_deref().and_then(timestamp);
        let reasons = reasons::reasons(cx, intent, &subjects, item);
        items.push(JudgedMemory { item, origin, promoted, hash, reasons, block_id: None });
    }
    items.sort_by(|a, b| order(a).cmp(&order(b)));
    let mut memory = Memory { items, intent };
    memory.repeated();
    contradiction::settle(&mut memory.items);
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
            items: self.given().map(|r| (r.item.id.as_str(), r.hash)).collect(),
            layer: cx.pack.layers.memory,
            recalled: self.recalled().collect(),
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
    /// True for a memory of the store; false for one that the caller supplied.
    fn is_stored(&self) -> bool {
        match self.origin {
            MemoryOrigin::File => false,
            MemoryOrigin::Store { .. } => true,
        }
    }

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
            // The id of a memory of the store is the store's: a list cannot take it.
            if group.iter().any(|recalled| recalled.is_stored()) {
                let listed = group.iter_mut().filter(|recalled| !recalled.is_stored());
                listed.for_each(|recalled| recalled.reasons.push(MemoryReason::RepeatedId));
            } else {
                repeat(group);
            }
        }
    }

    /// The memories that the caller supplied.
    fn given(&self) -> impl Iterator<Item = &JudgedMemory<'a>> {
        self.items.iter().filter(|judged| !judged.is_stored())
    }

    /// The memories of the store, by id, with their hashes and those of their promotions.
    fn recalled(&self) -> impl Iterator<Item = (&'a str, ContentHash, ContentHash)> {
        self.items.iter().filter_map(|judged| match judged.origin {
            MemoryOrigin::File => None,
            MemoryOrigin::Store { promotion } => Some((judged.item.id.as_str(), judged.hash, promotion)),
        })
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

/// Rejects memories of one id: all of them, or all but one if they are identical copies.
fn repeat(group: &mut [&mut JudgedMemory<'_>]) {
    let one = group.first().map(|first| first.hash);
    let same = group.iter().all(|recalled| Some(recalled.hash) == one);
    let again = group.iter_mut().skip(usize::from(same));
    again.for_each(|recalled| recalled.reasons.push(MemoryReason::RepeatedId));
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
