//! Stage 7, buckets.
//!
//! Enters: the blocks of every earlier stage, and the allocation. Leaves: the blocks that fit, by priority, and the
//! dropped ones with the smallest budget that would have kept each. Must prove: every block is kept or dropped exactly
//! once; policy is never dropped.

mod pack;
mod smallest;

use super::Cx;
use super::budget::Budget;
use super::evidence::{self, Evidence, session};
use super::memory::{self, Memory};
use super::policy::Policy;
use super::sufficiency::Dropped;
use super::tools::{ToolText, Tools};
use crate::block_id::block_id;
use crate::count::count;
use crate::decided::{BlockView, BucketsView};
use crate::hydrate::StaticText;
use crate::prompt;
use crate::refusal::Refusal;
use crate::seal::StageOutput;
use crate::tally::Tally;
use crate::text::visible;
use deed_canon::ContentHash;
use deed_diag::{Invariant as _, codes};
use deed_model::{Bucket, ContextBlock, DroppedBlock, ItemStatus, Stage, TokensByBucket, Turn};
use pack::{Packed, pack};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The packed buckets.
pub(crate) struct Buckets<'a> {
    /// The blocks that fit, by priority.
    pub(crate) blocks: Vec<PackedBlock<'a>>,
    pub(crate) used: TokensByBucket,
    pub(crate) dropped: Vec<DroppedBlock<'a>>,
    /// The status of every block of evidence and memory, by its id.
    statuses: BTreeMap<Cow<'a, str>, ItemStatus>,
    pub(crate) tally: Tally,
}

/// A block that fits, with the hash of its content.
pub(crate) struct PackedBlock<'a> {
    pub(crate) block: ContextBlock<'a>,
    pub(crate) hash: ContentHash,
}

/// A block before packing.
struct Candidate<'a> {
    id: Cow<'a, str>,
    content: Cow<'a, str>,
    provenance: Vec<Cow<'a, str>>,
    hash: ContentHash,
    tokens: u64,
}

#[derive(Serialize)]
struct Reads {
    layer: ContentHash,
}

/// The outputs of earlier stages that the buckets are filled from.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'s, 'a> {
    pub(crate) policy: &'s Policy<'a>,
    pub(crate) tools: &'s Tools<'a>,
    pub(crate) evidence: &'s Evidence<'a>,
    pub(crate) memory: &'s Memory<'a>,
    pub(crate) budget: &'s Budget<'a>,
}

pub(crate) fn assemble<'a>(cx: Cx<'a>, sources: Sources<'_, 'a>) -> Result<Buckets<'a>, Refusal> {
    let mut buckets = Buckets {
        blocks: Vec::new(),
        used: TokensByBucket::default(),
        dropped: Vec::new(),
        statuses: BTreeMap::new(),
        tally: Tally::new(cx.pack),
    };
    for bucket in Bucket::ALL {
        let candidates = candidates(cx, bucket, sources, &mut buckets.tally);
        let budget = sources.budget.allocated.get(bucket);
        let packed = pack(candidates.iter().map(|c| c.tokens), budget);
        if bucket == Bucket::Policy && packed.dropped() {
            return Err(policy_too_large(&candidates, budget));
        }
        buckets.enter(bucket, candidates, packed, budget);
    }
    Ok(buckets)
}

impl<'a> StageOutput<'a> for Buckets<'a> {
    const STAGE: Stage = Stage::Buckets;

    fn reads(&self, cx: Cx<'a>) -> impl Serialize {
        Reads { layer: cx.pack.layers.buckets }
    }

    fn decided(&self, _: Cx<'a>) -> impl Serialize {
        let views = self.blocks.iter().map(|packed| BlockView::of(&packed.block, packed.hash));
        BucketsView { blocks: views.collect(), dropped: &self.dropped, used: self.used }
    }
}

