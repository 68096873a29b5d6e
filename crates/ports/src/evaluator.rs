//! Whoever judges a piece of work by a rubric: a model, or rules.

use deed_canon::ContentHash;
use serde_json::Value;
use thiserror::Error;

/// What is judged: the sources, what was derived from them, and by what it is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceBundle {
    /// Where it came from, by name: a text, or any JSON.
    pub sources: Vec<(String, Value)>,
    /// What was made of it, by name.
    pub derived: Vec<(String, Value)>,
    /// The criteria, in the order they are judged in.
    pub rubric: Vec<RubricCriterion>,
    /// The hash of all of it.
    pub hash: ContentHash,
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
    /// Whether all criteria are met.
    pub passes: bool,
    /// Each criterion, in order.
    pub criteria: Vec<CriterionResult>,
    /// Who judged, with a version.
    pub evaluator: String,
    /// Tokens that it took.
    pub model_tokens: u64,
}

/// One criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionResult {
    /// Its name.
    pub id: String,
    /// Whether it is met.
    pub met: bool,
    /// Why.
    pub why: String,
}

/// Why nothing was judged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EvaluatorError {
    /// The bundle or the rubric cannot be judged by this evaluator.
    #[error("{0}")]
    Unfit(String),
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
