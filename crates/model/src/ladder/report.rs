//! The record of a climb: every change, every finding, and what each rung did.

use super::patch::PatchOp;
use super::proposal::Proposal;
use super::repair_name::RepairName;
use super::rung::{LadderMode, Phase, Rung};
use super::text_repairs::TextRepairs;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What came of a climb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LadderOutcome {
    /// The payload may pass.
    Accepted,
    /// It may not.
    Rejected,
}

impl LadderOutcome {
    /// The name that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
        }
    }
}

/// The record of a climb.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderReport {
    /// The format of this document.
    pub version: String,
    /// The contract's name.
    pub contract: String,
    /// The contract's hash.
    #[schemars(with = "String")]
    pub contract_hash: ContentHash,
    /// The phase.
    pub phase: Phase,
    /// What came of it.
    pub outcome: LadderOutcome,
    /// Hash of what came in: of the value, or of the text as a JSON string where the text was no JSON.
    #[schemars(with = "String")]
    pub input_hash: ContentHash,
    /// Hash of the payload as it left the last rung; none if there never was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub output_hash: Option<ContentHash>,
    /// Every change, in order. Their inverses, applied last to first, give back what came in.
    pub changes: Vec<LadderChange>,
    /// Repairs of the text, in the order they stand in it.
    #[serde(default, skip_serializing_if = "TextRepairs::is_empty")]
    pub repairs: TextRepairs,
    /// Changes that rungs in mode `report` would have made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<LadderChange>,
    /// Everything that was found.
    pub findings: Vec<LadderFinding>,
    /// What each rung did, in the order they were climbed.
    pub rungs: Vec<RungRecord>,
    /// The proposals as they came in, and what became of each: a replay needs no model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<ProposalRecord>,
    /// What was spent of the edit budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetUse>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderChange {
    /// The rung that made it.
    pub rung: Rung,
    /// The rule of the rung, or the proposal.
    pub rule: String,
    /// How sure it is, in thousandths.
    pub confidence: u16,
    /// The change.
    pub patch: Vec<PatchOp>,
    /// What undoes it.
    pub inverse: Vec<PatchOp>,
    /// Hash of the value at the place before; of null where there was none.
    #[schemars(with = "String")]
    pub before: ContentHash,
    /// Hash of the value at the place after; of null where there is none.
    #[schemars(with = "String")]
    pub after: ContentHash,
    /// Why.
    pub why: String,
}

/// A repair of the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextRepair<'r> {
    /// What kind of slip it was.
    pub kind: RepairName,
    /// The first byte of what was replaced.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
    /// What stands there now.
    pub inserted: Cow<'r, str>,
}

/// Something a rung found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderFinding {
    /// The rung.
    pub rung: Rung,
    /// Its stable code.
    pub code: String,
    /// Whether it refuses the payload.
    pub blocks: bool,
    /// The place in the payload.
    pub pointer: String,
    /// What is wrong; never the value that the guard stopped.
    pub message: String,
    /// The way out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The rule or class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// What a rung did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RungRecord {
    /// The rung.
    pub rung: Rung,
    /// How strictly it ran.
    pub mode: LadderMode,
    /// What came of it.
    pub status: RungStatus,
    /// Its changes.
    pub changes: usize,
    /// Its findings.
    pub findings: usize,
}

/// What came of a rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RungStatus {
    /// Nothing to do.
    Passed,
    /// It changed something.
    Changed,
    /// It found something that it could not change.
    Found,
    /// It found something that stops the climb.
    Stopped,
    /// Its mode is `off`.
    Off,
    /// The climb had ended before.
    NotReached,
}

impl RungStatus {
    /// The name that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Changed => "changed",
            Self::Found => "found",
            Self::Stopped => "stopped",
            Self::Off => "off",
            Self::NotReached => "not_reached",
        }
    }
}

/// A proposal and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalRecord {
    /// The proposal as it came in.
    pub proposal: Proposal,
    /// What became of it.
    pub verdict: ProposalVerdict,
    /// Why.
    pub reason: String,
}

/// What became of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalVerdict {
    /// It was applied.
    Applied,
    /// It is a finding, and stands among the findings.
    Reported,
    /// It would have been, in mode `block`.
    Suggested,
    /// It was not.
    Refused,
}

/// What was spent of the edit budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetUse {
    /// Changes allowed.
    pub most_changes: usize,
    /// Changes made.
    pub changes: usize,
    /// Whether that was too many.
    pub exceeded: bool,
}
