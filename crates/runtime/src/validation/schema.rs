//! The schema that an artifact is held to by its contract, among the types of the run.

use crate::types::Types;
use deed_model::{EntitySchemaId, KindKey, KindShape, MissionInputContract, StepContract, covers};
use deed_validation::ArtifactSchema;
use serde_json::Value;

/// Returns the schema of an output.
pub(crate) fn of_output<'a>(types: &'a Types, contract: &'a StepContract, path: &str) -> Option<ArtifactSchema<'a>> {
    let artifact = contract.artifact(path)?;
    let entity = artifact.entity_schema_id.as_ref();
    found(types, entity, artifact.derived_schema.as_ref(), Some(&artifact.kind_key))
}

/// Returns the schema of an input.
pub(crate) fn of_input<'a>(types: &'a Types, contract: &'a StepContract, path: &str) -> Option<ArtifactSchema<'a>> {
    let mut inputs = contract.io_contract.inputs.iter();
    let input = inputs.find(|input| input.path.as_deref().is_some_and(|known| covers(known, path)))?;
    match &input.held_to {
        Some(held) => found(types, Some(&held.entity_schema_id), None, input.kind_key.as_ref()),
        None => found(types, Some(&input.entity_schema_id), input.derived_schema.as_ref(), input.kind_key.as_ref()),
    }
}

/// Returns the schema of an input of the mission.
pub(crate) fn of_mission<'a>(types: &'a Types, given: &'a MissionInputContract) -> Option<ArtifactSchema<'a>> {
    found(types, Some(&given.entity_schema_id), None, Some(&given.kind_key))
}

fn found<'a>(
    types: &'a Types,
    entity: Option<&EntitySchemaId>,
    derived: Option<&'a Value>,
    kind: Option<&KindKey>,
) -> Option<ArtifactSchema<'a>> {
    let entity = entity.filter(|entity| !entity.is_generic())?;
    let schema = derived.or_else(|| types.entity(entity.as_str()).map(|entity| &entity.schema))?;
    // A schema speaks of the rows of a table or of a document; text, archives and lists of files have another content.
    match kind.and_then(|kind| types.kind(kind.as_str()))?.shape {
        KindShape::Rows => Some(ArtifactSchema { schema, of_rows: true }),
        KindShape::Document => Some(ArtifactSchema { schema, of_rows: false }),
        KindShape::Text | KindShape::Manifest | KindShape::Bytes => None,
    }
}
