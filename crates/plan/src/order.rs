//! The order of steps, the same for every order in the file, and the cycles that have none.

use deed_diag::Invariant as _;
use std::collections::{BTreeMap, BTreeSet};

const KNOWN: &str = "a step that another one needs is one of the list";

/// Steps in an order in which each comes after those it depends on; of several that could come next, the first by name.
pub(crate) struct Order {
    /// Indexes of steps.
    pub(crate) sorted: Vec<usize>,
    /// Cycles, each as the indexes of its steps in the order they depend on each other.
    pub(crate) cycles: Vec<Vec<usize>>,
}

/// Sorts steps by their dependencies.
pub(crate) fn order(names: &[&str], before: &[Vec<usize>]) -> Order {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
    let mut open: Vec<usize> = before.iter().map(Vec::len).collect();
    for (step, needed) in before.iter().enumerate() {
        for other in needed {
            after.get_mut(*other).invariant(KNOWN).push(step);
        }
    }
    let name = |step: usize| names.get(step).copied().invariant(KNOWN);
    let mut ready: BTreeSet<(&str, usize)> =
        open.iter().enumerate().filter(|(_, open)| **open == 0).map(|(step, _)| (name(step), step)).collect();
    let mut sorted = Vec::with_capacity(names.len());
    while let Some((_, step)) = ready.pop_first() {
        sorted.push(step);
        for next in after.get(step).invariant(KNOWN) {
            let left = open.get_mut(*next).invariant(KNOWN);
            *left -= 1;
            if *left == 0 {
                ready.insert((name(*next), *next));
            }
        }
    }
    let cycles = if sorted.len() == names.len() { Vec::new() } else { cycles(&sorted, names, before, &after) };
    Order { sorted, cycles }
}

/// The most cycles that are reported.
const MAX_CYCLES: usize = 20;

/// Steps that remain once all that could be sorted are gone, with the links among them counted.
struct Remaining<'o> {
    links: [&'o [Vec<usize>]; 2],
    inside: Vec<bool>,
    counts: [Vec<usize>; 2],
}

impl Remaining<'_> {
    fn is_inside(&self, step: usize) -> bool {
        self.inside.get(step).copied().invariant(KNOWN)
    }

    /// Removes steps, and with them all that only waited for them or was only waited for by them.
    fn remove(&mut self, mut gone: Vec<usize>) {
        while let Some(step) = gone.pop() {
            let inside = self.inside.get_mut(step).invariant(KNOWN);
            if !std::mem::take(inside) {
                continue;
            }
            // The steps after it have one less before them, and the steps before it one less after them.
            let [before, after] = self.links;
            for (links, counts) in [after, before].into_iter().zip(&mut self.counts) {
                for other in links.get(step).invariant(KNOWN) {
                    let count = counts.get_mut(*other).invariant(KNOWN);
                    *count = count.saturating_sub(1);
                    if *count == 0 {
                        gone.push(*other);
                    }
                }
            }
        }
    }
}

fn cycles(sorted: &[usize], names: &[&str], before: &[Vec<usize>], after: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let name = |step: usize| names.get(step).copied().invariant(KNOWN);
    let counts = [before.iter().map(Vec::len).collect::<Vec<_>>(), after.iter().map(Vec::len).collect()];
    let lone = (0..names.len()).filter(|step| counts.iter().any(|counts| counts.get(*step) == Some(&0))).collect();
    let mut remaining = Remaining { links: [before, after], inside: vec![true; names.len()], counts };
    remaining.remove(sorted.to_vec());
    remaining.remove(lone);
    let mut by_name: Vec<usize> = (0..names.len()).filter(|step| remaining.is_inside(*step)).collect();
    by_name.sort_by_key(|step| name(*step));
    let mut found = Vec::new();
    for start in by_name {
        if found.len() == MAX_CYCLES || !remaining.is_inside(start) {
            continue;
        }
        // Every remaining step depends on a remaining one, so following dependencies back comes round.
        let (mut way, mut seen, mut step) = (Vec::new(), BTreeMap::new(), start);
        let first = loop {
            if let Some(first) = seen.insert(step, way.len()) {
                break first;
            }
            way.push(step);
            let needed = before.get(step).invariant(KNOWN).iter().filter(|other| remaining.is_inside(**other));
            step =
                needed.min_by_key(|other| name(**other)).copied().invariant("a remaining step needs a remaining one");
        };
        let cycle = way.split_off(first);
        remaining.remove(cycle.clone());
        found.push(cycle);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn steps_come_after_their_dependencies_and_then_by_name() {
        let order = order(&["d", "c", "b", "a"], &[vec![], vec![3], vec![], vec![]]);
        assert_eq!(order.sorted, [3, 2, 1, 0]);
        assert!(order.cycles.is_empty());
    }

    #[test]
    fn each_cycle_is_found_once_and_without_the_steps_that_only_depend_on_it() {
        let order = order(&["a", "b", "c", "d", "e", "f"], &[vec![1], vec![2], vec![0], vec![0], vec![4], vec![]]);
        assert_eq!(order.sorted, [5]);
        assert_eq!(order.cycles, [vec![0, 1, 2], vec![4]]);
    }
}
