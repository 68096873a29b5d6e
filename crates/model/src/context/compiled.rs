//! The compiled context: the output of a compile.

use super::block::CompiledPrompt;
use super::budget_report::BudgetReport;
use super::controls::RuntimeControls;
use super::decision::{DecisionManifest, Obligation};
use super::ledger::ContextLedger;
use super::manifest::Manifests;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Everything that a model sees and that bounds what it does, compiled from a pack, a run and a request, from which it
/// borrows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledContext<'a> {
    /// Where the tokens went.
    pub budget_report: BudgetReport<'a>,
    /// The prompt for the model.
    pub compiled_prompt: CompiledPrompt<'a>,
    /// The decisions of each stage, and its hash.
    pub context_ledger: ContextLedger<'a>,
    /// The decisions that the request may lead to, each with the state of its evidence.
    #[serde(default)]
    pub decisions: Vec<DecisionManifest<'a>>,
    /// The rules that fired, the tools that may be used, the evidence that may be cited.
    pub manifests: Manifests<'a>,
    /// The evidence that fired rules require, and its state.
    #[serde(default)]
    pub obligations: Vec<Obligation<'a>>,
    /// The verdict that the runtime must follow.
    pub outcome: Verdict,
    /// The controls that the runtime must enforce.
    pub runtime_controls: RuntimeControls<'a>,
}

/// The verdict on a request. The strictest that applies wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The request may proceed.
    Compiled,
    /// A person must approve or take over before any action.
    MustEscalate,
    /// The request must be refused: nothing above `read_only` may run.
    MustRefuse,
}

impl Verdict {
    /// Returns the verdict's name in documents.
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
