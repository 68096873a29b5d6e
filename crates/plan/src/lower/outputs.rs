//! C3, outputs: what every step gives.
//!
//! Enters: the names of the plan, looked up. Leaves: the outputs of every step by meaning, and the contract of every
//! file. Must prove: every file that a step writes has a contract, and every output by meaning has a file.

mod complete;
mod contract;
mod file;
mod files;
mod form;
mod names;
mod one;

use self::contract::Contracts;
use super::cx::{Cx, PerStep, StepIndex};
use super::findings::Findings;
use super::output::{Offers, Output};
use super::snapshot::Snapshot;
use crate::path::WorkPath;
use deed_model::{ArtifactContract, ArtifactSpec, PlanStep};
use std::borrow::Cow;

/// The outputs of all steps.
pub(super) struct Outputs(PerStep<StepOutputs>);

/// The outputs of one step.
pub(super) struct StepOutputs {
    /// Its outputs by meaning, those left out that were refused.
    outputs: Vec<Output>,
    /// True if one of its outputs was refused.
    pub(super) in_doubt: bool,
    /// Contracts of its files, by path.
    pub(super) contracts: Contracts,
}

/// Resolves the outputs of every step.
pub(super) fn resolve(cx: Cx<'_>, snapshot: &Snapshot, findings: &mut Findings<'_>) -> Outputs {
    Outputs(cx.per_step(|step| {
        let scope = snapshot.scope(step.index);
        let mut contracts = Contracts::new();
        let mut outputs = Vec::with_capacity(step.authored.abstract_outputs.len());
        for declared in step.outputs() {
            if let Some(resolved) = one::resolve(cx, declared, scope, &contracts, findings) {
                contracts.insert(resolved.output.path.clone(), resolved.contract);
                outputs.push(resolved.output);
            }
        }
        let in_doubt = outputs.len() < step.authored.abstract_outputs.len();
        files::resolve(cx, step, scope, in_doubt, &mut contracts, findings);
        files::check_stray_contracts(step, findings);
        StepOutputs { outputs, in_doubt, contracts }
    }))
}

impl Outputs {
    pub(super) fn of_step(&self, step: StepIndex) -> &StepOutputs {
        self.0.get(step)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (StepIndex, &StepOutputs)> {
        self.0.iter()
    }

    /// The contract of a file of a step.
    pub(super) fn contract(&self, step: StepIndex, path: &str) -> Option<&ArtifactContract> {
        self.of_step(step).contracts.get(path)
    }

    /// Everything that is given: by the steps, and to the mission.
    pub(super) fn offers<'s>(&'s self, snapshot: &'s Snapshot) -> Offers<'s> {
        Offers::new(&snapshot.mission, self.0.map(|step| Cow::Borrowed(step.outputs.as_slice())))
    }
}

/// A path as contracts spell it, or as it was written if it is not a path of the workspace.
pub(super) fn normalized(path: &str) -> String {
    WorkPath::read_any(path).map_or_else(|_| path.to_owned(), |path| path.text)
}

/// The contract that a step writes for a file, with the key that it stands under.
fn authored_contract<'s>(step: &'s PlanStep, path: &str) -> Option<(&'s String, &'s ArtifactSpec)> {
    // Most are spelled alike, and then nothing has to be compared.
    let exact = step.artifact_contracts.get_key_value(path);
    exact.or_else(|| step.artifact_contracts.iter().find(|(known, _)| !is_plain(known) && normalized(known) == path))
}

/// Returns whether a path is surely spelled as in contracts.
fn is_plain(path: &str) -> bool {
    path.is_ascii() && !path.contains("//") && !path.contains("./") && !path.ends_with('/')
}
