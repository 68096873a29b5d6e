//! The order in which an adapter takes the inputs of a step.

use deed_model::{AbstractInput, AdapterDeclaration, PlanStep};
use std::collections::BTreeSet;

/// The place of each input of a step among those of its adapter: by its role, or else the next place that no role takes.
pub(super) fn places(step: &PlanStep, adapter: &AdapterDeclaration) -> Vec<usize> {
    let of_role = |role: &String| adapter.roles.iter().position(|known| known == role);
    let taken: BTreeSet<usize> =
        step.abstract_inputs.iter().filter_map(|input| input.role.as_ref().and_then(of_role)).collect();
    let mut free = (0..step.abstract_inputs.len().max(adapter.from.len())).filter(|place| !taken.contains(place));
    let inputs = step.abstract_inputs.iter();
    inputs.filter_map(|input| input.role.as_ref().and_then(of_role).or_else(|| free.next())).collect()
}

/// The inputs of a step, with their positions, in the order in which its adapter takes them.
pub(super) fn in_order<'s>(step: &'s PlanStep, adapter: &AdapterDeclaration) -> Vec<(usize, &'s AbstractInput)> {
    let places = places(step, adapter);
    let mut inputs: Vec<(usize, &AbstractInput)> = step.abstract_inputs.iter().enumerate().collect();
    inputs.sort_by_key(|(position, _)| places.get(*position).copied());
    inputs
}
