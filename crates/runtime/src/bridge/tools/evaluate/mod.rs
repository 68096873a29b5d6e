//! `artifact.evaluate`: has a bundle of evidence judged by a rubric. The evaluator is not the code that did the work.

mod bundle;
mod files;
mod item;
mod judge;
mod rubric;

pub(crate) use item::JudgedItem;
use judge::ModelJudge;

use super::{CallResult, Failed, PreparedCall, Work, members, text};
use crate::attempt::Attempt;
use crate::bridge::error::BridgeError;
use crate::fault::{FailureExt, fault};
use crate::models::AskFailure;
use deed_diag::codes;
use deed_model::{BridgeErrorKind, Budget, FailureClass, StepFailure};
use deed_ports::{EvaluatorError, Evidence, EvidenceBundle, Judgement};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const DEFINITION: (&str, &[(&str, &str)]) = (
    "has a bundle of evidence judged by a rubric",
    &[
        (
            "bundle",
            "{item_id, source_evidence: [{path, role}], derived_evidence: [{path, role}], rubric: {criteria: []}}; or, \
             inline, {sources: {role: value}, derived: {role: value}}",
        ),
        ("path", "a file of the workspace that holds the bundle, in place of `bundle`"),
        (
            "rubric",
            "a text, {criteria: [], text} or a list of criteria; a criterion is a text or {id, text, rule}, and a rule \
             is JsonLogic over `sources` and `derived`; a text beside criteria is a general instruction",
        ),
        ("enforcement", "`block`, so that a no fails the step, or `report`"),
    ],
);

/// An evaluation that can be made.
#[derive(Debug)]
pub(crate) struct Evaluation {
    bundle: EvidenceBundle,
    /// The model that judges criteria without a rule; none if rules judge all of them, or no model is bound.
    model: Option<Result<ModelJudge, AskFailure>>,
}

impl Evaluation {
    /// Returns whether a model is asked.
    pub(crate) fn asks_a_model(&self) -> bool {
        self.model.is_some()
    }
}

/// The fix for a criterion without a rule.
const GIVE_RULES: &str = "give each criterion a `rule`, JsonLogic over `sources` and `derived`; or run under a profile that binds a model to `operator_evaluator`";

/// An argument or a bundle that is not valid.
fn bad(message: impl Into<String>) -> BridgeError {
    BridgeError::new(BridgeErrorKind::BadArguments, message)
}

pub(super) fn prepare(attempt: &Attempt, arguments: &Value) -> Result<PreparedCall, BridgeError> {
    let members = members(arguments, DEFINITION.1)?;
    let path = text(members, "path")?;
    let written = match (members.get("bundle"), path) {
        (Some(bundle), None) => bundle.clone(),
        (None, Some(path)) => files::document(attempt, path)?,
        _ => return Err(bad("give `bundle` or `path`, and not both")),
    };
    let blocks = match text(members, "enforcement")?.unwrap_or("block") {
        "block" => true,
        "report" => false,
        other => return Err(bad(format!("`enforcement` is `block` or `report`, and not `{}`", other.escape_debug()))),
    };
    let bundle = bundle::read(attempt, &written, members.get("rubric"))?;
    let bytes: u64 = bundle.sources.iter().chain(&bundle.derived).map(|piece| piece.bytes).sum();
    let tokens = attempt.run.world.evaluator.most_tokens(bytes);
    let of = bundle.item_id.as_ref().map_or_else(String::new, |item| format!(" of {}", item.escape_debug()));
    let summary = format!(
        "judge {} sources and {} derived{of} by {} criteria",
        bundle.sources.len(),
        bundle.derived.len(),
        bundle.rubric.len()
    );
    let item = Some(JudgedItem::of(&written, path));
    // A path says nothing about what the file holds by now: another bundle is another call.
    let identity = Some(json!({ "arguments": arguments, "bundle_sha256": bundle.hash }));
    let most = Budget { model_tokens: Some(tokens), ..Budget::default() };
    let model = judge::prepare(attempt, &bundle);
    let escalations = model.as_ref().and_then(|model| model.as_ref().ok()).map(ModelJudge::gates).unwrap_or_default();
    let work = Work::Evaluate(Box::new(Evaluation { bundle, model }));
    Ok(PreparedCall { work, most, repeatable: true, summary, effect: None, blocks, identity, item, escalations })
}

/// The item of an evaluation that blocks and was not prepared; none of one that only reports.
pub(super) fn unprepared(attempt: &Attempt, arguments: &Value) -> Option<JudgedItem> {
    let reports = arguments.get("enforcement").and_then(Value::as_str) == Some("report");
    (!reports).then(|| {
        let path = arguments.get("path").and_then(Value::as_str);
        let written = match arguments.get("bundle") {
            Some(bundle) => bundle.clone(),
            None => path.and_then(|path| files::document(attempt, path).ok()).unwrap_or_default(),
        };
        JudgedItem::of(&written, path)
    })
}

