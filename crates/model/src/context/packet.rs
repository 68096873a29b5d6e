//! What a recorded compile is kept for, and how its last replay went.

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
    /// What a replay must give.
    pub expected: PacketExpectation,
    /// How the last replay went; nothing where there was none.
    #[serde(default)]
    pub latest_result: Option<PacketResult>,
    /// The pack that was compiled, `id@x.y.z`.
    pub pack_ref: String,
    /// Derived from what was recorded.
    pub packet_id: String,
    /// What a replay may do beyond compiling.
    pub side_effect_policy: SideEffectPolicy,
    /// Where it comes from.
    pub source_kind: SourceKind,
    /// The run or request that it comes from.
    pub source_ref: String,
}

/// Where a packet comes from.
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

    /// The kind as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Golden => "golden",
            Self::Incident => "incident",
            Self::Correction => "correction",
        }
    }
}

/// What a replay may do beyond compiling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideEffectPolicy {
    /// Nothing: a compile has no effects, and no tool is called.
    Suppress,
    /// Tools answer from a recording.
    Simulate,
}

/// What a replay must give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketExpectation {
    /// Hash of the compiled context, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub compiled_context_hash: Option<ContentHash>,
    /// `compiled`, `must_escalate`, `must_refuse` or `refused`.
    pub outcome: String,
}

/// How a replay went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketResult {
    /// What stands there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    /// What stood there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// JSON Pointer into the stage's record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The first stage whose hash moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// Equal, or what kind of difference.
    pub status: ReplayStatus,
    /// The parts of the bundle that are not what was recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tampered: Vec<String>,
}

/// The seven ends of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplayStatus {
    /// Every stage gave what it gave.
    Equal,
    /// Evidence was admitted differently.
    Evidence,
    /// Intent, rules, guardrails or gates came out differently.
    Policy,
    /// The tool surface is another.
    Tool,
    /// Memory was admitted differently.
    Memory,
    /// Tokens were shared out, or blocks packed, differently.
    Budget,
    /// What was recorded is no longer what stands in the bundle.
    Tamper,
}

impl ReplayStatus {
    /// All ends.
    pub const ALL: [Self; 7] =
        [Self::Equal, Self::Evidence, Self::Policy, Self::Tool, Self::Memory, Self::Budget, Self::Tamper];

    /// The end as it is written.
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
