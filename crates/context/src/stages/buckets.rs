//! Stage 7, buckets.
//!
//! Enters: the blocks of every stage before, and the allocation. Leaves: the blocks that fit, by priority, and those
//! that do not with the smallest budget that would have kept each. Must prove: every block is accounted for once;
//! policy is never dropped.

mod pack;
mod smallest;

use super::Cx;
use super::budget::Budget;
use super::evidence::{Evidence, session};
use super::memory::Memory;
use super::policy::Policy;
use super::tools::{ToolText, Tools};
use crate::block_id::block_id;
use crate::count::count;
use crate::decided::{BlockView, BucketsView};
use crate::hydrate::StaticText;
use crate::prompt;
use crate::refusal::{Refusal, codes};
use crate::seal::Seals;
use crate::tally::Tally;
use crate::text::visible;
use deed_canon::ContentHash;
use deed_model::{Bucket, ByBucket, ContextBlock, DroppedBlock, Stage};
use pack::{Packed, pack};
use serde::Serialize;
use std::borrow::Cow;

/// The packed buckets.
pub(crate) struct Buckets<'a> {
    /// The blocks that fit, by priority.
    pub(crate) blocks: Vec<ContextBlock<'a>>,
    /// Whether each admitted piece of evidence, and each admitted memory, kept its block.
    pub(crate) evidence_kept: Vec<bool>,
    pub(crate) memory_kept: Vec<bool>,
    /// Hashes of the blocks that stand before anything of the request, in the order of the prompt.
    pub(crate) stable: Vec<ContentHash>,
    pub(crate) used: ByBucket,
    pub(crate) dropped: Vec<DroppedBlock<'a>>,
    pub(crate) tally: Tally,
}

/// A block before it is known whether it fits.
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

/// What the buckets are filled from.
pub(crate) struct Filling<'s, 'a> {
    pub(crate) policy: &'s Policy<'a>,
    pub(crate) tools: &'s mut Tools<'a>,
    pub(crate) evidence: &'s mut Evidence<'a>,
    pub(crate) memory: &'s mut Memory<'a>,
    pub(crate) budget: &'s Budget<'a>,
}

pub(crate) fn assemble<'a>(
    cx: Cx<'a>,
    filling: &mut Filling<'_, 'a>,
    seals: &mut Seals,
) -> Result<Buckets<'a>, Refusal> {
    let mut tally = Tally::new(cx.pack);
    let mut buckets = Buckets {
        blocks: Vec::new(),
        evidence_kept: Vec::new(),
        memory_kept: Vec::new(),
        stable: Vec::new(),
        used: ByBucket::default(),
        dropped: Vec::new(),
        tally: tally.clone(),
    };
    let mut hashes: Vec<ContentHash> = Vec::new();
    for bucket in Bucket::ALL {
        let candidates = candidates(cx, bucket, filling, &mut tally);
        let budget = filling.budget.allocated.get(bucket);
        let packed = pack(candidates.iter().map(|c| c.tokens), budget);
        if bucket == Bucket::Policy && packed.dropped() {
            return Err(policy_too_large(&candidates, budget));
        }
        hashes.extend(candidates.iter().zip(&packed.kept).filter(|(_, kept)| **kept).map(|(c, _)| c.hash));
        buckets.enter(bucket, candidates, packed, budget);
    }
    buckets.stable = stable(&buckets.blocks, &hashes);
    buckets.tally = tally;
    let views = buckets.blocks.iter().zip(&hashes).map(|(block, hash)| BlockView::of(block, *hash));
    let decided = BucketsView { blocks: views.collect(), dropped: &buckets.dropped, used: buckets.used };
    seals.seal(Stage::Buckets, &Reads { layer: cx.pack.layers.buckets }, &decided)?;
    Ok(buckets)
}

