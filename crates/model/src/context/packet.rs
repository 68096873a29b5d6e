//! Replay packets: the label of a recorded compile, what should have happened instead, and the result of a replay.
//!
//! The rule for readers: `deed/replay-bundle/v1` had other words for kinds, policies and results. They are read as the
//! words of today (the aliases below) and never written; the seal of such a recording is computed with its own words.

use super::golden::GoldenExpectation;
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
    /// The operator's correction; required for an `operator_correction`, and for nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Correction>,
    /// The recorded result.
    pub expected: PacketExpectation,
    /// The latest result. It is null in a recording, which is never written again: the life beside it has the results.
    #[serde(default)]
    pub latest_result: Option<PacketResult>,
    /// The pack that was compiled, `id@x.y.z`.
    pub pack_ref: String,
    /// The packet's id, derived from the recording.
    pub packet_id: String,
    /// The sessions that it belongs to, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub session_ids: Vec<String>,
    /// Side effects that a replay may have.
    pub side_effect_policy: SideEffectPolicy,
    /// The snapshot of the graph that evidence was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot_ref: Option<String>,
    /// The kind of source.
    pub source_kind: SourceKind,
    /// The run or request that was recorded.
    pub source_ref: String,
    /// The packet that this one supersedes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The head of the hash chain over the transcript of tool calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub tool_transcript_chain_hash: Option<ContentHash>,
    /// The trace that the recorded request belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
}

/// Defines an enum of words with their names in documents.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// All words.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the word in documents.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// The kind of source of a recording.
    pub enum SourceKind {
        /// A decision that was recorded.
        #[serde(alias = "run")]
        DecisionRecord = "decision_record",
        /// A case that was kept to watch the quality of answers.
        QualityReplayCase = "quality_replay_case",
        /// An episode of an environment, such as an incident.
        #[serde(alias = "incident")]
        EnvironmentEpisode = "environment_episode",
        /// A correction by an operator: it states what should have happened.
        #[serde(alias = "correction")]
        OperatorCorrection = "operator_correction",
        /// A golden case.
        #[serde(alias = "golden")]
        GoldenCase = "golden_case",
    }
}

words! {
    /// Side effects that a replay may have. None reaches a live system.
    pub enum SideEffectPolicy {
        /// Recorded calls are decided again and answered from the transcript, which has an answer to every call that was
        /// allowed.
        #[serde(alias = "simulate")]
        TranscriptOnly = "transcript_only",
        /// Recorded calls are decided again; a call without a recorded answer may be made in a sandbox.
        Sandbox = "sandbox",
        /// Nothing but the compile: the recording has no calls.
        #[serde(alias = "suppress")]
        LiveDisallowed = "live_disallowed",
    }
}

words! {
    /// The result of a replay.
    pub enum ReplayResult {
        /// It was not replayed yet.
        NotRun = "not_run",
        /// Every stage and every call has the recorded result.
        #[serde(alias = "equal")]
        ReplayEqual = "replay_equal",
        /// A stage or a call has another result.
        #[serde(alias = "evidence", alias = "policy", alias = "tool", alias = "memory", alias = "budget")]
        ReplayMismatch = "replay_mismatch",
        /// What an operator corrected comes out as it should.
        Fixed = "fixed",
        /// What an operator corrected does not come out as it should.
        StillFailing = "still_failing",
        /// It cannot be replayed, or is not what was recorded.
        #[serde(alias = "tamper")]
        Invalid = "invalid",
        /// Another packet takes its place. No result follows.
        Superseded = "superseded",
    }
}

words! {
    /// The part of a compile that a difference is in, regardless of its cause.
    pub enum DifferenceKind {
        /// Evidence was admitted differently.
        Evidence = "evidence",
        /// Intent, rules, guardrails or gates have another result.
        Policy = "policy",
        /// The tool surface, or the decision about a call, differs.
        Tool = "tool",
        /// Memory was admitted differently.
        Memory = "memory",
        /// Tokens were allocated, or blocks packed, differently.
        Budget = "budget",
        /// The record itself was changed.
        Tamper = "tamper",
    }
}

impl SourceKind {
    /// Returns the word of `deed/replay-bundle/v1`, if it had one.
    pub fn as_v1(self) -> Option<&'static str> {
        match self {
            Self::DecisionRecord => Some("run"),
            Self::EnvironmentEpisode => Some("incident"),
            Self::OperatorCorrection => Some("correction"),
            Self::GoldenCase => Some("golden"),
            Self::QualityReplayCase => None,
        }
    }
}

