//! Code that lies in files beside the plan. The caller reads the files; what is hashed is their text.

use deed_diag::{Diagnostic, Document, codes, quote};
use deed_model::{Plan, StepCode};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Texts of files by the names that a plan has for them, or the reason why there is none, such as `is not there`.
pub type Sources = BTreeMap<String, Result<String, &'static str>>;

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
            findings.push(Diagnostic::error(codes::CODE_FILE, message).stage("candidate").at(at).help(help));
        }
    }
    findings
}

fn fill(code: &mut StepCode, sources: &Sources) -> Result<(), (String, &'static str)> {
    let Some(file) = code.file.take() else { return Ok(()) };
    if !code.source.is_empty() {
        return Err(("its code is given twice, by `source` and by `file`".to_owned(), "keep one of them"));
    }
    match sources.get(&file).unwrap_or(&Err("is not there")) {
        Ok(text) => {
            code.source.clone_from(text);
            Ok(())
        }
        Err(why) => {
            // Reported here, and not once more as empty code.
            "?".clone_into(&mut code.source);
            Err((
                format!("the file {} with its code {why}", quote(&file)),
                "name a text file by its path from the plan's folder, beneath that folder",
            ))
        }
    }
}
