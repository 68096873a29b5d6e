//! Replay bundles: recorded compiles that can be run again anywhere.

use super::endpoint::EnvironmentEndpoints;
use super::evidence::EvidenceItem;
use super::memory::MemoryItem;
use super::outcome::CompileOutcome;
use super::pack_source::PackSource;
use super::packet::ReplayPacket;
use super::request::InvokeRequest;
use super::run::RunContext;
use super::stage::Stage;
use super::transcript::{RecordedCall, TranscriptEntry};
use crate::RecalledMemory;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A recorded compile: its inputs and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayBundle {
    /// The result.
    pub expected: BundleExpectation,
    /// `deed/replay-bundle/v2`.
    pub format: String,
    /// The inputs.
    pub inputs: BundleInputs,
    /// The time that the compile took, if it was measured. A note beside the recording: the seal does not cover it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<CompileMeasurement>,
    /// The label of the recording.
    pub packet: ReplayPacket,
    /// A hash of each part, computed at recording time.
    pub seal: BundleSeal,
    /// The token count that the provider reported, if it was supplied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageReport>,
}

/// The time of a compile, as the machine that recorded it measured it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompileMeasurement {
    /// Microseconds from the prepared pack and the checked inputs to the outcome.
    pub compile_us: u64,
}

/// The inputs of a compile, as the documents that were supplied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BundleInputs {
    /// The endpoints of the environment, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoints: Option<EnvironmentEndpoints>,
    /// Evidence.
    #[schemars(with = "Vec<EvidenceItem>")]
    pub evidence: Value,
    /// Memory.
    #[schemars(with = "Vec<MemoryItem>")]
    pub memory: Value,
    /// Memory that the store recalled; absent where nothing was asked of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<RecalledMemory>>")]
    pub recalled_memory: Option<Value>,
    /// All overlays that came with the pack, by name.
    pub overlays: BTreeMap<String, Value>,
    /// The pack as authored.
    pub pack: Value,
    /// The origin of the pack, and the party that named it.
    #[serde(default, skip_serializing_if = "PackSource::is_unstated")]
    pub pack_source: PackSource,
    /// The request.
    #[schemars(with = "InvokeRequest")]
    pub request: Value,
    /// The run, with `as_of` as it was used.
    #[schemars(with = "RunContext")]
    pub run: Value,
    /// The overlays that were applied.
    pub selected_overlays: Vec<String>,
    /// The tokenizer that counted, also if the run names none.
    pub tokenizer: String,
    /// The tool calls that were made under the compiled context, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_transcript: Vec<TranscriptEntry>,
}

/// The result of a compile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BundleExpectation {
    /// The decisions about the calls of the transcript.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<RecordedCall>,
    /// The hash of the compiled context, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub compiled_context_hash: Option<ContentHash>,
    /// `compiled`, `must_escalate`, `must_refuse` or `refused`.
    pub outcome: CompileOutcome,
    /// The code of the refusal, if the compile was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The stages that ran.
    pub stages: Vec<RecordedStage>,
}

/// The record of a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedStage {
    /// The decisions of the stage.
    pub decided: Value,
    /// Typed hash over the hash of `reads`, and `decided`.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// Everything that the stage read.
    pub reads: Value,
    /// The stage.
    pub stage: Stage,
}

/// A hash of each part of a bundle, by name; `bundle` covers all the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct BundleSeal {
    /// The hashes.
    #[schemars(with = "BTreeMap<String, String>")]
    pub parts: BTreeMap<String, ContentHash>,
}

/// The compiler's token count beside the provider's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsageReport {
    /// The compiler's count: head and blocks.
    pub counted: u64,
    /// Reported minus counted.
    pub difference: i64,
    /// True if the tokenizer is exact, false for an estimate.
    pub exact: bool,
    /// Reported as parts per thousand of counted.
    pub per_mille: u64,
    /// The provider's count.
    pub reported: u64,
    /// The tokenizer.
    pub tokenizer: String,
}
