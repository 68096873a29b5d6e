//! Evaluators judge a piece of work by a rubric, with a model or with rules.

use deed_canon::ContentHash;
use serde_json::Value;
use thiserror::Error;

/// A unit of evaluation: the sources, the files derived from them, and the rubric.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceBundle {
    /// The item that it is about, such as `candidate_001`.
    pub item_id: Option<String>,
    /// The sources.
    pub sources: Vec<Evidence>,
    /// The files derived from the sources.
    pub derived: Vec<Evidence>,
    /// General instructions, as text.
    pub instructions: Option<String>,
    /// The criteria, in the order of evaluation.
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
    /// Its size in bytes.
    pub bytes: u64,
    /// Its content.
    pub content: EvidenceContent,
}

/// The content of a piece of evidence.
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

/// A criterion for a piece of work.
#[derive(Debug, Clone, PartialEq)]
pub struct RubricCriterion {
    /// Its name.
    pub id: String,
    /// The criterion, as text.
    pub text: String,
    /// The same as a rule over `sources` and `derived`, for evaluators that use rules.
    pub rule: Option<Value>,
}

/// The result of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// True if all criteria are met.
    pub passes: bool,
    /// Each criterion, in order.
    pub criteria: Vec<CriterionResult>,
    /// The evaluator, with its version.
    pub evaluator: String,
    /// The call of the model, if one was used.
    pub model_call_id: Option<String>,
    /// The tokens that it used.
    pub model_tokens: u64,
}

/// The result for one criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionResult {
    /// Its name.
    pub id: String,
    /// True if it is met.
    pub met: bool,
    /// The reason.
    pub why: String,
}

/// An error of an evaluator.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EvaluatorError {
    /// The bundle or the rubric cannot be judged by this evaluator.
    #[error("{0}")]
    Unfit(String),
    /// A model is needed to judge it, and none is configured.
    #[error("no evaluator model is configured: {0}")]
    NoModel(String),
    /// The evaluator could not be reached; a retry may help.
    #[error("{0}")]
    Unavailable(String),
}

/// An evaluator.
pub trait Evaluator: Send + Sync {
    /// Judges a bundle.
    ///
    /// # Errors
    /// The bundle does not fit this evaluator, a model is needed and not configured, or the evaluator is unavailable.
    fn evaluate(&self, bundle: &EvidenceBundle) -> Result<Judgement, EvaluatorError>;

    /// The maximum number of tokens for judging a bundle of `bytes` bytes.
    fn most_tokens(&self, bytes: u64) -> u64;
}
