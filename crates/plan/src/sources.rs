//! Code that lies in files beside the plan. The caller reads the files; what is hashed is their text.

use crate::codes::CODE_FILE;
use deed_diag::{Diagnostic, Document, quote};
use deed_model::{Plan, StepCode};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Texts by the names that a plan has for them.
pub type Sources = BTreeMap<String, String>;

/// The files that steps name.
pub fn code_files(document: &Document) -> BTreeSet<String> {
    let steps = document.value().get("steps").and_then(Value::as_array).into_iter().flatten();
    steps.filter_map(|step| step.pointer("/code/file")?.as_str()).map(str::to_owned).collect()
}

/// Puts the texts of files in the place of their names.
pub(crate) fn resolve(document: &Document, plan: &mut Plan, sources: &Sources) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, step) in plan.steps.iter_mut().enumerate() {
        let Some(code) = &mut step.code else { continue };
        if let Err((message, help)) = fill(code, sources) {
            let at = document.place(&format!("/steps/{index}/code/file"));
            findings.push(Diagnostic::error(CODE_FILE, message).stage("candidate").at(at).help(help));
        }
    }
    findings
}

fn fill(code: &mut StepCode, sources: &Sources) -> Result<(), (String, &'static str)> {
    let Some(file) = code.file.take() else { return Ok(()) };
    if !code.source.is_empty() {
        return Err(("its code is given twice, by `source` and by `file`".to_owned(), "keep one of them"));
    }
    match sources.get(&file) {
        Some(text) => code.source.clone_from(text),
        None => {
            // Told here, and not once more as empty code.
            " ".clone_into(&mut code.source);
            return Err((
                format!("the file {} with its code is not there", quote(&file)),
                "name a text file by its path from the plan's folder, beneath that folder",
            ));
        }
    }
    Ok(())
}