impl<'a> Buckets<'a> {
    /// The hashes of the policy, tool and business blocks, in the order of the prompt.
    pub(crate) fn stable_hashes(&self) -> impl Iterator<Item = ContentHash> {
        let of = |bucket: Bucket| self.blocks.iter().filter(move |packed| packed.block.bucket == bucket);
        prompt::STABLE.into_iter().flat_map(of).map(|packed| packed.hash)
    }

    /// The status of an item of evidence or memory, given the id of its block.
    pub(crate) fn status(&self, block_id: Option<&Cow<'a, str>>) -> ItemStatus {
        match block_id {
            None => ItemStatus::Rejected,
            Some(id) => *self.statuses.get(id).invariant("stage 7 packs or drops every admitted item"),
        }
    }

    /// Adds the evidence that did not fit to what is known to be dropped; returns true if that is more than before.
    pub(crate) fn adds_to(&self, dropped: &mut Dropped<'a>) -> bool {
        let evidence = self.dropped.iter().filter(|block| block.bucket == Bucket::Evidence);
        let before = dropped.len();
        dropped.extend(evidence.map(|block| block.block_id.clone()));
        dropped.len() > before
    }

    fn enter(&mut self, bucket: Bucket, candidates: Vec<Candidate<'a>>, packed: Packed, budget: u64) {
        *self.used.get_mut(bucket) = packed.used;
        let sizes: Vec<u64> = match packed.dropped() {
            true => candidates.iter().map(|c| c.tokens).collect(),
            false => Vec::new(),
        };
        let mut smallest = smallest::budgets(&sizes, &packed.kept, budget).into_iter();
        for (candidate, kept) in candidates.into_iter().zip(packed.kept) {
            if matches!(bucket, Bucket::Evidence | Bucket::Memory) {
                let status = if kept { ItemStatus::Kept } else { ItemStatus::Dropped };
                self.statuses.insert(candidate.id.clone(), status);
            }
            if kept {
                self.blocks.push(candidate.into_block(bucket));
            } else {
                let (smallest_budget, exact) = smallest.next().invariant("every dropped block has a smallest budget");
                let tokens = candidate.tokens;
                self.dropped.push(DroppedBlock { block_id: candidate.id, bucket, exact, smallest_budget, tokens });
            }
        }
    }
}

impl<'a> Candidate<'a> {
    fn ready(id: impl Into<Cow<'a, str>>, text: &'a StaticText, provenance: Vec<Cow<'a, str>>) -> Self {
        Self { id: id.into(), content: Cow::Borrowed(&text.text), provenance, hash: text.hash, tokens: text.tokens }
    }

    fn fresh(cx: Cx<'_>, id: impl Into<Cow<'a, str>>, text: String, provenance: Vec<Cow<'a, str>>) -> Self {
        let hash = ContentHash::of_bytes(text.as_bytes());
        let tokens = count(cx, &text, &hash);
        Self { id: id.into(), content: Cow::Owned(text), provenance, hash, tokens }
    }

    fn into_block(self, bucket: Bucket) -> PackedBlock<'a> {
        let block = ContextBlock {
            block_id: self.id,
            bucket,
            content: self.content,
            priority: bucket.priority(),
            provenance_refs: self.provenance,
            tokens: self.tokens,
        };
        PackedBlock { block, hash: self.hash }
    }
}

/// Returns the blocks of a bucket, in packing order.
fn candidates<'a>(cx: Cx<'a>, bucket: Bucket, sources: Sources<'_, 'a>, tally: &mut Tally) -> Vec<Candidate<'a>> {
    match bucket {
        Bucket::Business => {
            let provenance = vec![Cow::Borrowed(cx.pack.reference.as_str())];
            vec![Candidate::ready("biz_summary", &cx.pack.business, provenance)]
        }
        Bucket::Policy => policy_blocks(sources.policy),
        Bucket::Tool => tool_blocks(cx, sources.tools),
        Bucket::Evidence => evidence_blocks(cx, sources.evidence, tally),
        Bucket::Memory => memory_blocks(cx, sources.memory, tally),
        Bucket::Session => session_blocks(cx, tally),
    }
}

