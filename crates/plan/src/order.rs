//! The order of steps, the same for every order in the file, and the circles that have none.

use std::collections::{BTreeMap, BTreeSet};

/// Steps in an order in which each comes after those it depends on; of several that could come next, the first by name.
pub(crate) struct Order {
    /// Indexes of steps.
    pub(crate) sorted: Vec<usize>,
    /// Circles, each as the indexes of its steps in the order they depend on each other.
    pub(crate) circles: Vec<Vec<usize>>,
}

/// Sorts steps by their dependencies.
pub(crate) fn order(names: &[&str], before: &[Vec<usize>]) -> Order {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
    let mut open: Vec<usize> = before.iter().map(Vec::len).collect();
    for (step, needed) in before.iter().enumerate() {
        for other in needed {
            if let Some(list) = after.get_mut(*other) {
                list.push(step);
            }
        }
    }
    let name = |step: usize| names.get(step).copied().unwrap_or_default();
    let mut ready: BTreeSet<(&str, usize)> =
        open.iter().enumerate().filter(|(_, open)| **open == 0).map(|(step, _)| (name(step), step)).collect();
    let mut sorted = Vec::with_capacity(names.len());
    while let Some((_, step)) = ready.pop_first() {
        sorted.push(step);
        for next in after.get(step).into_iter().flatten() {
            if let Some(left) = open.get_mut(*next) {
                *left -= 1;
                if *left == 0 {
                    ready.insert((name(*next), *next));
                }
            }
        }
    }
    let circles = if sorted.len() == names.len() { Vec::new() } else { circles(&sorted, names, before, &after) };
    Order { sorted, circles }
}

/// The most circles that are told.
const MOST_CIRCLES: usize = 20;

/// Steps that are left once all that could be sorted is gone, with the links among them counted.
struct Left<'o> {
    links: [&'o [Vec<usize>]; 2],
    inside: Vec<bool>,
    counts: [Vec<usize>; 2],
}

impl Left<'_> {
    fn is_inside(&self, step: usize) -> bool {
        self.inside.get(step).copied().unwrap_or(false)
    }

    /// Takes steps out, and with them all that only waited for them or was only waited for by them.
    fn take(&mut self, mut gone: Vec<usize>) {
        while let Some(step) = gone.pop() {
            match self.inside.get_mut(step) {
                Some(inside) if *inside => *inside = false,
                _ => continue,
            }
            // Who follows me has one less before it, and who comes before me has one less after it.
            let [before, after] = self.links;
            for (side, links) in [(0, after), (1, before)] {
                for other in links.get(step).into_iter().flatten() {
                    let count = self.counts.get_mut(side).and_then(|counts| counts.get_mut(*other));
                    if let Some(count) = count {
                        *count = count.saturating_sub(1);
                        if *count == 0 {
                            gone.push(*other);
                        }
                    }
                }
            }
        }
    }
}

fn circles(sorted: &[usize], names: &[&str], before: &[Vec<usize>], after: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let name = |step: usize| names.get(step).copied().unwrap_or_default();
    let counts = [before.iter().map(Vec::len).collect::<Vec<_>>(), after.iter().map(Vec::len).collect()];
    let lone = (0..names.len()).filter(|step| counts.iter().any(|counts| counts.get(*step) == Some(&0))).collect();
    let mut left = Left { links: [before, after], inside: vec![true; names.len()], counts };
    left.take(sorted.to_vec());
    left.take(lone);
    let mut by_name: Vec<usize> = (0..names.len()).filter(|step| left.is_inside(*step)).collect();
    by_name.sort_by_key(|step| name(*step));
    let mut found = Vec::new();
    for start in by_name {
        if found.len() == MOST_CIRCLES || !left.is_inside(start) {
            continue;
        }
        // Everything left depends on something left, so going back comes round.
        let (mut way, mut seen, mut step) = (Vec::new(), BTreeMap::new(), start);
        while !seen.contains_key(&step) {
            seen.insert(step, way.len());
            way.push(step);
            let needed = before.get(step).into_iter().flatten().filter(|other| left.is_inside(**other));
            step = needed.min_by_key(|other| name(**other)).copied().unwrap_or(step);
        }
        let circle = way.split_off(seen.get(&step).copied().unwrap_or(0).min(way.len()));
        left.take(circle.clone());
        found.push(circle);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn steps_come_after_what_they_need_and_by_name_otherwise() {
        let order = order(&["d", "c", "b", "a"], &[vec![], vec![3], vec![], vec![]]);
        assert_eq!(order.sorted, [3, 2, 1, 0]);
        assert!(order.circles.is_empty());
    }

    #[test]
    fn each_circle_is_told_once_and_without_what_hangs_on_it() {
        let order = order(&["a", "b", "c", "d", "e", "f"], &[vec![1], vec![2], vec![0], vec![0], vec![4], vec![]]);
        assert_eq!(order.sorted, [5]);
        assert_eq!(order.circles, [vec![0, 1, 2], vec![4]]);
    }
}
