//! The decisions of each stage, as parts of the compiled context.
//!
//! The compile seals these as it produces them; [`verify`] extracts them from a finished document. Both must give the
//! same bytes, so there is one view for each stage.

use crate::seal::Recorder;
use deed_canon::ContentHash;
use deed_model::{
    Bucket, CompiledContext, ContextBlock, DecisionManifest, DroppedBlock, EvidenceEntry, EvidenceReason, HeadTokens,
    LedgerBudget, LedgerCapability, LedgerControl, LedgerDecision, LedgerEvidence, LedgerMemory, LedgerNotice,
    LedgerPack, LedgerRedaction, LedgerRequest, LedgerRun, LedgerTokenizer, MemoryReason, Neutralized, Obligation,
    PackNaming, PackOrigin, PackSource, PolicyDecision, PolicyEntry, RuntimeControls, StablePrefix, Stage,
    TokensByBucket, ToolEntry, Verdict,
};
use serde::Serialize;
use std::borrow::Cow;

/// Stage 2.
#[derive(Serialize)]
pub(crate) struct PolicyView<'r, 'a> {
    pub(crate) controls: &'r [LedgerControl<'a>],
    pub(crate) decisions: &'r [PolicyDecision<'a>],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) depends_on_call: Vec<Cow<'a, str>>,
}

/// Stage 3.
#[derive(Serialize)]
pub(crate) struct ToolsView<'r, 'a> {
    pub(crate) capabilities: &'r [LedgerCapability<'a>],
    pub(crate) surface: &'r [ToolEntry<'a>],
}

/// Stage 4, an item.
#[derive(Serialize)]
pub(crate) struct EvidenceView<'r> {
    pub(crate) evidence_ref: &'r str,
    pub(crate) reasons: &'r [EvidenceReason],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) supplied: Option<u64>,
}

/// Stage 5, an item.
#[derive(Serialize)]
pub(crate) struct MemoryView<'r> {
    pub(crate) id: &'r str,
    pub(crate) reasons: &'r [MemoryReason],
}

/// Stage 6.
#[derive(Serialize)]
pub(crate) struct BudgetView<'r, 'a> {
    pub(crate) allocated: TokensByBucket,
    pub(crate) developer: ContentHash,
    pub(crate) head: HeadTokens,
    pub(crate) system: ContentHash,
    pub(crate) task: ContentHash,
    pub(crate) total: u64,
    pub(crate) warnings: &'r [Cow<'a, str>],
}

/// Stage 7.
#[derive(Serialize)]
pub(crate) struct BucketsView<'r, 'a> {
    pub(crate) blocks: Vec<BlockView<'r, 'a>>,
    pub(crate) dropped: &'r [DroppedBlock<'a>],
    pub(crate) used: TokensByBucket,
}

/// Stage 7, a block that was kept.
#[derive(Serialize)]
pub(crate) struct BlockView<'r, 'a> {
    pub(crate) block_id: &'r str,
    pub(crate) bucket: Bucket,
    pub(crate) content: ContentHash,
    pub(crate) provenance_refs: &'r [Cow<'a, str>],
    pub(crate) tokens: u64,
}

impl<'r, 'a> BlockView<'r, 'a> {
    pub(crate) fn of(block: &'r ContextBlock<'a>, content: ContentHash) -> Self {
        Self {
            block_id: &block.block_id,
            bucket: block.bucket,
            content,
            provenance_refs: &block.provenance_refs,
            tokens: block.tokens,
        }
    }
}

/// Stage 8: everything that no earlier stage covers.
#[derive(Serialize)]
pub(crate) struct ManifestsView<'r, 'a> {
    pub(crate) as_of: &'r Option<Cow<'a, str>>,
    pub(crate) budget: &'r LedgerBudget,
    pub(crate) controls: &'r RuntimeControls<'a>,
    pub(crate) decisions: &'r [DecisionManifest<'a>],
    pub(crate) evidence: &'r [LedgerEvidence<'a>],
    pub(crate) evidence_manifest: &'r [EvidenceEntry<'a>],
    pub(crate) memory: &'r [LedgerMemory<'a>],
    pub(crate) neutralized: Neutralized,
    pub(crate) notices: &'r [LedgerNotice<'a>],
    pub(crate) obligations: &'r [Obligation<'a>],
    pub(crate) outcome: Verdict,
    pub(crate) overlays: &'r [LedgerPack<'a>],
    pub(crate) pack: &'r LedgerPack<'a>,
    #[serde(skip_serializing_if = "PackSource::is_unstated")]
    pub(crate) pack_source: PackSource,
    pub(crate) policy_manifest: &'r [PolicyEntry<'a>],
    pub(crate) redactions: &'r [LedgerRedaction<'a>],
    pub(crate) request: &'r LedgerRequest<'a>,
    pub(crate) resolved_pack_hash: ContentHash,
    pub(crate) run: &'r LedgerRun<'a>,
    pub(crate) stable_prefix: &'r StablePrefix<'a>,
    pub(crate) tokenizer: &'r LedgerTokenizer<'a>,
}

/// Returns the part of a source that the hash covers. A folder and a pack that the request names are the weaker
/// statements, and are hashed as if nothing were stated: a compile from a folder keeps its hash.
fn sealed(source: &PackSource) -> PackSource {
    PackSource {
        origin: source.origin.filter(|origin| *origin != PackOrigin::Folder),
        named_by: source.named_by.clone().filter(|naming| *naming != PackNaming::Request),
    }
}

