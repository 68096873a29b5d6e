//! The checks of the critic, one file each.

mod approvals;
mod authority;
mod bounds;
mod controls;
mod decision;
mod evidence;
mod identity;
mod lineage;
mod outcome;
mod policy;
mod schema;

pub(crate) use approvals::check as approvals;
pub(crate) use authority::check as authority;
pub(crate) use controls::check as controls;
pub(crate) use decision::check as decision;
pub(crate) use evidence::check as evidence;
pub(crate) use identity::check as identity;
pub(crate) use lineage::check as lineage;
pub(crate) use outcome::check as outcome;
pub(crate) use policy::check as policy;
pub(crate) use schema::check as schema;

use crate::bindings::Approved;
use crate::claim::Claim;
use crate::inputs::CriticInputs;
use deed_model::{DecisionManifest, OutcomeEffect};

/// Everything that a check reads.
#[derive(Clone, Copy)]
pub(crate) struct Cx<'c> {
    pub(crate) claim: &'c Claim,
    pub(crate) inputs: CriticInputs<'c>,
    pub(crate) approved: &'c Approved,
    /// The spec, if the context lists the decision.
    pub(crate) spec: Option<&'c DecisionManifest<'c>>,
    /// The effect of the outcome. An outcome that the spec says nothing about acts.
    pub(crate) effect: OutcomeEffect,
}

impl<'c> Cx<'c> {
    pub(crate) fn new(claim: &'c Claim, inputs: CriticInputs<'c>, approved: &'c Approved) -> Self {
        let spec = inputs.context.decisions.iter().find(|spec| spec.decision_key == claim.decision_key);
        let effect = spec.zip(claim.outcome()).and_then(|(spec, outcome)| spec.outcome_effects.get(outcome).copied());
        Self { claim, inputs, approved, spec, effect: effect.unwrap_or_default() }
    }

    /// Returns true if the outcome may have an effect on anything.
    pub(crate) fn acts(&self) -> bool {
        self.effect == OutcomeEffect::Act
    }
}
