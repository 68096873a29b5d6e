//! 2, materialize: the verified outputs of earlier steps, and what the mission was given, as files that can be bound.
//! A required input that is not there blocks the step.

use super::{disk, store};
use crate::attempt::Attempt;
use crate::codes::MISSING_INPUT;
use crate::fault::{Told, fault};
use crate::harness::End;
use deed_model::{ArtifactRecord, FailureClass};
use deed_ports::BlobPlace;
use std::fs;
use std::path::PathBuf;

/// An input as a file.
#[derive(Debug)]
pub(crate) struct Materialized {
    pub(crate) record: ArtifactRecord,
    pub(crate) from_step: Option<String>,
    pub(crate) host: PathBuf,
}

pub(crate) fn inputs(attempt: &Attempt) -> Result<Vec<Materialized>, End> {
    let mut inputs = Vec::new();
    for path in &attempt.contract.io_contract.read_paths {
        let known = {
            let state = attempt.run.state();
            state.artifact(path).map(|(record, step)| (record.clone(), step.map(str::to_owned)))
        };
        let Some((record, from_step)) = known else {
            if is_optional(attempt, path) {
                continue;
            }
            let message = format!("the input `{path}` is not there");
            let help = "give it with `--input`, or mend the step that writes it";
            return Err(fault(FailureClass::MissingArtifact, MISSING_INPUT, message).about(path).help(help).into());
        };
        let host = match attempt.run.world.blobs.locate(&record.sha256).map_err(store)? {
            BlobPlace::File(file) => file,
            BlobPlace::Bytes(bytes) => {
                let file = attempt.stage.inputs().join(inputs.len().to_string());
                write(&file, &bytes).map_err(|error| disk("an input cannot be staged", &error))?;
                file
            }
        };
        inputs.push(Materialized { record, from_step, host });
    }
    Ok(inputs)
}

fn is_optional(attempt: &Attempt, path: &str) -> bool {
    let inputs = &attempt.contract.io_contract.inputs;
    inputs.iter().any(|input| input.path.as_deref() == Some(path) && !input.required)
}

/// Readable by whoever the sandbox runs as; the folder above is ours alone.
fn write(file: &std::path::Path, bytes: &[u8]) -> std::io::Result<()> {
    fs::write(file, bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(file, fs::Permissions::from_mode(0o444))?;
    }
    Ok(())
}
