//! `artifact.evaluate`: has a bundle of evidence judged by a rubric. The evaluator is another than whoever did the work.

use super::{Failed, Made, Prepared, Work, members, text};
use crate::attempt::Attempt;
use crate::bridge::call::No;
use crate::codes::TOOL_FAILED;
use crate::fault::fault;
use deed_canon::{ContentHash, TypeTag, hash};
use deed_model::{Budget, FailureClass, covers};
use deed_ports::{EvaluatorError, EvidenceBundle, RubricCriterion};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;

pub(super) const DEFINITION: (&str, &[(&str, &str)]) = (
    "has a bundle of evidence judged by a rubric",
    &[
        ("bundle", "{sources: {name: value}, derived: {name: value}}"),
        ("path", "a file of the workspace that holds the bundle, in place of `bundle`"),
        ("rubric", "a list of {id, text, rule}; a rule is JsonLogic over `sources` and `derived`"),
        ("enforcement", "`block`, so that a no fails the step, or `report`"),
    ],
);

const BUNDLE_TAG: TypeTag = TypeTag::literal("deed/evidence-bundle/v1");
/// No bundle is larger.
const LARGEST: u64 = 16 << 20;
/// No rubric is longer.
const MOST_CRITERIA: usize = 100;

pub(super) fn prepare(attempt: &Attempt, arguments: &Value) -> Result<Prepared, No> {
    let bad = |message: String| No::new("bad_arguments", message);
    let members = members(arguments, DEFINITION.1)?;
    let bundle = match (members.get("bundle"), text(members, "path")?) {
        (Some(bundle), None) => bundle.clone(),
        (None, Some(path)) => from_file(attempt, path)?,
        _ => return Err(bad("give `bundle` or `path`, and not both".to_owned())),
    };
    let blocks = match text(members, "enforcement")?.unwrap_or("block") {
        "block" => true,
        "report" => false,
        other => return Err(bad(format!("`enforcement` is `block` or `report`, and not `{}`", other.escape_debug()))),
    };
    let rubric = rubric(members.get("rubric")).map_err(bad)?;
    let part = |name: &str| match bundle.get(name) {
        None => Ok(Vec::new()),
        Some(Value::Object(parts)) => Ok(parts.iter().map(|(name, part)| (name.clone(), part.clone())).collect()),
        Some(_) => Err(bad(format!("`{name}` of a bundle is an object"))),
    };
    let (sources, derived) = (part("sources")?, part("derived")?);
    if let Some(other) = bundle.as_object().and_then(|b| b.keys().find(|k| *k != "sources" && *k != "derived")) {
        return Err(bad(format!("a bundle has `sources` and `derived`, and no `{}`", other.escape_debug())));
    }
    let whole = json!({ "bundle": bundle, "rubric": members.get("rubric") });
    let hash = hash(&BUNDLE_TAG, &whole).map_err(|error| bad(error.to_string()))?;
    let bytes = serde_json::to_vec(&whole).map_or(0, |bytes| bytes.len() as u64);
    let tokens = attempt.run.world.evaluator.most_tokens(bytes);
    let summary = format!("judge {} sources and {} derived by {} criteria", sources.len(), derived.len(), rubric.len());
    let work = Work::Evaluate(EvidenceBundle { sources, derived, rubric, hash });
    let most = Budget { model_tokens: Some(tokens), ..Budget::default() };
    Ok(Prepared { work, most, repeatable: true, summary, blocks })
}

fn rubric(value: Option<&Value>) -> Result<Vec<RubricCriterion>, String> {
    let list = value.and_then(Value::as_array).ok_or("`rubric` is a list of {id, text, rule}")?;
    if list.is_empty() || list.len() > MOST_CRITERIA {
        return Err(format!("a rubric has 1 to {MOST_CRITERIA} criteria"));
    }
    list.iter()
        .map(|criterion| {
            let text = |name: &str| criterion.get(name).and_then(Value::as_str).map(str::to_owned);
            let id = text("id").filter(|id| !id.is_empty()).ok_or("a criterion has an `id`")?;
            Ok(RubricCriterion { id, text: text("text").unwrap_or_default(), rule: criterion.get("rule").cloned() })
        })
        .collect()
}

/// Reads a bundle that code wrote, or one of its inputs. No link is followed.
fn from_file(attempt: &Attempt, path: &str) -> Result<Value, No> {
    let bad = |message: String| No::new("bad_arguments", message);
    let contract = &attempt.contract.io_contract;
    let input = contract.read_paths.iter().any(|read| covers(read, path));
    let plain = std::path::Path::new(path).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let mut bytes = Vec::new();
    if input {
        let artifact = attempt.run.state().artifact(path).map(|(artifact, _)| artifact.sha256);
        let sha256 = artifact.ok_or_else(|| bad(format!("there is no `{path}`")))?;
        let blob = attempt.run.world.blobs.open(&sha256).map_err(|error| bad(error.to_string()))?;
        blob.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| bad(error.to_string()))?;
    } else if plain && (path.starts_with("work/") || path.starts_with("output/")) {
        let file = open(attempt, path).map_err(|error| bad(format!("`{path}` cannot be read: {error}")))?;
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| bad(error.to_string()))?;
    } else {
        return Err(bad(format!("`{}` is no file of this step", path.escape_debug())));
    }
    if bytes.len() as u64 > LARGEST {
        return Err(bad("a bundle has at most 16 MiB".to_owned()));
    }
    deed_canon::parse(&bytes).map_err(|error| bad(format!("`{path}` is no JSON: {error}")))
}

fn open(attempt: &Attempt, path: &str) -> std::io::Result<File> {
    let root = attempt.stage.outputs().canonicalize()?;
    let whole = attempt.stage.output(path);
    // Code of the step may still run, and could change what a name means between two looks. The folders are its own,
    // and links out of them lead nowhere outside its sandbox; here they are not followed at all.
    let resolved = whole.canonicalize()?;
    if !resolved.starts_with(&root) || std::fs::symlink_metadata(&whole)?.file_type().is_symlink() {
        return Err(std::io::Error::other("it is a link"));
    }
    let file = File::open(&resolved)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    Ok(file)
}

pub(super) fn execute(attempt: &Attempt, bundle: &EvidenceBundle) -> Result<Made, Box<Failed>> {
    let judged = attempt.run.world.evaluator.evaluate(bundle).map_err(|error| {
        let (kind, class) = match error {
            // The same bundle is no fitter the next time.
            EvaluatorError::Unfit(_) => ("unfit", FailureClass::OutputShape),
            EvaluatorError::Unavailable(_) => ("unavailable", FailureClass::ToolBridge),
        };
        let failure = fault(class, TOOL_FAILED, format!("nothing was judged: {error}"));
        Box::new(Failed { no: No::new(kind, error.to_string()), spent: Budget::default(), failure: Some(failure) })
    })?;
    let criteria: Vec<Value> =
        judged.criteria.iter().map(|result| json!({ "id": result.id, "met": result.met, "why": result.why })).collect();
    let value = json!({
        "passes": judged.passes, "criteria": criteria, "evaluator": judged.evaluator, "bundle_sha256": bundle.hash,
    });
    let digest = deed_canon::to_canonical(&value).map(|bytes| ContentHash::of_bytes(&bytes)).ok();
    let proof = json!({ "bundle": bundle.hash, "verdict": digest, "evaluator": judged.evaluator });
    Ok(Made { value, spent: Budget { model_tokens: Some(judged.model_tokens), ..Budget::default() }, proof })
}
