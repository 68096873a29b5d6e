//! The validation ladder: what a payload is held to, what may be proposed, and the record of what was done.

mod contract;
mod patch;
mod proposal;
mod report;
mod rung;

pub use contract::{
    AllowedKeys, AllowedPersonal, DateTransform, DefaultValue, Defaults, DomainRule, EditBudget, ForbiddenContent,
    GuardRules, LadderContract, PatchGuardrails, RuleWeight, ScaleTransform, StructuralFix, Structure, Synonym,
    Transform, TransformKind, VectorRename, VocabularyWord,
};
pub use patch::PatchOp;
pub use proposal::{Proposal, Proposals};
pub use report::{
    BudgetUse, LadderChange, LadderFinding, LadderOutcome, LadderReport, ProposalRecord, ProposalVerdict, RungRecord,
    RungStatus, TextRepair,
};
pub use rung::{LadderMode, Phase, Rung};
