//! Slots: the places that a profile binds a model to.

use crate::ModelConsumer;
use std::fmt;

/// A phase of planning that a profile binds by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlannerPhase {
    /// Drafts the plan.
    PassA,
    /// Annotates its steps.
    PassB,
    /// Chooses skills.
    PassD,
    /// Repairs a rejected plan.
    Repair,
}

impl PlannerPhase {
    /// All phases, in the order of a run.
    pub const ALL: [Self; 4] = [Self::PassA, Self::PassB, Self::PassD, Self::Repair];

    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PassA => "pass_a",
            Self::PassB => "pass_b",
            Self::PassD => "pass_d",
            Self::Repair => "repair",
        }
    }

    /// Returns the consumer of the phase.
    pub fn consumer(self) -> ModelConsumer {
        match self {
            Self::PassA | Self::Repair => ModelConsumer::Planner,
            Self::PassB => ModelConsumer::IntentResolver,
            Self::PassD => ModelConsumer::SkillResolver,
        }
    }
}

/// A place that a profile binds a model to: a consumer, and for planning the phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BindingSlot {
    /// A phase of planning.
    Planning(PlannerPhase),
    /// Any other consumer.
    Consumer(ModelConsumer),
}

impl BindingSlot {
    /// Returns all slots, in the order in which a run meets them. The planner has two, every other consumer one.
    pub fn all() -> Vec<Self> {
        ModelConsumer::ALL
            .into_iter()
            .flat_map(|consumer| {
                let phases: Vec<Self> =
                    PlannerPhase::ALL.into_iter().filter(|p| p.consumer() == consumer).map(Self::Planning).collect();
                if phases.is_empty() { vec![Self::Consumer(consumer)] } else { phases }
            })
            .collect()
    }

    /// Returns the consumer that asks.
    pub fn consumer(self) -> ModelConsumer {
        match self {
            Self::Planning(phase) => phase.consumer(),
            Self::Consumer(consumer) => consumer,
        }
    }

    /// Returns the name in snapshots: the consumer, and the phase where a consumer has several.
    pub fn name(self) -> String {
        match self {
            Self::Planning(phase @ (PlannerPhase::PassA | PlannerPhase::Repair)) => {
                format!("{}.{}", phase.consumer(), phase.as_str())
            }
            Self::Planning(phase @ (PlannerPhase::PassB | PlannerPhase::PassD)) => phase.consumer().to_string(),
            Self::Consumer(consumer) => consumer.to_string(),
        }
    }

    /// Returns the JSON Pointer of its binding in a profile.
    pub fn pointer(self) -> String {
        match self {
            Self::Planning(phase) => format!("/planner_phase_bindings/{}", phase.as_str()),
            Self::Consumer(consumer) => match backend(consumer) {
                Some(backend) => format!("/executor_by_backend/{backend}"),
                None => format!("/consumer_bindings/{consumer}"),
            },
        }
    }
}

impl fmt::Display for BindingSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// Returns the backend of an executor.
fn backend(consumer: ModelConsumer) -> Option<&'static str> {
    match consumer {
        ModelConsumer::ExecutorSandboxSession => Some("sandbox.session"),
        ModelConsumer::ExecutorToolLoop => Some("tool_loop"),
        ModelConsumer::ExecutorEdgeIsolate => Some("edge_isolate"),
        ModelConsumer::ExecutorNative => Some("native"),
        ModelConsumer::Router
        | ModelConsumer::IntentNormalizer
        | ModelConsumer::Planner
        | ModelConsumer::IntentResolver
        | ModelConsumer::SkillResolver
        | ModelConsumer::Evaluator
        | ModelConsumer::Auditor
        | ModelConsumer::Corrector
        | ModelConsumer::Distiller
        | ModelConsumer::Brief => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_consumer_has_a_slot() {
        let slots = BindingSlot::all();
        assert_eq!(slots.len(), 15);
        for consumer in ModelConsumer::ALL {
            let count = slots.iter().filter(|slot| slot.consumer() == consumer).count();
            assert_eq!(count, if consumer == ModelConsumer::Planner { 2 } else { 1 }, "{consumer}");
        }
    }

    #[test]
    fn names_and_places_are_distinct() {
        let names: std::collections::BTreeSet<String> = BindingSlot::all().into_iter().map(BindingSlot::name).collect();
        let places: std::collections::BTreeSet<String> =
            BindingSlot::all().into_iter().map(BindingSlot::pointer).collect();
        assert_eq!((names.len(), places.len()), (15, 15));
    }
}
