//! The parts of a run that are verified again.

use deed_model::ValidationStage;
use serde::{Serialize, Serializer};
use std::fmt;

/// A part of a run that is verified again. Reports write it as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerifiedPart {
    /// The checkpoints of the journal.
    Checkpoints,
    /// The types that were frozen with the run.
    FrozenTypes,
    /// The profile that was frozen with the run.
    FrozenProfile,
    /// The verdicts of validation packs that stand in the request.
    Validation {
        /// The part of the run.
        stage: ValidationStage,
    },
    /// The receipt of the validation of a part of the run.
    ValidationReceipt {
        /// The part of the run.
        stage: ValidationStage,
    },
    /// What calls of models read, as it was frozen with the run.
    FrozenModels,
    /// The calls of models: keys, contexts, reservations and costs.
    ModelCalls,
    /// A distillation of the run: its checkpoints, what it froze, and its calls of models.
    Distillation,
    /// The code of all steps.
    Code,
    /// The receipt of what entered a step.
    Preflight {
        /// The step.
        step: String,
    },
    /// The receipt of what left a step that succeeded.
    Postflight {
        /// The step.
        step: String,
    },
    /// The receipt of an attempt that failed.
    FailedAttempt {
        /// The step.
        step: String,
    },
    /// A decision at an approval gate.
    Decision {
        /// The gate.
        gate_id: String,
    },
    /// The mission's own criteria of success.
    MissionCriteria,
    /// The seal of the run.
    Seal,
    /// The spending of the run and its attempts.
    Spending,
    /// That approvals came before what waits for them.
    Approvals,
    /// That every request was decided about.
    Requests,
}

impl fmt::Display for VerifiedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkpoints => f.write_str("checkpoints of the journal"),
            Self::FrozenTypes => f.write_str("types frozen with the run"),
            Self::FrozenProfile => f.write_str("profile frozen with the run"),
            Self::Validation { stage } => write!(f, "validation of the {}", word(*stage)),
            Self::ValidationReceipt { stage } => write!(f, "validation receipt of the {}", word(*stage)),
            Self::FrozenModels => f.write_str("pack, endpoints and prices frozen with the run"),
            Self::ModelCalls => f.write_str("calls of models"),
            Self::Distillation => f.write_str("distillation of the run"),
            Self::Code => f.write_str("code of the steps"),
            Self::Preflight { step } => write!(f, "preflight receipt of {step}"),
            Self::Postflight { step } => write!(f, "postflight receipt of {step}"),
            Self::FailedAttempt { step } => write!(f, "receipt of the failed attempt of {step}"),
            Self::Decision { gate_id } => write!(f, "decision at {gate_id}"),
            Self::MissionCriteria => f.write_str("criteria of the mission"),
            Self::Seal => f.write_str("seal of the run"),
            Self::Spending => f.write_str("spending of the run"),
            Self::Approvals => f.write_str("approvals before what waits for them"),
            Self::Requests => f.write_str("decisions on requests"),
        }
    }
}

fn word(stage: ValidationStage) -> &'static str {
    match stage {
        ValidationStage::Submission => "submission",
        ValidationStage::Delivery => "delivery",
    }
}

impl Serialize for VerifiedPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