impl<'r, 'a> ManifestsView<'r, 'a> {
    pub(crate) fn of(context: &'r CompiledContext<'a>) -> Self {
        let ledger = &context.context_ledger;
        Self {
            as_of: &ledger.as_of,
            budget: &ledger.budget,
            controls: &context.runtime_controls,
            decisions: &context.decisions,
            evidence: &ledger.evidence,
            evidence_manifest: &context.manifests.evidence_manifest,
            memory: &ledger.memory,
            neutralized: ledger.neutralized,
            notices: &ledger.notices,
            obligations: &context.obligations,
            outcome: context.outcome,
            overlays: &ledger.overlays,
            pack: &ledger.pack,
            pack_source: sealed(&ledger.pack_source),
            policy_manifest: &context.manifests.policy_manifest,
            redactions: &ledger.redactions,
            request: &ledger.request,
            resolved_pack_hash: ledger.resolved_pack_hash,
            run: &ledger.run,
            stable_prefix: &ledger.stable_prefix,
            tokenizer: &ledger.tokenizer,
        }
    }
}

/// Computes every hash of a compiled context again.
///
/// The inputs of the stages are trusted: only a replay can verify them.
///
/// # Errors
/// The first stage whose part of the context is not the sealed one; `None` if only the hash of the whole differs.
pub fn verify(context: &CompiledContext<'_>) -> Result<(), Option<Stage>> {
    let ledger = &context.context_ledger;
    let mut recorder = Recorder::new();
    for stage in Stage::ALL {
        let Some(sealed) = ledger.stage_hashes.iter().find(|sealed| sealed.stage == stage) else {
            return Err(Some(stage));
        };
        let again = again(context, stage, sealed.reads, &mut recorder);
        if again != Some(sealed.hash) {
            return Err(Some(stage));
        }
    }
    let orderly = ledger.stage_hashes.iter().map(|sealed| sealed.stage).eq(Stage::ALL);
    let whole = recorder.whole(&ledger.stage_hashes).ok();
    if orderly && whole.is_some() && whole == ledger.compiled_context_hash { Ok(()) } else { Err(None) }
}

fn again(
    context: &CompiledContext<'_>,
    stage: Stage,
    reads: ContentHash,
    recorder: &mut Recorder,
) -> Option<ContentHash> {
    let (ledger, report, prompt) = (&context.context_ledger, &context.budget_report, &context.compiled_prompt);
    let text = |text: &str| ContentHash::of_bytes(text.as_bytes());
    let hash = match stage {
        Stage::Intent => recorder.stage_hash(stage, reads, &ledger.intent),
        Stage::Policy => {
            let depends_on_call = ledger.rules_by_call.clone();
            let view = PolicyView { controls: &ledger.controls, decisions: &ledger.policy_decisions, depends_on_call };
            recorder.stage_hash(stage, reads, &view)
        }
        Stage::Tools => {
            let view = ToolsView { capabilities: &ledger.tools, surface: &context.manifests.tool_manifest };
            recorder.stage_hash(stage, reads, &view)
        }
        Stage::Evidence => {
            let items = ledger.evidence.iter().map(|item| EvidenceView {
                evidence_ref: &item.evidence_ref,
                reasons: &item.reasons,
                supplied: item.supplied,
            });
            recorder.stage_hash(stage, reads, &items.collect::<Vec<_>>())
        }
        Stage::Memory => {
            let items = ledger.memory.iter().map(|item| MemoryView { id: &item.id, reasons: &item.reasons });
            recorder.stage_hash(stage, reads, &items.collect::<Vec<_>>())
        }
        Stage::Budget => {
            let view = BudgetView {
                allocated: report.tokens_allocated,
                developer: text(&prompt.developer),
                head: report.head_tokens,
                system: text(&prompt.system),
                task: text(&prompt.task),
                total: report.tokens_total,
                warnings: &report.warnings,
            };
            recorder.stage_hash(stage, reads, &view)
        }
        Stage::Buckets => {
            // Derived values are compared instead of hashed.
            let prioritised = prompt.context_blocks.iter().all(|block| block.priority == block.bucket.priority());
            if !prioritised || !summed(context) {
                return None;
            }
            let blocks = prompt.context_blocks.iter().map(|block| BlockView::of(block, text(&block.content)));
            let view = BucketsView {
                blocks: blocks.collect(),
                dropped: &report.dropped_blocks,
                used: report.tokens_used_by_bucket,
            };
            recorder.stage_hash(stage, reads, &view)
        }
        Stage::Manifests if !repeated(context) => return None,
        Stage::Manifests => recorder.stage_hash(stage, reads, &ManifestsView::of(context)),
    };
    hash.ok()
}

/// Returns true if the ledger repeats the decisions and obligations of the context.
fn repeated(context: &CompiledContext<'_>) -> bool {
    let ledger = &context.context_ledger;
    let same = ledger.decisions.iter().cloned().eq(context.decisions.iter().map(LedgerDecision::of));
    same && ledger.obligations == context.obligations
}

/// Returns true if the budget report's summaries match its lists.
fn summed(context: &CompiledContext<'_>) -> bool {
    let report = &context.budget_report;
    let mut ids: std::collections::BTreeMap<Bucket, Vec<&str>> = std::collections::BTreeMap::new();
    for block in &report.dropped_blocks {
        ids.entry(block.bucket).or_default().push(&block.block_id);
    }
    let listed = report.dropped_block_ids.iter().map(|(bucket, list)| (*bucket, list.iter().map(|id| &**id).collect()));
    report.tokens_used_at_compile == report.tokens_used_by_bucket.sum()
        && report.bucket_truncations.iter().all(|(_, cut)| *cut)
        && report.bucket_truncations.keys().eq(ids.keys())
        && listed.eq(ids)
}
