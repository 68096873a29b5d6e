//! The steps that can start: those whose dependencies have succeeded and whose gates are open, in the plan's order.

use deed_diag::Invariant as _;
use deed_model::CompiledPlan;
use std::collections::{BTreeMap, BTreeSet};

/// The invariant of every place of a step.
const PLACED: &str = "a place is one of a step of the plan";

/// The steps that are left, by their places in the plan.
#[derive(Debug)]
pub(super) struct Schedule {
    waiting: Vec<usize>,
    dependents: Vec<Vec<usize>>,
    ready: BTreeSet<usize>,
    left: usize,
}

impl Schedule {
    pub(super) fn new(plan: &CompiledPlan) -> Self {
        let places: BTreeMap<&str, usize> =
            plan.steps.iter().enumerate().map(|(place, step)| (step.step_id.as_str(), place)).collect();
        let mut dependents = vec![Vec::new(); plan.steps.len()];
        let mut waiting = vec![0; plan.steps.len()];
        for (place, step) in plan.steps.iter().enumerate() {
            let gates = plan.gates.iter().filter(|gate| step.waits_for.contains(&gate.gate_id));
            let before = step.depends_on.iter().chain(gates.flat_map(|gate| &gate.after));
            let before: BTreeSet<usize> = before
                .map(|id| places.get(id.as_str()).copied().invariant("a dependency is a step of the plan"))
                .collect();
            for earlier in &before {
                dependents.get_mut(*earlier).invariant(PLACED).push(place);
            }
            *waiting.get_mut(place).invariant(PLACED) = before.len();
        }
        let free = waiting.iter().enumerate().filter(|(_, count)| **count == 0);
        let ready = free.map(|(place, _)| place).collect();
        Self { waiting, dependents, ready, left: plan.steps.len() }
    }

    /// Marks a step as succeeded.
    pub(super) fn succeeded(&mut self, place: usize) {
        self.ready.remove(&place);
        self.left -= 1;
        for later in self.dependents.get(place).cloned().invariant(PLACED) {
            let count = self.waiting.get_mut(later).invariant(PLACED);
            *count -= 1;
            if *count == 0 {
                self.ready.insert(later);
            }
        }
    }

    /// Marks a step as running, waiting or failed: it is not offered again.
    pub(super) fn taken(&mut self, place: usize) {
        self.ready.remove(&place);
    }

    /// Offers a step again.
    pub(super) fn again(&mut self, place: usize) {
        self.ready.insert(place);
    }

    /// Returns the steps that can start, in the plan's order.
    pub(super) fn ready(&self) -> Vec<usize> {
        self.ready.iter().copied().collect()
    }

    /// Returns whether all have succeeded.
    pub(super) fn is_done(&self) -> bool {
        self.left == 0
    }
}
