//! An evaluator that judges by rules. Criteria without a rule need a model, which it refuses to stand in for.

use deed_logic::{Mode, Program};
use deed_ports::{CriterionResult, Evaluator, EvaluatorError, Evidence, EvidenceBundle, EvidenceContent, Judgement};
use serde_json::{Map, Value, json};

/// Evidence as rules read it: by role, and as a list where several pieces have one role.
fn by_role(evidence: &[Evidence]) -> Value {
    let mut roles = Map::new();
    for piece in evidence {
        let value = match &piece.content {
            EvidenceContent::Value(value) => value.clone(),
            EvidenceContent::Image { media_type } => {
                json!({ "media_type": media_type, "sha256": piece.sha256, "bytes": piece.bytes })
            }
        };
        let several = evidence.iter().filter(|other| other.role == piece.role).count() > 1;
        match roles.get_mut(&piece.role) {
            Some(Value::Array(list)) if several => list.push(value),
            _ => {
                roles.insert(piece.role.clone(), if several { Value::Array(vec![value]) } else { value });
            }
        }
    }
    Value::Object(roles)
}

/// Judges by the rules of a rubric: strict JsonLogic over `sources` and `derived`. One that errs is not met.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleEvaluator;

impl Evaluator for RuleEvaluator {
    fn evaluate(&self, bundle: &EvidenceBundle) -> Result<Judgement, EvaluatorError> {
        let facts = json!({
            "item_id": bundle.item_id, "sources": by_role(&bundle.sources), "derived": by_role(&bundle.derived),
        });
        let mut criteria = Vec::new();
        for criterion in &bundle.rubric {
            let rule = criterion.rule.as_ref().ok_or_else(|| {
                EvaluatorError::NoModel(format!("the criterion `{}` has no `rule` to judge it by", criterion.id))
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
        Ok(Judgement { passes, criteria, evaluator: "rules/v1".to_owned(), model_call_id: None, model_tokens: 0 })
    }

    fn most_tokens(&self, _: u64) -> u64 {
        0
    }
}
