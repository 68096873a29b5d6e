//! The plan as every stage sees it: the document, the types and the steps, each with a typed index.

use super::findings::At;
use super::output::{Output, Source};
use deed_catalog::{Catalog, Entity};
use deed_diag::{Document, Invariant as _, quote};
use deed_model::{AbstractInput, AbstractOutput, Plan, PlanStep};

/// The input of every stage: the plan with its document, and the catalogue that its names are looked up in.
#[derive(Clone, Copy)]
pub(super) struct Cx<'l> {
    pub(super) document: &'l Document,
    pub(super) catalog: &'l Catalog,
    pub(super) plan: &'l Plan,
}

/// The position of a step in the plan. Made by [`Cx`] alone, so it always leads to a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StepIndex(usize);

impl StepIndex {
    pub(super) fn position(self) -> usize {
        self.0
    }
}

/// A step of the plan.
#[derive(Clone, Copy)]
pub(super) struct Step<'l> {
    pub(super) index: StepIndex,
    pub(super) authored: &'l PlanStep,
}

/// An input by meaning of a step.
#[derive(Clone, Copy)]
pub(super) struct Input<'l> {
    pub(super) step: Step<'l>,
    pub(super) position: usize,
    pub(super) authored: &'l AbstractInput,
}

/// An output by meaning of a step, as the plan declares it.
#[derive(Clone, Copy)]
pub(super) struct DeclaredOutput<'l> {
    pub(super) step: Step<'l>,
    pub(super) position: usize,
    pub(super) authored: &'l AbstractOutput,
}

/// One value for every step of the plan.
#[derive(Debug, Clone)]
pub(super) struct PerStep<T>(Vec<T>);

impl<T> PerStep<T> {
    pub(super) fn get(&self, step: StepIndex) -> &T {
        self.0.get(step.0).invariant("a step index is one of the plan's")
    }

    pub(super) fn get_mut(&mut self, step: StepIndex) -> &mut T {
        self.0.get_mut(step.0).invariant("a step index is one of the plan's")
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Computes another value for every step from this one.
    pub(super) fn map<'t, U>(&'t self, value: impl FnMut(&'t T) -> U) -> PerStep<U> {
        PerStep(self.0.iter().map(value).collect())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (StepIndex, &T)> {
        self.0.iter().enumerate().map(|(position, value)| (StepIndex(position), value))
    }
}

impl<'l> Cx<'l> {
    pub(super) fn steps(self) -> impl Iterator<Item = Step<'l>> {
        self.plan.steps.iter().enumerate().map(|(index, authored)| Step { index: StepIndex(index), authored })
    }

    pub(super) fn step(self, index: StepIndex) -> Step<'l> {
        Step { index, authored: self.plan.steps.get(index.0).invariant("a step index is one of the plan's") }
    }

    /// Returns the step at a position that was counted over the plan's steps.
    pub(super) fn step_at(self, position: usize) -> Step<'l> {
        self.step(StepIndex(position))
    }

    /// Computes a value for every step.
    pub(super) fn per_step<T>(self, value: impl FnMut(Step<'l>) -> T) -> PerStep<T> {
        PerStep(self.steps().map(value).collect())
    }

    /// Names a producer in a message.
    pub(super) fn producer(self, source: Source) -> String {
        match source {
            Source::Mission(_) => "the mission".to_owned(),
            Source::Step(step, _) => format!("step {}", quote(self.step(step).id())),
        }
    }

    /// The id of the step that a source belongs to; none for the mission.
    pub(super) fn producing_step(self, source: Source) -> Option<String> {
        match source {
            Source::Mission(_) => None,
            Source::Step(step, _) => Some(self.step(step).id().to_owned()),
        }
    }

    /// The entity of an output: the one that the plan derives for it, or that of the catalogue.
    pub(super) fn entity_of<'o>(self, output: &'o Output) -> Option<&'o Entity>
    where
        'l: 'o,
    {
        output.derived.as_deref().or_else(|| self.catalog.entity(output.entity.as_str()))
    }
}

impl<'l> Step<'l> {
    pub(super) fn id(self) -> &'l str {
        &self.authored.id
    }

    pub(super) fn at(self) -> At {
        At::step(self.index)
    }

    pub(super) fn inputs(self) -> impl Iterator<Item = Input<'l>> {
        let inputs = self.authored.abstract_inputs.iter().enumerate();
        inputs.map(move |(position, authored)| Input { step: self, position, authored })
    }

    pub(super) fn outputs(self) -> impl Iterator<Item = DeclaredOutput<'l>> {
        let outputs = self.authored.abstract_outputs.iter().enumerate();
        outputs.map(move |(position, authored)| DeclaredOutput { step: self, position, authored })
    }
}

impl Input<'_> {
    pub(super) fn at(self) -> At {
        self.step.at().key("abstract_inputs").item(self.position)
    }
}

impl DeclaredOutput<'_> {
    pub(super) fn at(self) -> At {
        self.step.at().key("abstract_outputs").item(self.position)
    }
}
