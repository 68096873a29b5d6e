//! Whoever judges a piece of work by a rubric: a model, or rules.

use deed_canon::ContentHash;
use serde_json::Value;
use thiserror::Error;

/// What is judged as a unit: the sources, what was derived from them, and by what it is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceBundle {
    /// The item that it is about, such as `candidate_001`.
    pub item_id: Option<String>,
    /// Where it came from.
    pub sources: Vec<Evidence>,
    /// What was made of it.
    pub derived: Vec<Evidence>,
    /// What is asked for in general, in words.
    pub instructions: Option<String>,
    /// The criteria, in the order they are judged in.
    pub rubric: Vec<RubricCriterion>,
    /// The hash of all of it.
    pub hash: ContentHash,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Its part in the bundle, such as `original_resume_text`; rules name it by this.
    pub role: String,
    /// The file of the workspace that it was read from, if it was.
    pub path: Option<String>,
    /// Plain SHA-256 of its bytes: of the file, of a text as UTF-8, or of canonical JSON.
    pub sha256: ContentHash,
    /// How many bytes it has.
    pub bytes: u64,
    /// The message.
    pub content: EvidenceContent,
}

/// What a piece of evidence says.
#[derive(Debug, Clone, PartialEq)]
pub enum EvidenceContent {
    /// A text, or any JSON.
    Value(Value),
    /// An image, whose bytes are stored under its hash.
    Image {
        /// Its media type, such as `image/png`.
        media_type: &'static str,
    },
}

/// Something that is asked of a piece of work.
#[derive(Debug, Clone, PartialEq)]
pub struct RubricCriterion {
    /// Its name.
    pub id: String,
    /// What is asked, in words.
    pub text: String,
    /// The same as a rule over `sources` and `derived`, for whoever judges by rules.
    pub rule: Option<Value>,
}

/// What was judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// True if all criteria are met.
    pub passes: bool,
    /// Each criterion, in order.
    pub criteria: Vec<CriterionResult>,
    /// Who judged, with a version.
    pub evaluator: String,
    /// The call of the model that judged, where one did.
    pub model_call_id: Option<String>,
    /// Tokens that it took.
    pub model_tokens: u64,
}

/// One criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionResult {
    /// Its name.
    pub id: String,
    /// True if it is met.
    pub met: bool,
    /// The reason.
    pub why: String,
}

/// Why nothing was judged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EvaluatorError {
    /// The bundle or the rubric cannot be judged by this evaluator.
    #[error("{0}")]
    Unfit(String),
    /// A model is needed to judge it, and none is configured.
    #[error("no evaluator model is configured: {0}")]
    NoModel(String),
    /// The evaluator could not be reached; another try may help.
    #[error("{0}")]
    Unavailable(String),
}

/// Whoever judges.
pub trait Evaluator: Send + Sync {
    /// Judges a bundle.
    fn evaluate(&self, bundle: &EvidenceBundle) -> Result<Judgement, EvaluatorError>;

    /// The most tokens that judging a bundle of so many bytes can take.
    fn most_tokens(&self, bytes: u64) -> u64;
}
