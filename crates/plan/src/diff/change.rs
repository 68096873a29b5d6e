//! One change, and all of them together.

use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// The meaning of a change for the users of a plan, least first; the greatest decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanChangeClass {
    /// Consumers need no change.
    Compatible,
    /// It holds itself to more, or may do less.
    Tightening,
    /// A promise is gone, the plan may do more, or the meaning of the change is unknown.
    Breaking,
}

impl PlanChangeClass {
    /// The class as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Tightening => "tightening",
            Self::Breaking => "breaking",
        }
    }
}

impl fmt::Display for PlanChangeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One difference between two plans.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PlanChange {
    /// Its meaning.
    pub class: PlanChangeClass,
    /// The step, by its newer name; none where the plan itself changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// JSON Pointer into the step's contract, or into the plan where no step is named; into the older one for what is
    /// gone. Empty for a whole step.
    pub at: String,
    /// A sentence that describes the change.
    pub what: String,
    /// The old value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The new value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

impl PlanChange {
    pub(super) fn new(
        class: PlanChangeClass,
        step: Option<&str>,
        at: impl Into<String>,
        what: impl Into<String>,
    ) -> Self {
        let (at, what) = (at.into(), what.into());
        Self { class, step: step.map(str::to_owned), at, what, before: None, after: None }
    }

    pub(super) fn from(self, before: Option<Value>) -> Self {
        Self { before, ..self }
    }

    pub(super) fn to(self, after: Option<Value>) -> Self {
        Self { after, ..self }
    }
}

/// Two plans compared.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PlanDiff {
    /// Every difference: of the plan, of its steps in their order, and the steps that are gone.
    pub changes: Vec<PlanChange>,
    /// The greatest class of all changes.
    pub class: PlanChangeClass,
}
