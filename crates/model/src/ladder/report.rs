//! Ladder reports: every change, every finding, and the result of each rung.

use super::patch::PatchOp;
use super::proposal::Proposal;
use super::repair_name::RepairName;
use super::rung::{LadderMode, Phase, Rung};
use super::text_repairs::TextRepairs;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The outcome of a climb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LadderOutcome {
    /// The payload passed.
    Accepted,
    /// The payload was refused.
    Rejected,
}

impl LadderOutcome {
    /// Returns the outcome's name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
        }
    }
}

/// The report of a climb.
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
    /// The outcome.
    pub outcome: LadderOutcome,
    /// The hash of the input: of the value, or of the text as a JSON string if it was not JSON.
    #[schemars(with = "String")]
    pub input_hash: ContentHash,
    /// The hash of the payload after the last rung; `None` if there never was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub output_hash: Option<ContentHash>,
    /// Every change, in order. Their inverses, applied last to first, restore the input.
    pub changes: Vec<LadderChange>,
    /// Repairs of the text, in the order of their places.
    #[serde(default, skip_serializing_if = "TextRepairs::is_empty")]
    pub repairs: TextRepairs,
    /// Changes that rungs in mode `report` would have made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<LadderChange>,
    /// Every finding.
    pub findings: Vec<LadderFinding>,
    /// The result of each rung, in the order of the climb.
    pub rungs: Vec<RungRecord>,
    /// The proposals with their verdicts, so that a replay needs no model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<ProposalRecord>,
    /// The use of the edit budget.
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
    /// The confidence, in thousandths.
    pub confidence: u16,
    /// The change.
    pub patch: Vec<PatchOp>,
    /// The inverse of the change.
    pub inverse: Vec<PatchOp>,
    /// The hash of the value at the place before; of null if there was none.
    #[schemars(with = "String")]
    pub before: ContentHash,
    /// The hash of the value at the place after; of null if there is none.
    #[schemars(with = "String")]
    pub after: ContentHash,
    /// The reason.
    pub why: String,
}

/// A repair of the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextRepair<'r> {
    /// The kind of repair.
    pub kind: RepairName,
    /// The first byte of the replaced text.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// The replacement.
    pub inserted: Cow<'r, str>,
}

/// A finding of a rung.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderFinding {
    /// The rung.
    pub rung: Rung,
    /// Its stable code.
    pub code: String,
    /// True if it refuses the payload.
    pub blocks: bool,
    /// The place in the payload.
    pub pointer: String,
    /// The message; never the value that the guard stopped.
    pub message: String,
    /// Help: how to fix it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The rule or class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// The result of a rung.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RungRecord {
    /// The rung.
    pub rung: Rung,
    /// The mode that it ran in.
    pub mode: LadderMode,
    /// The status.
    pub status: RungStatus,
    /// The number of changes.
    pub changes: usize,
    /// The number of findings.
    pub findings: usize,
}

/// The status of a rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RungStatus {
    /// There was nothing to do.
    Passed,
    /// It changed something.
    Changed,
    /// It found something that it could not fix.
    Found,
    /// It found something that stops the climb.
    Stopped,
    /// Its mode is `off`.
    Off,
    /// The climb had ended before it.
    NotReached,
}

impl RungStatus {
    /// Returns the status's name in reports.
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

/// A proposal and its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalRecord {
    /// The proposal as it was supplied.
    pub proposal: Proposal,
    /// The verdict.
    pub verdict: ProposalVerdict,
    /// The reason.
    pub reason: String,
}

/// The verdict on a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalVerdict {
    /// It was applied.
    Applied,
    /// It is a finding, and listed among the findings.
    Reported,
    /// It would have been applied in mode `block`.
    Suggested,
    /// It was rejected.
    Refused,
}

/// The use of the edit budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetUse {
    /// Changes allowed.
    pub most_changes: usize,
    /// Changes made.
    pub changes: usize,
    /// True if there were too many.
    pub exceeded: bool,
}
