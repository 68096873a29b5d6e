//! Everything that the critic reads besides the decision.

use deed_canon::{ContentHash, PublicKey};
use deed_model::{CompiledContext, ContextPack, EvidenceItem, RunContext, RunEvidence};
use jiff::Timestamp;
use serde_json::{Map, Value};

/// Everything that the critic reads besides the decision.
#[derive(Debug, Clone, Copy)]
pub struct CriticInputs<'c> {
    /// The compiled context that the model was shown.
    pub context: &'c CompiledContext<'c>,
    /// The pack that it was compiled from, with its overlays applied.
    pub pack: &'c ContextPack,
    /// Typed hash of that pack.
    pub pack_hash: ContentHash,
    /// The facts of the request that it was compiled for: `input.context`.
    pub facts: &'c Map<String, Value>,
    /// The run context that it was compiled for.
    pub run_context: &'c RunContext,
    /// The evidence that was supplied for it.
    pub evidence: &'c [EvidenceItem],
    /// The facts of the run, if it is in a journal.
    pub journal: Option<&'c RunEvidence>,
    /// The keys by which approvals are verified.
    pub approver_keys: &'c [PublicKey],
    /// The instant that expiry is judged at.
    pub as_of: Timestamp,
}
