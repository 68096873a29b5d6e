//! Files that pass between steps: the outputs of steps and the inputs of the mission.

use super::cx::{PerStep, StepIndex};
use super::findings::At;
use deed_catalog::{Entity, Offer};
use deed_diag::Invariant as _;
use deed_model::{EntitySchemaId, KindKey, OutputRole, ProfileId};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A file with its meaning, given by a step or to the mission.
#[derive(Debug, Clone)]
pub(super) struct Output {
    /// Its position among the outputs by meaning of its step, or among the inputs of the mission.
    pub(super) position: usize,
    pub(super) at: At,
    pub(super) slot: String,
    pub(super) entity: EntitySchemaId,
    pub(super) kind: KindKey,
    pub(super) profile: Option<ProfileId>,
    pub(super) path: String,
    pub(super) role: OutputRole,
    /// Its columns; empty if they are not declared.
    pub(super) fields: Arc<BTreeSet<String>>,
    pub(super) grain: Arc<BTreeSet<String>>,
    pub(super) provenance: Vec<String>,
    /// Its entity, where the plan derives it.
    pub(super) derived: Option<Arc<Entity>>,
    /// True if its columns or its grain were refused.
    pub(super) flawed: bool,
}

impl Output {
    /// The output as the catalogue compares it.
    pub(super) fn offer(&self) -> Offer<'_> {
        Offer {
            slot: &self.slot,
            entity: &self.entity,
            kind: &self.kind,
            profile: self.profile.as_ref(),
            grain: &self.grain,
            fields: &self.fields,
        }
    }
}

/// The producer of something: a key into [`Offers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    /// One of the mission's inputs.
    Mission(usize),
    /// One of the outputs of a step.
    Step(StepIndex, usize),
}

/// All that is given: by the mission and by every step.
#[derive(Clone)]
pub(super) struct Offers<'s> {
    mission: &'s [Output],
    steps: PerStep<Cow<'s, [Output]>>,
}

impl<'s> Offers<'s> {
    pub(super) fn new(mission: &'s [Output], steps: PerStep<Cow<'s, [Output]>>) -> Self {
        Self { mission, steps }
    }

    pub(super) fn get(&self, source: Source) -> &Output {
        match source {
            Source::Mission(position) => self.mission.get(position),
            Source::Step(step, position) => self.of_step(step).get(position),
        }
        .invariant("a source is one of the outputs that were resolved")
    }

    pub(super) fn mission(&self) -> impl Iterator<Item = (Source, &'s Output)> + use<'s> {
        self.mission.iter().enumerate().map(|(position, output)| (Source::Mission(position), output))
    }

    pub(super) fn of_step(&self, step: StepIndex) -> &[Output] {
        self.steps.get(step)
    }

    pub(super) fn sources_of(&self, step: StepIndex) -> impl Iterator<Item = Source> + use<> {
        (0..self.of_step(step).len()).map(move |position| Source::Step(step, position))
    }

    pub(super) fn of_step_mut(&mut self, step: StepIndex) -> &mut [Output] {
        self.steps.get_mut(step).to_mut()
    }

    /// The source at a path, of a step or of the mission.
    pub(super) fn at_path(&self, step: Option<StepIndex>, path: &str) -> Option<Source> {
        let found = |outputs: &[Output]| outputs.iter().position(|output| output.path == path);
        match step {
            None => found(self.mission).map(Source::Mission),
            Some(step) => found(self.of_step(step)).map(|position| Source::Step(step, position)),
        }
    }
}
