//! The prompt as text, stable part first.

use deed_canon::ContentHash;
use deed_model::{Bucket, CompiledContext, CompiledPrompt, ContextBlock, HeadTokens, StablePrefix};
use serde::Serialize;
use std::borrow::Cow;

const BETWEEN: &str = "\n\n";

/// Buckets whose text depends only on pack and policy, in the order of the prompt.
pub(crate) const STABLE: [Bucket; 3] = [Bucket::Policy, Bucket::Tool, Bucket::Business];
/// Buckets whose text depends on the request.
const FRESH: [Bucket; 3] = [Bucket::Evidence, Bucket::Memory, Bucket::Session];

/// Renders the prompt as one text: system, developer, policy, tools, business; then evidence, memory, session, task.
pub fn render(prompt: &CompiledPrompt<'_>) -> String {
    let mut text = prefix(prompt);
    fresh(prompt, &mut text);
    text
}

/// Renders the prompt as two texts: the stable prefix, and what depends on the request.
pub fn render_split(prompt: &CompiledPrompt<'_>) -> [String; 2] {
    let mut text = String::new();
    fresh(prompt, &mut text);
    [prefix(prompt), text]
}

/// Adds evidence, memory, session and task.
fn fresh(prompt: &CompiledPrompt<'_>, text: &mut String) {
    for bucket in FRESH {
        let blocks: Vec<&ContextBlock<'_>> = of(prompt, bucket).collect();
        // Turns are packed newest first and read oldest first.
        let turns = blocks.iter().filter(|b| b.block_id.starts_with("turn_")).rev();
        let others = blocks.iter().filter(|b| !b.block_id.starts_with("turn_"));
        for block in others.chain(turns) {
            push(text, &block.content);
        }
    }
    push(text, &prompt.task);
}

fn of<'p, 'a>(prompt: &'p CompiledPrompt<'a>, bucket: Bucket) -> impl Iterator<Item = &'p ContextBlock<'a>> {
    prompt.context_blocks.iter().filter(move |block| block.bucket == bucket)
}

fn push(text: &mut String, part: &str) {
    if !text.is_empty() {
        text.push_str(BETWEEN);
    }
    text.push_str(part);
}

fn prefix(prompt: &CompiledPrompt<'_>) -> String {
    let blocks = || stable_blocks(prompt);
    let bytes: usize = blocks().map(|block| block.content.len() + BETWEEN.len()).sum();
    let mut text = String::with_capacity(prompt.system.len() + prompt.developer.len() + bytes + 8);
    push(&mut text, &prompt.system);
    push(&mut text, &prompt.developer);
    blocks().for_each(|block| push(&mut text, &block.content));
    text
}

/// Returns the part before anything of the request. Its hash covers the known hashes of its parts.
pub(crate) fn stable_prefix<'a>(
    prompt: &CompiledPrompt<'a>,
    head: HeadTokens,
    parts: impl Iterator<Item = ContentHash>,
) -> StablePrefix<'a> {
    let blocks = || stable_blocks(prompt);
    let mut hashes = Vec::with_capacity(32 * (2 + prompt.context_blocks.len()));
    parts.for_each(|hash| hashes.extend_from_slice(hash.as_bytes()));
    StablePrefix {
        blocks: blocks().map(|block| block.block_id.clone()).collect(),
        hash: ContentHash::of_bytes(&hashes),
        tokens: head.system + head.developer + blocks().map(|block| block.tokens).sum::<u64>(),
    }
}

/// Iterates over the blocks of the stable prefix, in the order of the prompt.
fn stable_blocks<'p, 'a>(prompt: &'p CompiledPrompt<'a>) -> impl Iterator<Item = &'p ContextBlock<'a>> {
    STABLE.into_iter().flat_map(move |bucket| of(prompt, bucket))
}

/// The part of an earlier prompt's stable prefix that a later one shares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PrefixChange<'a> {
    /// The part that broke it: a block, `system` or `developer`; `None` if the prefixes are the same.
    pub broken_by: Option<Cow<'a, str>>,
    /// Tokens before that part, which a provider's cache still holds.
    pub shared_tokens: u64,
    /// Tokens of the later prefix.
    pub tokens: u64,
}

/// Compares the stable prefix with that of an earlier compile.
pub fn compare_prefix<'a>(earlier: &CompiledContext<'_>, later: &CompiledContext<'a>) -> PrefixChange<'a> {
    let tokens = later.context_ledger.stable_prefix.tokens;
    let (before, now) = (&earlier.compiled_prompt, &later.compiled_prompt);
    let head = later.budget_report.head_tokens;
    let broken = |part: Cow<'a, str>, shared_tokens| PrefixChange { broken_by: Some(part), shared_tokens, tokens };
    if before.system != now.system {
        return broken(Cow::Borrowed("system"), 0);
    }
    if before.developer != now.developer {
        return broken(Cow::Borrowed("developer"), head.system);
    }
    let mut shared = head.system + head.developer;
    let mut old = stable_blocks(before);
    for block in stable_blocks(now) {
        match old.next() {
            Some(earlier) if earlier.content == block.content => shared += block.tokens,
            // The block at this position moved here: the one that was here is gone.
            Some(earlier) if stable_blocks(before).any(|b| b.content == block.content) => {
                return broken(Cow::Owned(earlier.block_id.clone().into_owned()), shared);
            }
            Some(_) | None => return broken(block.block_id.clone(), shared),
        }
    }
    match old.next() {
        // The earlier prefix had one more block.
        Some(gone) => broken(Cow::Owned(gone.block_id.clone().into_owned()), shared),
        None => PrefixChange { broken_by: None, shared_tokens: shared, tokens },
    }
}
