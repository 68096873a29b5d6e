//! The file that an output by meaning is tied to.

use super::{authored_contract, normalized};
use crate::lower::cx::{Cx, DeclaredOutput};
use crate::lower::findings::Finding;
use deed_catalog::kinds_of_path;
use deed_diag::{codes, quote};
use deed_model::{ExpectedOutput, KindKey, OutputRole};

/// Returns the file of an output: named, by its slot, the only one, or the only one of its kind.
pub(super) fn tie(
    cx: Cx<'_>,
    declared: DeclaredOutput<'_>,
    preferred: &[KindKey],
) -> Result<(String, OutputRole), Finding> {
    let (step, output) = (declared.step.authored, declared.authored);
    let found = |wanted: &dyn Fn(&ExpectedOutput) -> bool| {
        let mut fitting = step.expected_outputs.iter().filter(|expected| wanted(expected));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some((normalized(&only.path), only.role)),
            _ => None,
        }
    };
    if let Some(path) = &output.path {
        let path = normalized(path);
        return found(&|expected| normalized(&expected.path) == path).ok_or_else(|| unclear(declared));
    }
    let of_kind = |expected: &ExpectedOutput, kinds: &[KindKey]| {
        kinds_of_path(cx.catalog, &expected.path).iter().any(|kind| kinds.contains(&kind.kind_key))
    };
    let carried = cx.catalog.slot(&output.slot).map(|slot| slot.kinds.as_slice()).unwrap_or_default();
    let alone = step.abstract_outputs.len() == 1;
    let free = |expected: &ExpectedOutput| alone && expected.slot.is_none();
    let contracted = |expected: &ExpectedOutput| authored_contract(step, &normalized(&expected.path)).is_some();
    found(&|expected| expected.slot.as_ref() == Some(&output.slot))
        .or_else(|| found(&free))
        .or_else(|| found(&|expected| expected.slot.is_none() && of_kind(expected, preferred)))
        .or_else(|| found(&|expected| free(expected) && preferred.is_empty() && of_kind(expected, carried)))
        // A file without a contract beside one that has it is the one that nothing is said of.
        .or_else(|| found(&|expected| free(expected) && contracted(expected)))
        .ok_or_else(|| unclear(declared))
}

fn unclear(declared: DeclaredOutput<'_>) -> Finding {
    let slot = quote(&declared.authored.slot);
    let expected = &declared.step.authored.expected_outputs;
    let files: Vec<String> = expected.iter().map(|expected| quote(&normalized(&expected.path))).collect();
    let untied = format!("output {slot} is not tied to a file");
    let (message, help) = match files.as_slice() {
        [] => (untied, "list a file under `expected_outputs`"),
        [_] => (untied, "name a file of `expected_outputs` under `path` of the output"),
        several => (
            format!("output {slot} could be any of {}", several.join(", ")),
            "name its file under `path` of the output, and give each other file a contract",
        ),
    };
    Finding::error(declared.at(), codes::OUTPUT_WITHOUT_PATH, message).help(help)
}
