//! What a distiller reads of a run: its course in lines, and its artifacts that are text.

use super::load::{LoadedRun, store_error};
use crate::error::AppError;
use deed_canon::ContentHash;
use deed_desk::DistilledPiece;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{ArtifactRecord, CompiledPlan};
use deed_ports::BlobRead;
use deed_runtime::{StepStatus, validation_remarks};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Read as _;

/// The size limit of all artifacts that are read unless they are named, in bytes.
const MOST_BYTES: u64 = 128 << 10;

/// An artifact that the model did not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOutArtifact {
    /// Its path.
    pub path: String,
    /// The reason.
    pub reason: String,
}

/// What a distiller reads of a run.
#[derive(Debug)]
pub(super) struct Material {
    /// The end of the run.
    pub(super) outcome: String,
    /// Its course, in lines. Neither the name of the run nor any time is in them: a replay is of another run.
    pub(super) run: String,
    /// The artifacts with their texts.
    texts: Vec<(ArtifactRecord, Value)>,
    /// The artifacts that it does not read.
    pub(super) left_out: Vec<LeftOutArtifact>,
}

impl Material {
    /// Returns the artifacts as the desk takes them.
    pub(super) fn pieces(&self) -> Vec<DistilledPiece<'_>> {
        self.texts
            .iter()
            .map(|(record, content)| DistilledPiece {
                path: &record.path,
                sha256: record.sha256,
                bytes: record.bytes,
                content,
            })
            .collect()
    }
}

/// Gathers what a distiller reads: the artifacts that are named, or all texts up to a limit, outputs before inputs.
pub(super) fn gather(
    loaded: &LoadedRun,
    plan: &CompiledPlan,
    named: &[String],
    blobs: &dyn BlobRead,
) -> Result<Material, AppError> {
    let artifacts: Vec<(&ArtifactRecord, Option<&str>)> = loaded.state.artifacts().collect();
    if let Some(unknown) = named.iter().find(|path| artifacts.iter().all(|(record, _)| record.path != **path)) {
        let message = format!("the run `{}` has no artifact {}", loaded.run_id, quote(unknown));
        let like = did_you_mean(unknown, artifacts.iter().map(|(record, _)| record.path.as_str()));
        let help = like.unwrap_or_else(|| format!("`deed artifacts list {}` lists them", loaded.run_id));
        return Err(AppError::refused(Diagnostic::error(codes::UNKNOWN_RUN_FILE, message).stage("memory").help(help)));
    }
    let mut wanted: Vec<(&ArtifactRecord, Option<&str>)> = match named.is_empty() {
        false => artifacts.into_iter().filter(|(record, _)| named.contains(&record.path)).collect(),
        true => artifacts.into_iter().filter(|(record, _)| !record.path.starts_with("validation/")).collect(),
    };
    wanted.sort_by_key(|(record, step)| (step.is_none(), record.path.clone()));
    let (mut texts, mut left_out, mut sum) = (Vec::new(), Vec::new(), 0_u64);
    for (record, _) in wanted {
        let mut leave = |reason: String| left_out.push(LeftOutArtifact { path: record.path.clone(), reason });
        if named.is_empty() && sum.saturating_add(record.bytes) > MOST_BYTES {
            leave(format!(
                "its {} bytes are beyond the {MOST_BYTES} that are read unless artifacts are named",
                record.bytes
            ));
            continue;
        }
        match text(record, blobs)? {
            Some(text) => {
                sum = sum.saturating_add(record.bytes);
                texts.push((record.clone(), Value::String(text)));
            }
            None => leave("it is not text".to_owned()),
        }
    }
    let outcome = loaded.state.ended.map_or("", |outcome| outcome.as_str()).to_owned();
    Ok(Material { run: course(loaded, plan, &outcome), outcome, texts, left_out })
}

fn text(record: &ArtifactRecord, blobs: &dyn BlobRead) -> Result<Option<String>, AppError> {
    let failed = |why: String| {
        let message = format!("`{}` cannot be read: {why}", record.path);
        AppError::environment(Diagnostic::error(codes::STORE_FAILED, message).stage("memory"))
    };
    let mut bytes = Vec::new();
    let mut blob = blobs.open(&record.sha256).map_err(|error| store_error(&error))?;
    blob.read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
    if ContentHash::of_bytes(&bytes) != record.sha256 {
        return Err(failed("its bytes were altered".to_owned()));
    }
    Ok(String::from_utf8(bytes).ok())
}

/// The course of a run: its objective, its steps with failures and remarks, the decisions at its gates.
fn course(loaded: &LoadedRun, plan: &CompiledPlan, outcome: &str) -> String {
    let state = &loaded.state;
    let mut out = format!("objective: {}\noutcome: {outcome}\n", plan.mission.objective);
    for contract in &plan.steps {
        let Some(step) = state.step(&contract.step_id) else { continue };
        let status = match &step.status {
            StepStatus::Succeeded => "succeeded".to_owned(),
            StepStatus::Failed { failure } => format!("failed: {} ({})", failure.message, failure.code.as_str()),
            StepStatus::Again { failure, .. } => format!("failed once: {}", failure.message),
            StepStatus::Pending | StepStatus::Running | StepStatus::Parked { .. } => "not finished".to_owned(),
        };
        let _ = writeln!(out, "step {}: {} (attempt {}): {status}", contract.step_id, contract.label, step.attempt);
        for remark in &step.remarks {
            let _ = writeln!(out, "remark on {}: {remark}", contract.step_id);
        }
    }
    for gate in state.gates.values() {
        let decided = gate.decided.as_ref().map_or("not decided", |signed| signed.approval.decision.as_str());
        let (question, role) = (&gate.subject.question, &gate.subject.approver_role);
        let _ = writeln!(out, "decision of {role}: {question} {decided}");
    }
    for remark in validation_remarks(state) {
        let _ = writeln!(out, "remark: {remark}");
    }
    out
}
