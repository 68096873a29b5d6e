//! Validation: which pack of checks each phase of a run uses, and what a failure does.

use crate::validation::ValidationPack;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The validation of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProfileValidation {
    /// The phases.
    #[serde(default)]
    pub phases: ValidationPhases,
    /// Validation packs of its own, which are versioned, signed and published with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packs: Vec<ValidationPack>,
}

/// The six phases of validation. A phase that is left out is off.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ValidationPhases {
    /// Data that enters the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ingestion: Option<PhaseValidation>,
    /// A plan before it is compiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planner_candidate: Option<PhaseValidation>,
    /// A plan after it was compiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiled_plan: Option<PhaseValidation>,
    /// The input of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_input: Option<PhaseValidation>,
    /// The output of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_output: Option<PhaseValidation>,
    /// Output for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_output: Option<PhaseValidation>,
}

impl ValidationPhases {
    /// Returns the phases by name, in the order of a run.
    pub fn parts(&self) -> [(&'static str, Option<&PhaseValidation>); 6] {
        [
            ("ingestion", self.ingestion.as_ref()),
            ("planner_candidate", self.planner_candidate.as_ref()),
            ("compiled_plan", self.compiled_plan.as_ref()),
            ("step_input", self.step_input.as_ref()),
            ("step_output", self.step_output.as_ref()),
            ("final_output", self.final_output.as_ref()),
        ]
    }
}

/// The validation of a phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PhaseValidation {
    /// The validation pack: `valpack.operator.generic.planner@v1`. The same as `default_pack_ref`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack_ref: Option<String>,
    /// The validation pack of files that no matcher matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_pack_ref: Option<String>,
    /// The validation packs of files by their paths; the first that matches decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matchers: Vec<ValidationMatcher>,
    /// The effect of a failure.
    pub mode: ValidationMode,
}

/// The validation pack of files whose path matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ValidationMatcher {
    /// The path, with `*` for any characters: `*.json`.
    #[schemars(length(min = 1, max = 500))]
    pub artifact_path: String,
    /// The validation pack.
    pub pack_ref: String,
}

/// The effect of a failed validation, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValidationMode {
    /// The phase is skipped.
    Off,
    /// The failure is recorded and the run continues.
    Report,
    /// The run stops.
    Block,
}

impl ValidationMode {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Report => "report",
            Self::Block => "block",
        }
    }
}
