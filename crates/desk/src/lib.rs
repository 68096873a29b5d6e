//! The model desk: what a consumer asks becomes a call of a model, and its reply a value.
//!
//! [`Desk::ask`] takes a consumer, its material and the form of the answer, compiles the context from the pack that is
//! pinned, renders the prompt that the profile binds, and returns the whole call as a value, before anything is reserved or
//! sent. Each consumer is a file: [`Evaluation`] asks for a judgement of a bundle, [`Correction`] for values of a payload that its
//! contract refuses, [`Distillation`] for what later runs should remember; each reads its answer.
//!
//! The crate is pure: the snapshot, the pack and the material are arguments, and the same ones give the same bytes.

mod answer;
mod ask;
mod builtin;
mod correction;
mod desk;
mod distillation;
mod evaluation;
mod quote;
mod refusal;

pub use answer::{AnswerFault, asked_again};
pub use ask::{Ask, Escalation, Material, PreparedAsk, ReplyForm};
pub use builtin::builtin_pack;
pub use correction::{CorrectablePlace, Correction, CorrectionSource};
pub use desk::{Desk, bound};
pub use distillation::{
    Candidate, CitedArtifact, DistillPolicy, Distillation, DistilledAnswer, DistilledPiece, distilled_statements,
};
pub use evaluation::{Evaluation, EvaluationPiece, JudgedCriterion, PieceContent, Side, Verdict, Verdicts};
pub use refusal::{DeskRefusal, DeskRefusalKind};