fn policy_blocks<'a>(policy: &Policy<'a>) -> Vec<Candidate<'a>> {
    let blocks = policy.fired.iter().enumerate().map(|(i, (_, outcome))| {
        let provenance = outcome.provenance.iter().map(|p| Cow::Borrowed(p.as_str())).collect();
        Candidate::ready(block_id("pol", i), &outcome.block, provenance)
    });
    blocks.collect()
}

fn tool_blocks<'a>(cx: Cx<'a>, tools: &Tools<'a>) -> Vec<Candidate<'a>> {
    let blocks = tools.surfaced.iter().enumerate().map(|(i, surfaced)| {
        let provenance = surfaced.tool.derivation.iter().map(|d| Cow::Borrowed(d.as_str())).collect();
        match surfaced.text() {
            ToolText::Static(text) => Candidate::ready(block_id("tool", i), text, provenance),
            ToolText::Rendered(text) => Candidate::fresh(cx, block_id("tool", i), text, provenance),
        }
    });
    blocks.collect()
}

fn evidence_blocks<'a>(cx: Cx<'a>, evidence: &Evidence<'a>, tally: &mut Tally) -> Vec<Candidate<'a>> {
    let blocks = evidence.admitted().map(|(id, judged)| {
        let text = evidence::render(cx, judged.item, id, tally);
        let provenance = vec![Cow::Borrowed(judged.item.evidence_ref.as_str())];
        Candidate::fresh(cx, id.clone(), text, provenance)
    });
    blocks.collect()
}

fn memory_blocks<'a>(cx: Cx<'a>, memory: &Memory<'a>, tally: &mut Tally) -> Vec<Candidate<'a>> {
    let blocks = memory.admitted().map(|(id, recalled)| {
        let text = memory::render(cx, recalled.item, id, tally);
        let own = Cow::Owned(format!("memory:{}", recalled.item.id));
        let others = recalled.item.provenance.iter().map(|p| Cow::Borrowed(p.as_str()));
        Candidate::fresh(cx, id.clone(), text, std::iter::once(own).chain(others).collect())
    });
    blocks.collect()
}

/// Returns the session itself, then its turns, newest first: those are kept longest.
fn session_blocks<'a>(cx: Cx<'a>, tally: &mut Tally) -> Vec<Candidate<'a>> {
    let request = cx.inputs.request;
    let provenance = || vec![Cow::Owned(format!("request:{}", request.request_id()))];
    let facts = [("channel", request.channel()), ("locale", request.locale()), ("session", session(cx))];
    let words: Vec<String> =
        facts.iter().filter_map(|(key, value)| value.map(|value| format!("{key}: {}", visible(value)))).collect();
    let summary = if words.is_empty() { "nothing is known of it".to_owned() } else { words.join("\n") };
    let first = tally.block(cx.pack, "session", [], &summary);
    let mut blocks = vec![Candidate::fresh(cx, "session", first, provenance())];
    for (i, Turn { role, text }) in request.turns().iter().rev().enumerate() {
        let id = block_id("turn", i);
        let turn = tally.block(cx.pack, &id, [Some(role)], text);
        blocks.push(Candidate::fresh(cx, id, turn, provenance()));
    }
    blocks
}

fn policy_too_large(candidates: &[Candidate<'_>], budget: u64) -> Refusal {
    let needed: u64 = candidates.iter().map(|c| c.tokens).sum();
    let message = format!("the rules that fired take {needed} tokens, and the policy bucket has {budget}");
    Refusal::at(Stage::Buckets, codes::POLICY_TOO_LARGE, message)
        .place("run context", "/run_budget/bucket_tokens")
        .help(format!("policy is never dropped: give its bucket at least {needed} tokens"))
}
