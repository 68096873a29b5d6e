//! The critic's judgement of a decision.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The critic's judgement of a decision: the same inputs give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Critique {
    /// The instant that expiry was judged at, in RFC 3339 and UTC.
    pub as_of: String,
    /// The reasons for the verdict, and notes, in order of the checks.
    pub findings: Vec<CriticFinding>,
    /// The schemas of inputs and outputs.
    pub schemas: SchemaJudgement,
    /// The strictest verdict of all findings.
    pub verdict: CriticVerdict,
}

/// The verdict on a decision; the strictest wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CriticVerdict {
    /// The decision holds.
    Accept,
    /// The decision is incomplete or malformed: decide again under the same context.
    Replan,
    /// A person must act.
    Escalate,
    /// The decision contradicts what governs it.
    Reject,
}

impl CriticVerdict {
    /// Returns the verdict's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Replan => "replan",
            Self::Escalate => "escalate",
            Self::Reject => "reject",
        }
    }
}

/// A reason for a verdict. With the verdict `accept` it is a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CriticFinding {
    /// The check.
    pub check: CriticCheck,
    /// The verdict that it demands.
    pub verdict: CriticVerdict,
    /// JSON Pointer into the draft.
    pub pointer: String,
    /// The reason.
    pub message: String,
}

/// The checks of the critic, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CriticCheck {
    /// The draft was made from this context.
    Lineage,
    /// The context lists the decision in this version.
    Decision,
    /// Inputs and outputs are valid under their schemas.
    Schema,
    /// The outcome is allowed.
    Outcome,
    /// What is cited was shown, and what is required is met and cited.
    Evidence,
    /// The verdicts of rules are those of the context's ledger, and nothing is done that they deny.
    Policy,
    /// The controls are those of the context, and are respected.
    Controls,
    /// Active gates have a valid approval of this very decision.
    Approvals,
    /// The decision's authority and mode allow its effect.
    Authority,
    /// Actor and subjects belong to the run.
    Identity,
}

impl CriticCheck {
    /// Every check, in order.
    pub const ALL: [Self; 10] = [
        Self::Lineage,
        Self::Decision,
        Self::Schema,
        Self::Outcome,
        Self::Evidence,
        Self::Policy,
        Self::Controls,
        Self::Approvals,
        Self::Authority,
        Self::Identity,
    ];

    /// Returns the check's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lineage => "lineage",
            Self::Decision => "decision",
            Self::Schema => "schema",
            Self::Outcome => "outcome",
            Self::Evidence => "evidence",
            Self::Policy => "policy",
            Self::Controls => "controls",
            Self::Approvals => "approvals",
            Self::Authority => "authority",
            Self::Identity => "identity",
        }
    }
}

/// The schemas of a decision's inputs and outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaJudgement {
    /// The schema of the inputs.
    pub inputs: SchemaStatus,
    /// The schema of the outputs.
    pub outputs: SchemaStatus,
}

/// The use that was made of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SchemaStatus {
    /// The value was checked with it.
    Checked,
    /// The spec names none, so nothing was checked.
    NotDeclared,
    /// The pack does not hold the one that the spec names, so nothing was checked.
    NotFound,
    /// The schema cannot be used, so nothing was checked.
    NotUsable,
}

impl SchemaStatus {
    /// Returns the status's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Checked => "checked",
            Self::NotDeclared => "not_declared",
            Self::NotFound => "not_found",
            Self::NotUsable => "not_usable",
        }
    }
}

/// The critic's scores: conditions that hold, of those that were asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scorecard {
    /// The score of each check, in order.
    pub checks: Vec<CheckScore>,
    /// Conditions of all checks that hold, in parts per thousand, rounded down.
    pub per_mille: u64,
}

/// The score of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckScore {
    /// The check.
    pub check: CriticCheck,
    /// The conditions that hold.
    pub passed: u64,
    /// The conditions that were asked.
    pub of: u64,
}
