//! The plan before it is compiled, judged by the validation pack of its profile.

use super::load::engine_error;
use crate::error::AppError;
use crate::files;
use deed_canon::to_canonical;
use deed_detect::sensitive_ranges;
use deed_diag::{Document, Format};
use deed_model::{Phase, ProfileSnapshot, ValidationMode};
use deed_runtime::{PlanCandidate, judge_candidate};
use deed_validation::Validator;
use std::path::Path;

/// Judges a plan as it was read, if a profile governs the run and its phase is not off. Returns the plan to compile. A
/// file of JSON that cannot be parsed is an error only after its pack could correct it.
pub(super) fn judged(
    path: &Path,
    read: Result<Document, AppError>,
    profile: Option<&ProfileSnapshot>,
) -> Result<(Document, Option<PlanCandidate>), AppError> {
    let validator = profile.map(Validator::new).transpose().map_err(AppError::internal)?;
    let validator = validator.filter(|validator| validator.mode(Phase::PlannerCandidate) != ValidationMode::Off);
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let Some(validator) = validator.filter(|_| is_json || read.is_ok()) else { return Ok((read?, None)) };
    let bytes = match &read {
        // JSON is judged as it was written; YAML as the value that it states.
        Ok(document) if is_json => document.source().text().as_bytes().to_vec(),
        Ok(document) => to_canonical(document.value()).map_err(AppError::internal)?,
        Err(_) => files::read(path)?.bytes,
    };
    let candidate = judge_candidate(&validator, bytes).map_err(engine_error)?;
    let name = format!("{} (corrected)", path.display());
    let corrected =
        candidate.corrected().map(|bytes| Document::read_with(&name, bytes, Format::Json, sensitive_ranges));
    match corrected {
        Some(corrected) => Ok((corrected?, Some(candidate))),
        None => Ok((read?, Some(candidate))),
    }
}
