//! C2, the snapshot: every name of the plan is looked up in the catalogue as it stands.
//!
//! Enters: the plan. Leaves: the policy and packs of every step, what each input needs, and what the mission is given.
//! Must prove: every name leads to something in the catalogue, or is refused with the nearest one.

mod columns;
mod keys;
mod mission;
mod names;
mod need;
mod packs;
mod policy;
mod tools;

pub(super) use self::columns::{check_columns, grain};
pub(super) use self::names::{NameFault, PROFILE_HELP, entity, kind, profile, slot};
pub(super) use self::need::InputNeed;
pub(super) use self::packs::check_pack_named;
pub(super) use self::policy::{input_mode, put_under};

use self::packs::StepPacks;
use super::cx::{Cx, PerStep, StepIndex};
use super::findings::Findings;
use super::output::Output;
use deed_model::{PolicyRules, StepPolicy};
use std::collections::BTreeSet;

/// The plan's names, looked up.
pub(super) struct Snapshot {
    steps: PerStep<SnapshotStep>,
    /// The inputs of the mission.
    pub(super) mission: Vec<Output>,
    /// Entities of what the mission is given and was refused: their readers are not reported a second time.
    pub(super) mission_in_doubt: BTreeSet<String>,
}

/// The names of one step, looked up.
struct SnapshotStep {
    scope: StepScope,
    /// One for each input; none where a name of the input leads nowhere.
    needs: Vec<Option<InputNeed>>,
}

/// The packs and the policy of a step.
pub(super) struct StepScope {
    pub(super) packs: StepPacks,
    pub(super) policy: StepPolicy,
}

/// Looks up every name.
pub(super) fn resolve(cx: Cx<'_>, findings: &mut Findings<'_>) -> Snapshot {
    packs::check_plan(cx, findings);
    policy::check_plan(cx, findings);
    let steps = cx.per_step(|step| {
        let scope =
            StepScope { packs: packs::of_step(cx, step, findings), policy: policy::of_step(cx, step, findings) };
        let needs = step.inputs().map(|input| need::resolve(cx, input, &scope, findings)).collect();
        tools::check(cx, step, findings);
        SnapshotStep { scope, needs }
    });
    let given = mission::resolve(cx, findings);
    Snapshot { steps, mission: given.outputs, mission_in_doubt: given.in_doubt }
}

impl Snapshot {
    pub(super) fn scope(&self, step: StepIndex) -> &StepScope {
        &self.steps.get(step).scope
    }

    pub(super) fn rules(&self, step: StepIndex) -> PolicyRules {
        self.scope(step).policy.rules
    }

    pub(super) fn needs(&self, step: StepIndex) -> &[Option<InputNeed>] {
        &self.steps.get(step).needs
    }
}
