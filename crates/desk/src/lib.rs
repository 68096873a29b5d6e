//! The model desk: what a consumer asks becomes a call of a model, and its reply a value.
//!
//! [`Desk::ask`] takes a consumer, its material and the form of the answer, compiles the context from the pack that is
//! pinned, renders the prompt that the profile binds, and returns the whole call as a value, before anything is reserved or
//! sent. [`Evaluation`] is the first consumer: it asks for a judgement of a bundle and reads the answer.
//!
//! The crate is pure: the snapshot, the pack and the material are arguments, and the same ones give the same bytes.

mod answer;
mod ask;
mod builtin;
mod desk;
mod evaluation;
mod refusal;

pub use answer::AnswerFault;
pub use ask::{Ask, Escalation, Material, PreparedAsk, ReplyForm};
pub use builtin::builtin_pack;
pub use desk::Desk;
pub use evaluation::{Evaluation, EvaluationPiece, JudgedCriterion, PieceContent, Side, Verdict, Verdicts};
pub use refusal::{DeskRefusal, DeskRefusalKind};
