//! The interfaces of the runtime to the outside world, as traits. Implementations are leaves; callers depend on what they use.

mod blobs;
mod clock;
mod directory;
mod engine;
mod error;
mod evaluator;
mod journal;
mod model;
mod secrets;

pub use blobs::{BlobPlace, BlobRead, BlobWrite, Kept, ReadSeek};
pub use clock::Clock;
pub use directory::{ApproverStanding, Directory, NoDirectory};
pub use engine::{Engine, EngineError, Observer, Standing, Unobserved};
pub use error::{StoreError, StoreErrorKind};
pub use evaluator::{
    CriterionResult, Evaluator, EvaluatorError, Evidence, EvidenceBundle, EvidenceContent, Judgement, RubricCriterion,
};
pub use journal::{
    AnchorStatus, AppendOutcome, BrokenLink, Created, JournalEntry, JournalExtent, JournalRead, JournalWrite, RunHold,
    RunListing, Unless, Wait,
};
pub use model::{Model, ModelAnswer, ModelError, ModelErrorKind, RawExchange, SpentCall};
pub use secrets::{NoSecrets, Secret, SecretError, Secrets};
