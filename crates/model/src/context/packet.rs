//! Replay packets: the label of a recorded compile, and the result of its last replay.

use super::outcome::CompileOutcome;
use super::stage::Stage;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The label of a recorded compile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayPacket {
    /// The expected result of a replay.
    pub expected: PacketExpectation,
    /// The result of the last replay, if there was one. A note beside the recording: the seal does not cover it.
    #[serde(default)]
    pub latest_result: Option<PacketResult>,
    /// The pack that was compiled, `id@x.y.z`.
    pub pack_ref: String,
    /// The packet's id, derived from the recording.
    pub packet_id: String,
    /// Side effects that a replay may have.
    pub side_effect_policy: SideEffectPolicy,
    /// The kind of source.
    pub source_kind: SourceKind,
    /// The run or request that was recorded.
    pub source_ref: String,
}

/// The kind of source of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A run.
    Run,
    /// A golden case.
    Golden,
    /// An incident.
    Incident,
    /// A correction by a person.
    Correction,
}

impl SourceKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Run, Self::Golden, Self::Incident, Self::Correction];

    /// Returns the kind's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Golden => "golden",
            Self::Incident => "incident",
            Self::Correction => "correction",
        }
    }
}

/// Side effects that a replay may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideEffectPolicy {
    /// None: a compile has no effects, and no tool is called.
    Suppress,
    /// Tools answer from a recording.
    Simulate,
}

/// The expected result of a replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketExpectation {
    /// The hash of the compiled context, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub compiled_context_hash: Option<ContentHash>,
    /// `compiled`, `must_escalate`, `must_refuse` or `refused`.
    pub outcome: CompileOutcome,
}

/// The result of a replay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketResult {
    /// The value there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    /// The recorded value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// JSON Pointer into the stage's record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The first stage whose hash changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// The status.
    pub status: ReplayStatus,
    /// The parts of the bundle that were changed since the recording.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tampered: Vec<String>,
}

/// The status of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplayStatus {
    /// Every stage has the recorded result.
    Equal,
    /// Evidence was admitted differently.
    Evidence,
    /// Intent, rules, guardrails or gates have another result.
    Policy,
    /// The tool surface differs.
    Tool,
    /// Memory was admitted differently.
    Memory,
    /// Tokens were allocated, or blocks packed, differently.
    Budget,
    /// The bundle was changed since the recording.
    Tamper,
}

impl ReplayStatus {
    /// All statuses.
    pub const ALL: [Self; 7] =
        [Self::Equal, Self::Evidence, Self::Policy, Self::Tool, Self::Memory, Self::Budget, Self::Tamper];

    /// Returns the status's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Evidence => "evidence",
            Self::Policy => "policy",
            Self::Tool => "tool",
            Self::Memory => "memory",
            Self::Budget => "budget",
            Self::Tamper => "tamper",
        }
    }
}

impl fmt::Display for ReplayStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
