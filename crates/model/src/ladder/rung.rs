//! The rungs, the phases a ladder runs in, and how strictly each rung runs in each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A rung of the ladder. The guard runs first and once more over the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Rung {
    /// Guard: secrets, personal data, forbidden content.
    L3,
    /// Schema: from raw text to one JSON value.
    L0,
    /// Synonyms: configured names become canonical ones.
    L0b,
    /// Structure: text that is JSON, needless wrappers, single items, numbers as text.
    L0c,
    /// Defaults: what is missing and has a configured value.
    L0d,
    /// Transforms: the conventions of a business.
    L0e,
    /// Vector rename: names that are near enough to a canonical one.
    L1,
    /// Guarded patch: proposed and unambiguous fixes of values.
    L2,
    /// Conformance: allowed keys and the full schema.
    L4,
    /// Domain: rules beyond the schema.
    L5,
    /// Expert: proposed fixes of values that took understanding.
    L6,
}

impl Rung {
    /// Every rung, in the order they are climbed.
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

    /// The name that contracts and reports use.
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

/// Where in a run a ladder is climbed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Data that enters the system.
    Ingestion,
    /// A plan before it is compiled.
    PlannerCandidate,
    /// A plan after it was compiled.
    CompiledPlan,
    /// What a step is given.
    StepInput,
    /// What a step made.
    StepOutput,
    /// What reaches the user.
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

    /// The name that contracts and reports use.
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

/// How strictly a rung runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "snake_case")]
pub enum LadderMode {
    /// Not at all.
    Off,
    /// What it finds and would change is reported; nothing is changed and nothing is refused.
    Report,
    /// What it can change it changes, and what it finds refuses the payload.
    #[default]
    Block,
}

impl LadderMode {
    /// The name that contracts and reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Report => "report",
            Self::Block => "block",
        }
    }
}
