//! A bundle of evidence: files of the step by path and role, or values that stand in the call itself.

use super::{bad, files, rubric};
use crate::attempt::Attempt;
use crate::bridge::error::BridgeError;
use deed_canon::{ContentHash, TypeTag, hash, to_canonical};
use deed_ports::{Evidence, EvidenceBundle, EvidenceContent, RubricCriterion};
use serde_json::{Map, Value, json};

const RUBRIC_TAG: TypeTag = TypeTag::literal("deed/rubric/v1");
const BUNDLE_TAG: TypeTag = TypeTag::literal("deed/evidence-bundle/v2");
/// The most pieces of evidence in a bundle.
const MOST_EVIDENCE: usize = 100;

/// Reads a bundle, with the files that it names.
pub(super) fn read(attempt: &Attempt, written: &Value, of_call: Option<&Value>) -> Result<EvidenceBundle, BridgeError> {
    let members = written.as_object().ok_or_else(|| bad("a bundle is an object"))?;
    known(members)?;
    let item_id = match members.get("item_id") {
        None | Some(Value::Null) => None,
        Some(Value::String(item)) if !item.is_empty() => Some(item.clone()),
        Some(_) => return Err(bad("`item_id` is a text")),
    };
    let mut budget = files::LARGEST;
    let sources = side(attempt, members, ["source_evidence", "sources"], &mut budget)?;
    let derived = side(attempt, members, ["derived_evidence", "derived"], &mut budget)?;
    let (instructions, criteria) = rubric::read(members.get("rubric"), of_call)?;
    let whole = json!({
        "item_id": item_id, "sources": listed(&sources), "derived": listed(&derived), "instructions": instructions,
        "criteria": criteria.iter().map(criterion).collect::<Vec<_>>(),
    });
    let hash = hash(&BUNDLE_TAG, &whole).map_err(|error| bad(error.to_string()))?;
    Ok(EvidenceBundle { item_id, sources, derived, instructions, rubric: criteria, hash })
}

/// The hash of what an evaluation asks: the item, the instructions, each criterion with its text and rule, and the roles of
/// the evidence. The evidence itself is no part of it.
pub(super) fn rubric_hash(bundle: &EvidenceBundle) -> Result<ContentHash, BridgeError> {
    let roles = |evidence: &[Evidence]| {
        let mut roles: Vec<String> = evidence.iter().map(|piece| piece.role.clone()).collect();
        roles.sort();
        roles
    };
    let whole = json!({
        "item_id": bundle.item_id, "sources": roles(&bundle.sources), "derived": roles(&bundle.derived),
        "instructions": bundle.instructions, "criteria": bundle.rubric.iter().map(criterion).collect::<Vec<_>>(),
    });
    hash(&RUBRIC_TAG, &whole).map_err(|error| bad(error.to_string()))
}

fn known(members: &Map<String, Value>) -> Result<(), BridgeError> {
    const KEYS: [&str; 6] = ["item_id", "source_evidence", "derived_evidence", "rubric", "sources", "derived"];
    match members.keys().find(|key| !KEYS.contains(&key.as_str())) {
        None => Ok(()),
        Some(other) => Err(bad(format!(
            "a bundle has `item_id`, `source_evidence`, `derived_evidence` and `rubric`, and no `{}`",
            other.escape_debug()
        ))),
    }
}

fn criterion(criterion: &RubricCriterion) -> Value {
    json!({ "id": criterion.id, "text": criterion.text, "rule": criterion.rule })
}

/// Evidence in the form that the hash of a bundle covers.
fn listed(evidence: &[Evidence]) -> Vec<Value> {
    evidence.iter().map(|piece| json!({ "path": piece.path, "role": piece.role, "sha256": piece.sha256 })).collect()
}

/// One side of a bundle: files under the first name, or values under the second.
fn side(
    attempt: &Attempt,
    members: &Map<String, Value>,
    [by_path, inline]: [&str; 2],
    budget: &mut u64,
) -> Result<Vec<Evidence>, BridgeError> {
    let evidence = match (members.get(by_path), members.get(inline)) {
        (Some(_), Some(_)) => return Err(bad(format!("give `{by_path}` or `{inline}`, and not both"))),
        (Some(Value::Array(list)), None) => {
            list.iter().map(|piece| file(attempt, by_path, piece, budget)).collect::<Result<Vec<_>, _>>()?
        }
        (Some(_), None) => return Err(bad(format!("`{by_path}` is a list of {{path, role}}"))),
        (None, Some(Value::Object(parts))) => {
            parts.iter().map(|(role, value)| value_of(role, value)).collect::<Result<Vec<_>, _>>()?
        }
        (None, Some(_)) => return Err(bad(format!("`{inline}` of a bundle is an object"))),
        (None, None) => Vec::new(),
    };
    if evidence.len() > MOST_EVIDENCE {
        return Err(bad(format!("`{by_path}` has at most {MOST_EVIDENCE} pieces of evidence")));
    }
    Ok(evidence)
}

fn file(attempt: &Attempt, side: &str, piece: &Value, budget: &mut u64) -> Result<Evidence, BridgeError> {
    let text = |name: &str| piece.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let whole = piece.as_object().filter(|members| members.keys().all(|key| key == "path" || key == "role"));
    let (Some(_), Some(path), Some(role)) = (whole, text("path"), text("role")) else {
        return Err(bad(format!("each of `{side}` is {{path, role}}")));
    };
    files::evidence(attempt, path, role, budget)
}

fn value_of(role: &str, value: &Value) -> Result<Evidence, BridgeError> {
    let bytes = match value {
        Value::String(text) => text.as_bytes().to_vec(),
        other => to_canonical(other).map_err(|error| bad(error.to_string()))?,
    };
    Ok(Evidence {
        role: role.to_owned(),
        path: None,
        sha256: ContentHash::of_bytes(&bytes),
        bytes: bytes.len() as u64,
        content: EvidenceContent::Value(value.clone()),
    })
}
