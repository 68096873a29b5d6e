//! 2, materialize: the verified outputs of earlier steps, and what the mission was given, where their bytes are.
//! A required input that is not there blocks the step.

use super::store;
use crate::attempt::Attempt;
use crate::content::Content;
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use deed_diag::codes;
use deed_model::{ArtifactRecord, FailureClass, is_set};

/// An input.
#[derive(Debug)]
pub(crate) struct Materialized {
    pub(crate) record: ArtifactRecord,
    pub(crate) from_step: Option<String>,
    pub(crate) content: Content,
}

pub(crate) fn inputs(attempt: &Attempt) -> Result<Vec<Materialized>, End> {
    let mut inputs = Vec::new();
    for path in &attempt.contract.io_contract.read_paths {
        let known: Vec<(ArtifactRecord, Option<String>)> = {
            let state = attempt.run.state();
            state.files_at(path).map(|(record, step)| (record.clone(), step.map(str::to_owned))).collect()
        };
        // The step that writes a set has succeeded by now, and may have written none.
        if known.is_empty() && !is_set(path) && !is_optional(attempt, path) {
            let message = format!("the input `{path}` is not there");
            let help = "give it with `--input`, or fix the step that writes it";
            return Err(fault(FailureClass::MissingArtifact, codes::MISSING_INPUT, message)
                .about(path)
                .help(help)
                .into());
        }
        for (record, from_step) in known {
            let content = attempt.run.world.blobs.locate(&record.sha256).map_err(store)?.into();
            inputs.push(Materialized { record, from_step, content });
        }
    }
    Ok(inputs)
}

fn is_optional(attempt: &Attempt, path: &str) -> bool {
    let inputs = &attempt.contract.io_contract.inputs;
    inputs.iter().any(|input| input.path.as_deref() == Some(path) && !input.required)
}