pub(super) fn execute(
    attempt: &Arc<Attempt>,
    work: &Evaluation,
    blocks: bool,
    key: &str,
) -> Result<CallResult, Box<Failed>> {
    let bundle = &work.bundle;
    let mut asked = Budget::default();
    let judged = match &work.model {
        None => by_rules(attempt, bundle)?,
        Some(Err(refusal)) => return Err(unasked(refusal.clone(), asked)),
        Some(Ok(model)) => {
            // Rules first: where one cannot be evaluated, no model is paid.
            let ruled = match model.ruled(bundle) {
                Some(rules) => by_rules(attempt, &rules)?.criteria,
                None => Vec::new(),
            };
            let verdicts = model.ask(attempt, key, bundle, &mut asked).map_err(|failed| unasked(failed, asked))?;
            model.joined(bundle, ruled, verdicts)
        }
    };
    let criteria: Vec<Value> = judged.criteria.iter().map(|result| judge::shown(work.model.as_ref(), result)).collect();
    let verdict = judge::verdict(work.model.as_ref(), &judged);
    let value = json!({
        "passes": judged.passes, "verdict": verdict, "criteria": criteria, "evaluator": judged.evaluator,
        "bundle_sha256": bundle.hash, "item_id": bundle.item_id, "model_call_id": judged.model_call_id,
    });
    let evidence: Vec<Value> = listed("source", &bundle.sources).chain(listed("derived", &bundle.derived)).collect();
    let unhashed = |error| Box::new(Failed { error, spent: total(asked), settled: asked, failure: None });
    let rubric = bundle::rubric_hash(bundle).map_err(unhashed)?;
    let proof = json!({
        "rubric_sha256": rubric, "model_call_id": judged.model_call_id, "bundle_sha256": bundle.hash, "item_id": bundle.item_id,
        "verdict": verdict, "criteria": criteria, "evidence": evidence, "evaluator": judged.evaluator,
        "enforcement": if blocks { "block" } else { "report" },
    });
    Ok(CallResult { value, spent: total(asked), settled: asked, proof })
}

/// The cost of an evaluation: its own governed call, and everything that models cost.
fn total(asked: Budget) -> Budget {
    let own = Budget { governed_calls: Some(1), model_tokens: Some(0), ..Budget::default() };
    own.plus(asked)
}

/// The failure of an evaluation whose model did not judge.
fn unasked(failed: AskFailure, asked: Budget) -> Box<Failed> {
    let error = BridgeError::new(failed.kind, failed.failure.message.clone());
    let message = format!("nothing was judged: {}", failed.failure.message);
    let failure = StepFailure { message, ..*failed.failure }.about("operator.artifact.evaluate");
    Box::new(Failed { error, spent: total(asked), settled: asked, failure: Some(failure) })
}

/// Judges by rules.
fn by_rules(attempt: &Attempt, bundle: &EvidenceBundle) -> Result<Judgement, Box<Failed>> {
    attempt.run.world.evaluator.evaluate(bundle).map_err(|error| {
        let (kind, class, code, help) = match error {
            // A retry with the same bundle would be refused again.
            EvaluatorError::Unfit(_) => (BridgeErrorKind::Unfit, FailureClass::OutputShape, codes::TOOL_FAILED, None),
            EvaluatorError::NoModel(_) => {
                (BridgeErrorKind::NoModel, FailureClass::OutputShape, codes::EVALUATOR_NOT_CONFIGURED, Some(GIVE_RULES))
            }
            EvaluatorError::Unavailable(_) => {
                (BridgeErrorKind::Unavailable, FailureClass::ToolBridge, codes::TOOL_FAILED, None)
            }
        };
        let failure = fault(class, code, format!("nothing was judged: {error}")).about("operator.artifact.evaluate");
        let failure = help.map_or(failure.clone(), |help| failure.help(help));
        let error = BridgeError::new(kind, error.to_string());
        Box::new(Failed { error, spent: Budget::default(), settled: Budget::default(), failure: Some(failure) })
    })
}

/// Evidence as a proof lists it: by hash, and never by content.
fn listed<'e>(side: &'static str, evidence: &'e [Evidence]) -> impl Iterator<Item = Value> + 'e {
    evidence.iter().map(move |piece| {
        json!({ "side": side, "path": piece.path, "role": piece.role, "sha256": piece.sha256, "bytes": piece.bytes })
    })
}
