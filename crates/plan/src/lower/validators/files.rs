//! Validators of what a step writes.

use super::Inputs;
use crate::lower::cx::{Cx, Step};
use crate::lower::output::Output;
use crate::lower::snapshot::{Snapshot, input_mode};
use deed_model::{
    ArtifactContract, Kind, KindShape, LadderMode, OutputRole, Phase, PolicyRules, ProvenanceDemand, Validator,
    ValidatorCheck,
};
use std::collections::BTreeSet;

/// Demands on a file besides its contract.
struct Demands {
    /// True if its grain tells rows apart.
    grain: bool,
    /// True if rows have to say where they came from.
    provenance: bool,
    /// The mode in which it is held to its entity.
    entity: LadderMode,
}

/// The validators of all files that a step writes.
pub(super) fn validators(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>) -> Vec<Validator> {
    let outputs = inputs.bindings.offers.of_step(step.index);
    let mut all = Vec::new();
    for (path, role) in &inputs.wiring.of_step(step.index).writes {
        // A file without a contract is refused, and reported as such.
        let Some(contract) = inputs.outputs.contract(step.index, path) else { continue };
        let phase = if *role == OutputRole::Primary { Phase::FinalOutput } else { Phase::StepOutput };
        let output = outputs.iter().find(|output| output.path == *path);
        let owed = |output: &Output| !owed_provenance(cx, inputs.snapshot, step, output).is_empty();
        let demands = Demands {
            grain: output.is_some_and(|output| !output.grain.is_empty()),
            provenance: output.is_some_and(owed),
            entity: input_mode(inputs.snapshot.rules(step.index)),
        };
        all.extend(of_file(cx, path, contract, phase, demands));
    }
    all
}

/// The validators of a file that an inserted adapter writes, under the policies of all that read it.
pub(in crate::lower) fn of_inserted(
    cx: Cx<'_>,
    path: &str,
    contract: &ArtifactContract,
    rules: PolicyRules,
) -> Vec<Validator> {
    let demands = Demands { grain: false, provenance: false, entity: input_mode(rules) };
    of_file(cx, path, contract, Phase::StepOutput, demands)
}

/// The fields by which rows of an output have to say where they came from: those that the plan names, those that the
/// entity requires, and all that the entity has where the policy asks for provenance.
pub(in crate::lower) fn owed_provenance(
    cx: Cx<'_>,
    snapshot: &Snapshot,
    step: Step<'_>,
    output: &Output,
) -> Vec<String> {
    let authored = step.authored.abstract_outputs.iter().flat_map(|output| &output.provenance_fields);
    let named: BTreeSet<&String> = authored.collect();
    let entity = cx.entity_of(output);
    let asked = snapshot.rules(step.index).provenance != ProvenanceDemand::None;
    let owed = |field: &&String| {
        asked || named.contains(field) || entity.is_some_and(|entity| entity.required.contains(*field))
    };
    output.provenance.iter().filter(owed).cloned().collect()
}

fn of_file(cx: Cx<'_>, path: &str, contract: &ArtifactContract, phase: Phase, demands: Demands) -> Vec<Validator> {
    let mut checks = vec![(ValidatorCheck::Exists, LadderMode::Block)];
    let kind = cx.catalog.kind(contract.kind_key.as_str());
    if kind.is_some_and(Kind::has_form) {
        checks.push((ValidatorCheck::Parses, LadderMode::Block));
    }
    if let Some(kind) = kind.filter(|kind| kind.readable) {
        let structured = matches!(kind.shape, KindShape::Rows | KindShape::Document);
        if !contract.required_fields.is_empty() && structured {
            checks.push((ValidatorCheck::Fields, LadderMode::Block));
        }
        let described = contract.entity_schema_id.as_ref().is_some_and(|entity| !entity.is_generic());
        if described && structured {
            checks.push((ValidatorCheck::EntitySchema, demands.entity));
        }
        if demands.grain && kind.shape == KindShape::Rows {
            checks.push((ValidatorCheck::UniqueGrain, LadderMode::Block));
        }
        if demands.provenance && kind.shape == KindShape::Rows {
            checks.push((ValidatorCheck::Provenance, LadderMode::Block));
        }
    }
    checks.into_iter().map(|(check, mode)| Validator { phase, mode, path: path.to_owned(), check }).collect()
}
