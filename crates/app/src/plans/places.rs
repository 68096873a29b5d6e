//! The places at which the author of a plan wrote the code of its steps.

use super::syntax::place;
use deed_diag::Document;
use deed_model::{CodePlace, StepCode};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Returns the place of the code of each step: the file that the plan names, or the lines of the plan itself. Code whose
/// lines cannot be paired with those of the plan has none.
pub fn code_places(document: &Document, path: &Path, code: &BTreeMap<String, StepCode>) -> BTreeMap<String, CodePlace> {
    let steps = document.value().get("steps").and_then(Value::as_array).into_iter().flatten();
    let places = steps.filter_map(|step| {
        let id = step.get("id")?.as_str()?;
        let source = &code.get(id)?.source;
        let place = match step.pointer("/code/file").and_then(Value::as_str) {
            Some(file) => CodePlace { file: file.trim_start_matches("./").to_owned(), line: 1 },
            None => {
                let line = u32::try_from(place::first_line(document, id, source)?).ok()?;
                CodePlace { file: path.file_name()?.to_str()?.to_owned(), line }
            }
        };
        Some((id.to_owned(), place))
    });
    places.collect()
}
