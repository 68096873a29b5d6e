//! An evaluator that judges by rules. Criteria without a rule are beyond it, and it says so rather than guess.

use deed_logic::{Mode, Program};
use deed_ports::{CriterionResult, Evaluator, EvaluatorError, EvidenceBundle, Judgement};
use serde_json::{Map, Value, json};

/// Judges by the rules of a rubric: strict JsonLogic over `sources` and `derived`. One that errs is not met.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleEvaluator;

impl Evaluator for RuleEvaluator {
    fn evaluate(&self, bundle: &EvidenceBundle) -> Result<Judgement, EvaluatorError> {
        let part = |parts: &[(String, Value)]| Value::Object(parts.iter().cloned().collect::<Map<_, _>>());
        let facts = json!({ "sources": part(&bundle.sources), "derived": part(&bundle.derived) });
        let mut criteria = Vec::new();
        for criterion in &bundle.rubric {
            let rule = criterion.rule.as_ref().ok_or_else(|| {
                let message =
                    format!("the criterion `{}` has no rule, and rules are all that is judged by here", criterion.id);
                EvaluatorError::Unfit(message)
            })?;
            let program = Program::compile(rule, Mode::Strict).map_err(|errors| {
                let first = errors.first().map_or_else(String::new, ToString::to_string);
                EvaluatorError::Unfit(format!("the rule of `{}` cannot be evaluated: {first}", criterion.id))
            })?;
            let (met, why) = match program.test(&facts) {
                Ok(true) => (true, "the rule holds".to_owned()),
                Ok(false) => (false, "the rule does not hold".to_owned()),
                Err(error) => (false, format!("the rule cannot be evaluated over this bundle: {error}")),
            };
            criteria.push(CriterionResult { id: criterion.id.clone(), met, why });
        }
        let passes = criteria.iter().all(|criterion| criterion.met);
        Ok(Judgement { passes, criteria, evaluator: "rules/v1".to_owned(), model_tokens: 0 })
    }

    fn most_tokens(&self, _: u64) -> u64 {
        0
    }
}