/// Hashes of policy, tools and business, in the order of the prompt.
fn stable(blocks: &[ContextBlock<'_>], hashes: &[ContentHash]) -> Vec<ContentHash> {
    let of = |bucket: Bucket| blocks.iter().zip(hashes).filter(move |(block, _)| block.bucket == bucket);
    prompt::STABLE.into_iter().flat_map(of).map(|(_, hash)| *hash).collect()
}

impl<'a> Buckets<'a> {
    fn enter(&mut self, bucket: Bucket, candidates: Vec<Candidate<'a>>, packed: Packed, budget: u64) {
        *self.used.get_mut(bucket) = packed.used;
        let sizes: Vec<u64> = match packed.dropped() {
            true => candidates.iter().map(|c| c.tokens).collect(),
            false => Vec::new(),
        };
        let mut smallest = smallest::budgets(&sizes, &packed.kept, budget).into_iter();
        for (candidate, kept) in candidates.into_iter().zip(&packed.kept) {
            if *kept {
                self.blocks.push(candidate.into_block(bucket));
            } else {
                let (smallest_budget, exact) = smallest.next().unwrap_or_default();
                let tokens = candidate.tokens;
                self.dropped.push(DroppedBlock { block_id: candidate.id, bucket, exact, smallest_budget, tokens });
            }
        }
        match bucket {
            Bucket::Evidence => self.evidence_kept = packed.kept,
            Bucket::Memory => self.memory_kept = packed.kept,
            Bucket::Business | Bucket::Policy | Bucket::Tool | Bucket::Session => {}
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

    fn into_block(self, bucket: Bucket) -> ContextBlock<'a> {
        ContextBlock {
            block_id: self.id,
            bucket,
            content: self.content,
            priority: bucket.priority(),
            provenance_refs: self.provenance,
            tokens: self.tokens,
        }
    }
}

/// The blocks of a bucket, in the order in which they are packed.
fn candidates<'a>(cx: Cx<'a>, bucket: Bucket, filling: &mut Filling<'_, 'a>, tally: &mut Tally) -> Vec<Candidate<'a>> {
    match bucket {
        Bucket::Business => {
            let provenance = vec![Cow::Borrowed(cx.pack.reference.as_str())];
            vec![Candidate::ready("biz_summary", &cx.pack.business, provenance)]
        }
        Bucket::Policy => policy_blocks(filling.policy),
        Bucket::Tool => tool_blocks(cx, filling.tools),
        Bucket::Evidence => evidence_blocks(cx, filling.evidence),
        Bucket::Memory => memory_blocks(cx, filling.memory),
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

fn tool_blocks<'a>(cx: Cx<'a>, tools: &mut Tools<'a>) -> Vec<Candidate<'a>> {
    let blocks = std::mem::take(&mut tools.blocks).into_iter().enumerate().map(|(i, (tool, text))| {
        let provenance = tool.derivation.iter().map(|d| Cow::Borrowed(d.as_str())).collect();
        match text {
            ToolText::Ready(text) => Candidate::ready(block_id("tool", i), text, provenance),
            ToolText::Fresh(text) => Candidate::fresh(cx, block_id("tool", i), text, provenance),
        }
    });
    blocks.collect()
}

/// The rendered texts move into the blocks: they can be the largest part of a compile.
fn evidence_blocks<'a>(cx: Cx<'a>, evidence: &mut Evidence<'a>) -> Vec<Candidate<'a>> {
    let admitted = evidence.items.iter_mut().filter(|judged| judged.reasons.is_empty());
    let blocks = admitted.enumerate().map(|(i, judged)| {
        let provenance = vec![Cow::Borrowed(judged.item.evidence_ref.as_str())];
        Candidate::fresh(cx, block_id("ev", i), judged.text.take().unwrap_or_default(), provenance)
    });
    blocks.collect()
}

fn memory_blocks<'a>(cx: Cx<'a>, memory: &mut Memory<'a>) -> Vec<Candidate<'a>> {
    let admitted = memory.items.iter_mut().filter(|recalled| recalled.reasons.is_empty());
    let blocks = admitted.enumerate().map(|(i, recalled)| {
        let own = Cow::Owned(format!("memory:{}", recalled.item.id));
        let others = recalled.item.provenance.iter().map(|p| Cow::Borrowed(p.as_str()));
        let provenance = std::iter::once(own).chain(others).collect();
        Candidate::fresh(cx, block_id("mem", i), recalled.text.take().unwrap_or_default(), provenance)
    });
    blocks.collect()
}

/// The session itself, then its turns, the newest first: those are the ones to keep.
fn session_blocks<'a>(cx: Cx<'a>, tally: &mut Tally) -> Vec<Candidate<'a>> {
    let request = cx.inputs.request;
    let provenance = || vec![Cow::Owned(format!("request:{}", request.request_id()))];
    let facts = [("channel", request.channel()), ("locale", request.locale()), ("session", session(cx))];
    let words: Vec<String> =
        facts.iter().filter_map(|(key, value)| value.map(|value| format!("{key}: {}", visible(value)))).collect();
    let summary = if words.is_empty() { "nothing is known of it".to_owned() } else { words.join("\n") };
    let first = tally.block(cx.pack, "session", [], &summary);
    let mut blocks = vec![Candidate::fresh(cx, "session", first, provenance())];
    for (i, (role, text)) in request.turns().rev().enumerate() {
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
