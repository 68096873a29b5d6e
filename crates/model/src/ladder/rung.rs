//! Rungs, the phases that a ladder runs in, and the mode of each rung.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A rung of the ladder. The guard runs first, and again over the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Rung {
    /// Guard: secrets, personal data, forbidden content.
    L3,
    /// Schema: from raw text to one JSON value.
    L0,
    /// Synonyms: replaces configured names by canonical ones.
    L0b,
    /// Structure: unpacks JSON in text, redundant wrappers, single items, numbers as text.
    L0c,
    /// Defaults: inserts configured values for missing keys.
    L0d,
    /// Transforms: applies the conventions of a business.
    L0e,
    /// Vector rename: renames keys that are similar to a canonical name.
    L1,
    /// Guarded patch: applies proposed and unambiguous fixes of values.
    L2,
    /// Conformance: checks allowed keys and the full schema.
    L4,
    /// Domain: checks rules beyond the schema.
    L5,
    /// Expert: applies proposed fixes of values that require understanding.
    L6,
}

impl Rung {
    /// Every rung, in the order of the climb.
    pub const ALL: [Self; 11] = [
        Self::L3,
        Self::L0,
        Self::L0b,
        Self::L0c,
        Self::L0d,
        Self::L0e,
        Self::L1,
        Self::L2,
        Self::L4,
        Self::L5,
        Self::L6,
    ];

    /// Returns the rung's name in contracts and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::L3 => "L3",
            Self::L0 => "L0",
            Self::L0b => "L0b",
            Self::L0c => "L0c",
            Self::L0d => "L0d",
            Self::L0e => "L0e",
            Self::L1 => "L1",
            Self::L2 => "L2",
            Self::L4 => "L4",
            Self::L5 => "L5",
            Self::L6 => "L6",
        }
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The phase of a run in which a ladder is climbed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Data that enters the system.
    Ingestion,
    /// A plan before it is compiled.
    PlannerCandidate,
    /// A plan after it was compiled.
    CompiledPlan,
    /// The input of a step.
    StepInput,
    /// The output of a step.
    StepOutput,
    /// Output for the user.
    FinalOutput,
}

impl Phase {
    /// Every phase, in the order of a run.
    pub const ALL: [Self; 6] = [
        Self::Ingestion,
        Self::PlannerCandidate,
        Self::CompiledPlan,
        Self::StepInput,
        Self::StepOutput,
        Self::FinalOutput,
    ];

    /// Returns the phase's name in contracts and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ingestion => "ingestion",
            Self::PlannerCandidate => "planner_candidate",
            Self::CompiledPlan => "compiled_plan",
            Self::StepInput => "step_input",
            Self::StepOutput => "step_output",
            Self::FinalOutput => "final_output",
        }
    }
}

/// The mode of a rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "snake_case")]
pub enum LadderMode {
    /// The rung does not run.
    Off,
    /// Findings and possible changes are reported; nothing is changed or refused.
    Report,
    /// Changes are made, and findings refuse the payload.
    #[default]
    Block,
}

impl LadderMode {
    /// Returns the mode's name in contracts and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Report => "report",
            Self::Block => "block",
        }
    }
}
