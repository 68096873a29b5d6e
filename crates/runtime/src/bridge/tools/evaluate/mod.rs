//! `artifact.evaluate`: has a bundle of evidence judged by a rubric. The evaluator is not the code that did the work.

mod bundle;
mod files;
mod item;
mod rubric;

pub(crate) use item::JudgedItem;

use super::{CallResult, Failed, PreparedCall, Work, members, text};
use crate::attempt::Attempt;
use crate::bridge::error::BridgeError;
use crate::fault::{FailureExt, fault};
use deed_diag::codes;
use deed_model::{BridgeErrorKind, Budget, FailureClass};
use deed_ports::{EvaluatorError, Evidence, EvidenceBundle};
use serde_json::{Value, json};

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

/// The fix for a criterion without a rule.
const GIVE_RULES: &str = "give each criterion a `rule`, JsonLogic over `sources` and `derived`; until a model is configured only rules are judged";

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
    let work = Work::Evaluate(bundle);
    Ok(PreparedCall { work, most, repeatable: true, summary, effect: None, blocks, identity, item })
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

pub(super) fn execute(attempt: &Attempt, bundle: &EvidenceBundle, blocks: bool) -> Result<CallResult, Box<Failed>> {
    let judged = attempt.run.world.evaluator.evaluate(bundle).map_err(|error| {
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
        Box::new(Failed {
            error: BridgeError::new(kind, error.to_string()),
            spent: Budget::default(),
            failure: Some(failure),
        })
    })?;
    let criteria: Vec<Value> =
        judged.criteria.iter().map(|result| json!({ "id": result.id, "met": result.met, "why": result.why })).collect();
    let verdict = if judged.passes { "pass" } else { "fail" };
    let value = json!({
        "passes": judged.passes, "verdict": verdict, "criteria": criteria, "evaluator": judged.evaluator,
        "bundle_sha256": bundle.hash, "item_id": bundle.item_id, "model_call_id": judged.model_call_id,
    });
    let evidence: Vec<Value> = listed("source", &bundle.sources).chain(listed("derived", &bundle.derived)).collect();
    let rubric = bundle::rubric_hash(bundle)
        .map_err(|error| Box::new(Failed { error, spent: Budget::default(), failure: None }))?;
    let proof = json!({
        "rubric_sha256": rubric, "model_call_id": judged.model_call_id, "bundle_sha256": bundle.hash, "item_id": bundle.item_id,
        "verdict": verdict, "criteria": criteria, "evidence": evidence, "evaluator": judged.evaluator,
        "enforcement": if blocks { "block" } else { "report" },
    });
    Ok(CallResult { value, spent: Budget { model_tokens: Some(judged.model_tokens), ..Budget::default() }, proof })
}

/// Evidence as a proof lists it: by hash, and never by content.
fn listed<'e>(side: &'static str, evidence: &'e [Evidence]) -> impl Iterator<Item = Value> + 'e {
    evidence.iter().map(move |piece| {
        json!({ "side": side, "path": piece.path, "role": piece.role, "sha256": piece.sha256, "bytes": piece.bytes })
    })
}
