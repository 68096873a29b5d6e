//! Criteria that a model judges: those without a rule, where the profile of the run binds a model to the evaluator.

use crate::attempt::Attempt;
use crate::models::{AskFailure, Caller, RunModels, native_schema, until_usable};
use deed_desk::{
    Evaluation, EvaluationPiece, JudgedCriterion, PieceContent, PreparedAsk, ReplyForm, Side, Verdict, Verdicts,
};
use deed_diag::codes;
use deed_model::{BindingSlot, BridgeErrorKind, Budget, CallGate, FailureClass, ModelConsumer};
use deed_ports::{CriterionResult, Evidence, EvidenceBundle, EvidenceContent, Judgement, RubricCriterion};
use serde_json::{Value, json};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The slot of the evaluator.
const SLOT: BindingSlot = BindingSlot::Consumer(ModelConsumer::Evaluator);
/// The fix for answers that cannot be used.
const LESS: &str = "bind a more capable model to `operator_evaluator`, give fewer criteria, or give them rules";

/// A model that is ready to judge a bundle.
pub(super) struct ModelJudge {
    models: Arc<RunModels>,
    contract: String,
    form: ReplyForm,
    prepared: PreparedAsk,
    /// The call that decided, and the verdicts, once there are any.
    decided: Mutex<Option<(String, Verdicts)>>,
}

impl fmt::Debug for ModelJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelJudge").field("model", &self.prepared.call.model).finish_non_exhaustive()
    }
}

/// Prepares the model for a bundle; none if rules judge all criteria, or the run may ask no model.
pub(super) fn prepare(attempt: &Attempt, bundle: &EvidenceBundle) -> Option<Result<ModelJudge, AskFailure>> {
    if bundle.rubric.iter().all(|criterion| criterion.rule.is_some()) {
        return None;
    }
    let unusable = |why: String| {
        AskFailure::new(BridgeErrorKind::Failed, FailureClass::ContractSchema, codes::MODEL_BINDING_UNUSABLE, why)
    };
    let models = match attempt.run.models() {
        Ok(models) => models?,
        Err(why) => return Some(Err(unusable(format!("what models read cannot be used: {why}")))),
    };
    let contract = attempt.contract.spec_hash.to_string();
    let evaluation = evaluation(&contract, bundle);
    let prepared = evaluation.form().and_then(|form| {
        let native = native_schema(&models, SLOT);
        let prepared = evaluation.prepare(&models.desk, &form, native)?;
        Ok((form, prepared))
    });
    Some(match prepared {
        Ok((form, prepared)) => Ok(ModelJudge { models, contract, form, prepared, decided: Mutex::default() }),
        Err(refusal) => Err(AskFailure::of_refusal(&refusal)),
    })
}

/// The bundle as the desk takes it, with the criteria that have no rule.
fn evaluation<'b>(contract: &'b str, bundle: &'b EvidenceBundle) -> Evaluation<'b> {
    let side = |side: Side, evidence: &'b [Evidence]| {
        evidence.iter().map(move |piece| EvaluationPiece {
            side,
            role: &piece.role,
            path: piece.path.as_deref(),
            sha256: piece.sha256,
            bytes: piece.bytes,
            content: match &piece.content {
                EvidenceContent::Value(value) => PieceContent::Value(value),
                EvidenceContent::Image { media_type } => PieceContent::Image { media_type },
            },
        })
    };
    let open = bundle.rubric.iter().filter(|criterion| criterion.rule.is_none());
    Evaluation {
        contract,
        bundle: bundle.hash,
        item_id: bundle.item_id.as_deref(),
        instructions: bundle.instructions.as_deref(),
        pieces: side(Side::Source, &bundle.sources).chain(side(Side::Derived, &bundle.derived)).collect(),
        criteria: open.map(|criterion| (criterion.id.as_str(), criterion.text.as_str())).collect(),
    }
}

impl ModelJudge {
    /// The gates that the pack demands before the call.
    pub(super) fn gates(&self) -> Vec<CallGate> {
        let gates = self.prepared.escalations.iter();
        gates.map(|escalation| crate::models::gate_of(&escalation.control, &escalation.role)).collect()
    }

