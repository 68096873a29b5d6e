//! The validation ladder: contracts, proposals, and the report of a climb.

mod contract;
mod mapping;
mod patch;
mod patch_value;
mod proposal;
mod repair_name;
mod report;
mod rung;
mod text_repairs;

pub use contract::{
    AllowedKeys, AllowedPersonal, DateTransform, DefaultValue, Defaults, DomainRule, EditBudget, ForbiddenContent,
    GuardRules, LadderContract, PatchGuardrails, ProseRule, RuleWeight, ScaleTransform, StructuralFix, Structure,
    Synonym, Transform, TransformKind, VectorRename, VocabularyWord,
};
pub use mapping::{Conversion, FieldMapping, JoinConversion, LadderMapping, ScaleConversion, UnitPlace};
pub use patch::PatchOp;
pub use patch_value::PatchValue;
pub use proposal::{Proposal, Proposals, ProposedFinding};
pub use repair_name::RepairName;
pub use report::{
    BudgetUse, LadderChange, LadderFinding, LadderOutcome, LadderReport, ProposalRecord, ProposalVerdict, RungRecord,
    RungStatus, TextRepair,
};
pub use rung::{LadderMode, Phase, Rung};
pub use text_repairs::TextRepairs;
