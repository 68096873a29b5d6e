//! Ingestion: the mission's inputs are checked against their kind, entity and grain before any step runs.

use crate::checks::{self, InspectedFile};
use crate::content::Content;
use crate::types::Types;
use crate::world::World;
use deed_diag::codes;
use deed_model::{ArtifactRecord, CompiledPlan, LadderMode, MissionInputContract};
use deed_ports::{EngineError, StoreError, StoreErrorKind};
use deed_receipts::{InspectLimits, inspect};

/// Refuses a run whose inputs are not what the plan says they are; all of them are named.
///
/// # Errors
/// Fails with every violation that blocks, or where a stored file cannot be read.
pub(crate) fn check(world: &World, plan: &CompiledPlan, files: &[ArtifactRecord]) -> Result<(), EngineError> {
    let types = Types::of_plan(plan, &world.catalog)?;
    let mut faults = Vec::new();
    for given in plan.inputs.iter().filter(|given| given.mode == LadderMode::Block) {
        let Some(file) = files.iter().find(|file| file.path == given.path) else { continue };
        let found = checks::of_mission(&types, given, &look(world, &types, given, file)?);
        let of = |why: String| format!("`{}` does not fit the entity `{}`: {why}", given.path, given.entity_schema_id);
        faults.extend(found.into_iter().map(of));
    }
    if faults.is_empty() {
        return Ok(());
    }
    let help = "fix the files, or declare what they are under `inputs` of the plan; nothing was run";
    Err(EngineError::Refused {
        code: codes::BAD_MISSION_INPUT,
        message: faults.join("; "),
        help: Some(help.to_owned()),
    })
}

fn look(
    world: &World,
    types: &Types,
    given: &MissionInputContract,
    file: &ArtifactRecord,
) -> Result<InspectedFile, EngineError> {
    let content = Content::from(world.blobs.locate(&file.sha256)?);
    let kind = types.kind(given.kind_key.as_str());
    let expected = kind.filter(|kind| kind.has_form() && !kind.is_archive()).map(|kind| kind.format);
    let unread = |error: std::io::Error| {
        StoreError::new(StoreErrorKind::Unavailable, format!("`{}` cannot be read: {error}", given.path))
    };
    let found = inspect(&mut content.open().map_err(unread)?, expected, &InspectLimits::default()).map_err(unread)?;
    Ok(InspectedFile { path: file.path.clone(), content, from_step: None, found })
}
