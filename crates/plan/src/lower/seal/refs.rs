//! Names of the files of a plan that say where each comes from.

use super::Inputs;
use crate::lower::cx::Cx;
use deed_model::{
    ArtifactRef, CompiledInput, CompiledOutput, CompiledStepContract, ExecutableContract, ExecutionPolicy, IoContract,
    RepairPolicy,
};
use std::collections::{BTreeMap, BTreeSet};

/// The names of all files that steps write, by path. They follow from the step and its files alone, so that the order of
/// steps in a plan changes none of them.
pub(super) struct Refs(BTreeMap<String, String>);

impl Refs {
    pub(super) fn of(cx: Cx<'_>, inputs: Inputs<'_>) -> Self {
        let mut refs = BTreeMap::new();
        for step in cx.steps() {
            let writes = inputs.wiring.of_step(step.index).writes.iter();
            let writes: BTreeSet<&String> = writes.map(|(path, _)| path).collect();
            for (number, path) in writes.into_iter().enumerate() {
                refs.insert(path.clone(), format!("{}:output:{number}:{}", step.id(), stem(path)));
            }
        }
        for inserted in &inputs.adapters.inserted {
            refs.insert(inserted.writes.clone(), format!("{}:output:0:{}", inserted.id, stem(&inserted.writes)));
        }
        Self(refs)
    }

    /// References to files by path, in this order.
    pub(super) fn listed(&self, paths: &[String]) -> Vec<ArtifactRef> {
        let one = |path: &String| {
            let given = || format!("mission:input:{}", stem(path));
            ArtifactRef { ref_id: self.0.get(path).cloned().unwrap_or_else(given), path: path.clone() }
        };
        paths.iter().map(one).collect()
    }

    pub(super) fn executable(&self, io: &IoContract, repair: &RepairPolicy) -> ExecutableContract {
        let execution_policy = ExecutionPolicy { repair_strategy: repair.strategy, max_retries: repair.max_retries };
        ExecutableContract {
            step_inputs: self.listed(&io.read_paths),
            step_outputs: self.listed(&io.write_paths),
            execution_policy,
        }
    }
}

/// Inputs and outputs of a step by slot.
pub(super) fn by_slot(io: &IoContract) -> CompiledStepContract {
    let inputs = io.inputs.iter().map(|input| CompiledInput {
        slot: input.slot.clone(),
        path: input.path.clone(),
        required: input.required,
    });
    let outputs = io.outputs.iter().map(|output| CompiledOutput {
        slot: output.slot.clone(),
        path: output.path.clone(),
        kind_key: output.kind_key.clone(),
    });
    CompiledStepContract { inputs: inputs.collect(), outputs: outputs.collect() }
}

/// The name of a file without folder and ending, in words joined by dashes.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').next().filter(|name| !name.is_empty()).unwrap_or(name);
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    plain.trim_matches('-').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_made_of_the_file() {
        for (path, expected) in [
            ("output/raw_api_data.json", "raw-api-data"),
            ("input/Grüße 1.csv", "grüße-1"),
            ("output/pages/*.html", ""),
            ("work/.hidden", "hidden"),
        ] {
            assert_eq!(stem(path), expected, "{path}");
        }
    }
}
