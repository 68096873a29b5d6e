//! Outputs that evaluations judged: a verdict is about the bytes that were judged, and holds for an output only if it is
//! still the same.

use deed_model::{ArtifactRecord, CheckName, CheckReceipt, StepContract};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The hashes that a file had when it was judged by one rubric, for one item.
type Judged<'p> = BTreeMap<String, BTreeSet<&'p str>>;

/// The judgements of a file, by whether they block.
#[derive(Default)]
struct OfFile<'p> {
    blocking: Judged<'p>,
    reporting: Judged<'p>,
}

/// Compares the files that evaluations judged with the outputs that the step left. `proofs` are those of its calls, in
/// order. Judging the same item by the same rubric again replaces what was judged before; by another rubric, it does not.
pub(crate) fn judged<'p>(
    contract: &StepContract,
    proofs: impl Iterator<Item = &'p Value>,
    outputs: &[ArtifactRecord],
) -> Vec<CheckReceipt> {
    let mut files: BTreeMap<&str, OfFile<'_>> = BTreeMap::new();
    for proof in proofs {
        let blocks = match proof.get("enforcement").and_then(Value::as_str) {
            Some("block") => true,
            Some("report") => false,
            // Another call, or an evaluation of a version that did not say.
            _ => continue,
        };
        for piece in proof.get("evidence").and_then(Value::as_array).into_iter().flatten() {
            let text = |name: &str| piece.get(name).and_then(Value::as_str);
            let (Some(path), Some(sha256)) = (text("path"), text("sha256")) else { continue };
            if !contract.writes(path) {
                continue;
            }
            let file = files.entry(path).or_default();
            let side = if blocks { &mut file.blocking } else { &mut file.reporting };
            side.entry(about(proof, piece)).or_default().insert(sha256);
        }
    }
    files.into_iter().map(|(path, file)| check(path, &file, outputs)).collect()
}

/// The thing that was judged of a file: the item, its role, and the whole rubric by its hash. A proof of an older version has
/// no such hash: the names of its criteria stand for them, and equal those of no newer one.
fn about(proof: &Value, piece: &Value) -> String {
    let criteria = proof.get("criteria").and_then(Value::as_array).into_iter().flatten();
    let criteria: Vec<Option<&Value>> = criteria.map(|criterion| criterion.get("id")).collect();
    json!([proof.get("item_id"), piece.get("side"), piece.get("role"), proof.get("rubric_sha256"), criteria])
        .to_string()
}

fn check(path: &str, file: &OfFile<'_>, outputs: &[ArtifactRecord]) -> CheckReceipt {
    let left = outputs.iter().find(|output| output.path == path).map(|output| output.sha256.to_string());
    let same =
        |judged: &Judged<'_>| judged.values().all(|hashes| left.as_deref().is_some_and(|left| hashes.contains(left)));
    let (blocking, reporting) = (same(&file.blocking), same(&file.reporting));
    let found = match (blocking && reporting, left.is_some()) {
        (true, _) => None,
        (false, true) => Some("it was changed after it was judged".to_owned()),
        (false, false) => Some("it was removed after it was judged".to_owned()),
    };
    CheckReceipt {
        check: CheckName::Judged,
        path: Some(path.to_owned()),
        holds: found.is_none(),
        // What holds is held as strictly as its judgements; what does not, as strictly as those that it violates.
        blocks: if found.is_none() { !file.blocking.is_empty() } else { !blocking },
        found,
    }
}
