//! Decisions of runs: as drafted, as the critic judged them, and as the log keeps them.

mod approval;
mod case;
mod critique;
mod draft;
mod event;
mod record;

pub use approval::{DecisionSubject, JournaledApproval, RunEvidence};
pub use case::DecisionCase;
pub use critique::{
    CheckScore, CriticCheck, CriticFinding, CriticVerdict, Critique, SchemaJudgement, SchemaStatus, Scorecard,
};
pub use draft::{DecisionDraft, DraftLineage};
pub use event::{DecisionEvent, RecordedDecision};
pub use record::{
    ControlsActive, DecisionActor, DecisionLineage, DecisionRecord, DecisionStatus, LineageDocument, PolicyRecord,
};