    /// The part of a bundle that rules judge, if there is any.
    pub(super) fn ruled(&self, bundle: &EvidenceBundle) -> Option<EvidenceBundle> {
        let rubric: Vec<RubricCriterion> =
            bundle.rubric.iter().filter(|criterion| criterion.rule.is_some()).cloned().collect();
        (!rubric.is_empty()).then(|| EvidenceBundle { rubric, ..bundle.clone() })
    }

    /// Asks until an answer can be used.
    pub(super) fn ask(
        &self,
        attempt: &Arc<Attempt>,
        key: &str,
        bundle: &EvidenceBundle,
        spent: &mut Budget,
    ) -> Result<Verdicts, AskFailure> {
        let evaluation = evaluation(&self.contract, bundle);
        let read = |text: &str| evaluation.read(&self.form, text);
        let caller: Arc<dyn Caller> = attempt.clone();
        let asked = until_usable(&caller, &self.models, (key, &self.prepared), read, spent);
        let (call, verdicts) = asked.map_err(|failed| match failed.failure.code == codes::MODEL_ANSWER_UNUSABLE {
            true => failed.help(LESS),
            false => failed,
        })?;
        let mut decided = self.decided.lock().unwrap_or_else(PoisonError::into_inner);
        *decided = Some((call.to_string(), verdicts.clone()));
        Ok(verdicts)
    }

    /// Joins what rules and the model judged, in the order of the rubric.
    pub(super) fn joined(&self, bundle: &EvidenceBundle, ruled: Vec<CriterionResult>, verdicts: Verdicts) -> Judgement {
        let judged = verdicts.criteria.into_iter().map(|criterion| CriterionResult {
            met: criterion.verdict == Verdict::Pass,
            why: criterion.reason,
            id: criterion.id,
        });
        let by_rules = !ruled.is_empty();
        let mut all: Vec<CriterionResult> = ruled.into_iter().chain(judged).collect();
        let place = |id: &str| bundle.rubric.iter().position(|criterion| criterion.id == id);
        all.sort_by_key(|result| place(&result.id));
        let model = &self.prepared.call.model;
        let decided = self.decided.lock().unwrap_or_else(PoisonError::into_inner);
        Judgement {
            passes: all.iter().all(|result| result.met),
            criteria: all,
            evaluator: if by_rules { format!("rules/v1 and {model}") } else { model.to_string() },
            model_call_id: decided.as_ref().map(|(call, _)| call.clone()),
            // They are counted with the calls.
            model_tokens: 0,
        }
    }

    fn criterion(&self, id: &str) -> Option<JudgedCriterion> {
        let decided = self.decided.lock().unwrap_or_else(PoisonError::into_inner);
        decided.as_ref()?.1.criteria.iter().find(|criterion| criterion.id == id).cloned()
    }
}

/// A criterion as verdicts and proofs show it: of one that a model judged, its verdict and what it cites too.
pub(super) fn shown(model: Option<&Result<ModelJudge, AskFailure>>, result: &CriterionResult) -> Value {
    let judged = model.and_then(|model| model.as_ref().ok()).and_then(|model| model.criterion(&result.id));
    match judged {
        None => json!({ "id": result.id, "met": result.met, "why": result.why }),
        Some(judged) => json!({
            "id": result.id, "met": result.met, "why": result.why, "verdict": judged.verdict.as_str(),
            "evidence": judged.evidence,
        }),
    }
}

/// The verdict of all criteria: `uncertain` if none fails and one cannot be decided.
pub(super) fn verdict(model: Option<&Result<ModelJudge, AskFailure>>, judged: &Judgement) -> &'static str {
    let uncertain = |result: &CriterionResult| {
        let own = model.and_then(|model| model.as_ref().ok()).and_then(|model| model.criterion(&result.id));
        own.is_some_and(|criterion| criterion.verdict == Verdict::Uncertain)
    };
    match judged.passes {
        true => "pass",
        false if judged.criteria.iter().all(|result| result.met || uncertain(result)) => "uncertain",
        false => "fail",
    }
}
