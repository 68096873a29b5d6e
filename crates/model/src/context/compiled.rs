//! What a compile gives.

use super::block::CompiledPrompt;
use super::budget_report::BudgetReport;
use super::controls::RuntimeControls;
use super::ledger::ContextLedger;
use super::manifest::Manifests;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Everything that a model sees and that bounds what it does, compiled from a pack, a run and a request.
/// It borrows what it can from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledContext<'a> {
    /// Where the tokens went.
    pub budget_report: BudgetReport<'a>,
    /// What the model is given.
    pub compiled_prompt: CompiledPrompt<'a>,
    /// What was decided, and a hash for each stage.
    pub context_ledger: ContextLedger<'a>,
    /// What shaped the run, what it may use, what it may cite.
    pub manifests: Manifests<'a>,
    /// What the runtime must do.
    pub outcome: Verdict,
    /// What the runtime must enforce.
    pub runtime_controls: RuntimeControls<'a>,
}

/// What the runtime must do with a compiled context. The strictest applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Go on.
    Compiled,
    /// A person must approve or take over before anything is done.
    MustEscalate,
    /// Refuse: nothing above `read_only` may run.
    MustRefuse,
}

impl Verdict {
    /// The verdict as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compiled => "compiled",
            Self::MustEscalate => "must_escalate",
            Self::MustRefuse => "must_refuse",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