impl SideEffectPolicy {
    /// Returns the word of `deed/replay-bundle/v1`, if it had one.
    pub fn as_v1(self) -> Option<&'static str> {
        match self {
            Self::TranscriptOnly => Some("simulate"),
            Self::LiveDisallowed => Some("suppress"),
            Self::Sandbox => None,
        }
    }
}

impl ReplayResult {
    /// Returns true if the replay has shown what it should show.
    pub fn is_good(self) -> bool {
        matches!(self, Self::ReplayEqual | Self::Fixed)
    }

    /// Returns true if a replay, or the end of a packet of this kind can have this result. A correction is judged by what
    /// it states, everything else by what was recorded.
    pub fn is_of(self, kind: SourceKind) -> bool {
        match self {
            Self::NotRun => false,
            Self::ReplayMismatch | Self::Invalid | Self::Superseded => true,
            Self::ReplayEqual => kind != SourceKind::OperatorCorrection,
            Self::Fixed | Self::StillFailing => kind == SourceKind::OperatorCorrection,
        }
    }

    /// Returns true if this result may follow another one in the life of a packet of this kind.
    pub fn may_follow(self, before: Self, kind: SourceKind) -> bool {
        before != Self::Superseded && self.is_of(kind)
    }
}

/// An operator's correction of a recorded compile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The instant of the correction, in RFC 3339.
    pub at: String,
    /// The operator.
    pub by: String,
    /// The result that the request should have had. Fields that are left out are not judged.
    pub expect: GoldenExpectation,
    /// The reason.
    pub reason: String,
}

/// The recorded result of a compile.
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

/// The result of a replay, with the first difference and the evaluation that judged it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketResult {
    /// The value there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    /// The recorded value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The evaluation run that judged the replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval_run_id: Option<String>,
    /// JSON Pointer into the stage's record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The result.
    #[serde(alias = "status")]
    pub result: ReplayResult,
    /// The score that the evaluation run gave, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The first stage whose hash changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// The parts of the bundle that were changed since the recording.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tampered: Vec<String>,
    /// The parts of a correction that do not hold, as JSON Pointers into the correction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmet: Vec<String>,
}

impl PacketResult {
    /// Creates a result without details.
    pub fn of(result: ReplayResult) -> Self {
        Self {
            after: None,
            before: None,
            eval_run_id: None,
            pointer: None,
            result,
            score: None,
            stage: None,
            tampered: Vec::new(),
            unmet: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use serde_json::json;

    #[test]
    fn words_of_the_first_version_are_read_and_never_written() {
        for kind in SourceKind::ALL {
            assert_eq!(json!(kind), json!(kind.as_str()));
            if let Some(old) = kind.as_v1() {
                assert_eq!(serde_json::from_value::<SourceKind>(json!(old)).unwrap(), *kind);
            }
        }
        for policy in SideEffectPolicy::ALL {
            assert_eq!(json!(policy), json!(policy.as_str()));
            if let Some(old) = policy.as_v1() {
                assert_eq!(serde_json::from_value::<SideEffectPolicy>(json!(old)).unwrap(), *policy);
            }
        }
        for (old, now) in [
            ("equal", ReplayResult::ReplayEqual),
            ("evidence", ReplayResult::ReplayMismatch),
            ("policy", ReplayResult::ReplayMismatch),
            ("tool", ReplayResult::ReplayMismatch),
            ("memory", ReplayResult::ReplayMismatch),
            ("budget", ReplayResult::ReplayMismatch),
            ("tamper", ReplayResult::Invalid),
        ] {
            let read: PacketResult = serde_json::from_value(json!({ "status": old })).unwrap();
            assert_eq!(read, PacketResult::of(now), "{old}");
            assert_eq!(serde_json::to_value(&read).unwrap(), json!({ "result": now.as_str() }));
        }
    }

    #[test]
    fn nothing_follows_a_superseded_packet() {
        for kind in SourceKind::ALL {
            for before in ReplayResult::ALL {
                for after in ReplayResult::ALL {
                    let may = after.may_follow(*before, *kind);
                    assert!(!may || *before != ReplayResult::Superseded, "{kind} {before} {after}");
                    assert!(!may || *after != ReplayResult::NotRun, "{kind} {before} {after}");
                }
            }
        }
    }
}
