//! A recorded compile that can be run again anywhere.

use super::evidence::EvidenceItem;
use super::memory::MemoryItem;
use super::packet::ReplayPacket;
use super::request::InvokeRequest;
use super::run::RunContext;
use super::stage::Stage;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Everything that a compile read and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayBundle {
    /// What came of it.
    pub expected: BundleExpectation,
    /// `deed/replay-bundle/v1`.
    pub format: String,
    /// What it read.
    pub inputs: BundleInputs,
    /// What it is kept for.
    pub packet: ReplayPacket,
    /// A hash of each part, taken when it was recorded.
    pub seal: BundleSeal,
    /// What the provider reported, where it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageReport>,
}

/// What a compile read. The documents are kept as they were given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BundleInputs {
    /// Evidence.
    #[schemars(with = "Vec<EvidenceItem>")]
    pub evidence: Value,
    /// Memory.
    #[schemars(with = "Vec<MemoryItem>")]
    pub memory: Value,
    /// All overlays that came with the pack, by name.
    pub overlays: BTreeMap<String, Value>,
    /// The pack as authored.
    pub pack: Value,
    /// The request.
    #[schemars(with = "InvokeRequest")]
    pub request: Value,
    /// The run, with `as_of` as it was used.
    #[schemars(with = "RunContext")]
    pub run: Value,
    /// The overlays that were applied.
    pub selected_overlays: Vec<String>,
    /// What counted the tokens, also where the run does not say.
    pub tokenizer: String,
}

/// What came of a compile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BundleExpectation {
    /// Hash of the compiled context, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub compiled_context_hash: Option<ContentHash>,
    /// `compiled`, `must_escalate`, `must_refuse` or `refused`.
    pub outcome: String,
    /// The code of the refusal, where it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The stages that ran.
    pub stages: Vec<RecordedStage>,
}

/// A stage as it was recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedStage {
    /// What the stage decided.
    pub decided: Value,
    /// Typed hash over the hash of what it read, and what it decided.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// What it read.
    pub reads: Value,
    /// Which stage.
    pub stage: Stage,
}

/// A hash of each part of a bundle, by name; `bundle` is over all the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct BundleSeal {
    /// The hashes.
    #[schemars(with = "BTreeMap<String, String>")]
    pub parts: BTreeMap<String, ContentHash>,
}

/// Counted tokens beside the provider's own count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsageReport {
    /// What the compile counted: head and blocks.
    pub counted: u64,
    /// Reported minus counted.
    pub difference: i64,
    /// Whether the count was exact or an estimate.
    pub exact: bool,
    /// Reported as parts per thousand of counted.
    pub per_mille: u64,
    /// What the provider reported.
    pub reported: u64,
    /// What counted.
    pub tokenizer: String,
}
