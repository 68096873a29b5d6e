//! The entities that the plan declares and its contracts name.

use crate::lower::cx::Cx;
use deed_model::{EntitySchemaId, MissionInputContract, StepContract};
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns the schemas of the plan's own entities that steps or inputs of the mission name.
pub(super) fn named(
    cx: Cx<'_>,
    steps: &[StepContract],
    inputs: &[MissionInputContract],
) -> BTreeMap<EntitySchemaId, Value> {
    if cx.plan.entities.is_empty() {
        return BTreeMap::new();
    }
    let of_steps = steps.iter().flat_map(|step| {
        let inputs = step.io_contract.inputs.iter().map(|input| &input.entity_schema_id);
        let outputs = step.io_contract.outputs.iter().map(|output| &output.entity_schema_id);
        let artifacts = step.artifact_contracts.values().filter_map(|artifact| artifact.entity_schema_id.as_ref());
        inputs.chain(outputs).chain(artifacts)
    });
    let all = of_steps.chain(inputs.iter().map(|input| &input.entity_schema_id));
    let declared = |id: &EntitySchemaId| Some((id.clone(), cx.plan.entities.get(id.as_str())?.clone()));
    all.filter_map(declared).collect()
}
