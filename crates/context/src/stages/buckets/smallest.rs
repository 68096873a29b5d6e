//! The smallest budget that would have kept each dropped block.
//!
//! Packing skips blocks that do not fit, so a larger budget can drop a block that a smaller one keeps: with 100 and 10
//! tokens in that order, 10 is enough for the second, 105 is not, 110 is. The result is the smallest budget *above the
//! given one*.

use super::pack::pack;
use deed_diag::Invariant as _;

/// The maximum number of steps for one bucket; beyond it a sufficient budget is returned instead of the smallest.
const MOST_STEPS: u64 = 2_000_000;

/// Returns for each dropped block in order: a budget, and whether it is the smallest.
pub(super) fn budgets(tokens: &[u64], kept: &[bool], given: u64) -> Vec<(u64, bool)> {
    if kept.iter().all(|kept| *kept) {
        return Vec::new();
    }
    let prefix = Prefix::of(tokens);
    let mut steps = MOST_STEPS;
    let dropped = kept.iter().enumerate().filter(|(_, kept)| !**kept).map(|(i, _)| i);
    dropped
        .map(|i| match prefix.smallest(tokens, i, given, &mut steps) {
            Some(budget) => (budget, true),
            None => (prefix.sum(i + 1), false),
        })
        .collect()
}

/// Sums and maxima of the blocks before each.
struct Prefix {
    sums: Vec<u64>,
    largest: Vec<u64>,
}

impl Prefix {
    fn of(tokens: &[u64]) -> Self {
        let (mut sum, mut largest) = (0u64, 0u64);
        let (mut sums, mut maxima) = (vec![0], vec![0]);
        for tokens in tokens {
            sum = sum.saturating_add(*tokens);
            largest = largest.max(*tokens);
            sums.push(sum);
            maxima.push(largest);
        }
        Self { sums, largest: maxima }
    }

    /// Returns the tokens of the first blocks.
    fn sum(&self, count: usize) -> u64 {
        *self.sums.get(count).invariant("there is a sum for each prefix")
    }

    fn largest(&self, count: usize) -> u64 {
        *self.largest.get(count).invariant("there is a maximum for each prefix")
    }

    fn smallest(&self, tokens: &[u64], i: usize, given: u64, steps: &mut u64) -> Option<u64> {
        let at_all = self.at_all(tokens, i, steps)?;
        if at_all > given {
            return Some(at_all);
        }
        above(tokens.get(..=i)?, given, steps)
    }

    /// Returns the smallest budget of all that keeps a block. The room before it must be its own size; going back, a
    /// block that is larger than that room is skipped, and a smaller one adds its size to it.
    fn at_all(&self, tokens: &[u64], i: usize, steps: &mut u64) -> Option<u64> {
        let mut left = tokens.get(i).copied()?;
        for before in (0..i).rev() {
            // From here back every block is packed.
            if left >= self.largest(before + 1) {
                return Some(left.saturating_add(self.sum(before + 1)));
            }
            *steps = steps.checked_sub(1)?;
            let size = tokens.get(before).copied()?;
            if size <= left {
                left = left.saturating_add(size);
            }
        }
        Some(left)
    }
}

/// Returns the smallest budget above a given one that keeps the last of some blocks, by going from one budget to the
/// next at which packing changes.
fn above(tokens: &[u64], given: u64, steps: &mut u64) -> Option<u64> {
    let mut budget = given.checked_add(1)?;
    loop {
        *steps = steps.checked_sub(tokens.len() as u64)?;
        let packed = pack(tokens.iter().copied(), budget);
        if packed.kept.last() == Some(&true) {
            return Some(budget);
        }
        budget = next_change(tokens, &packed.kept, budget)?;
    }
}

/// Returns the next budget at which a skipped block fits.
fn next_change(tokens: &[u64], kept: &[bool], budget: u64) -> Option<u64> {
    let mut used = 0u64;
    let mut next: Option<u64> = None;
    for (tokens, kept) in tokens.iter().zip(kept) {
        if *kept {
            used += tokens;
        } else {
            let fits_at = used.saturating_add(*tokens);
            next = Some(next.map_or(fits_at, |n| n.min(fits_at)));
        }
    }
    next.filter(|next| *next > budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tries every budget.
    fn by_trying(tokens: &[u64], i: usize, given: u64) -> u64 {
        (given + 1..).find(|budget| pack(tokens.iter().copied(), *budget).kept.get(i) == Some(&true)).unwrap()
    }

    #[test]
    fn passes_over_what_is_too_large() {
        let tokens = [100, 10];
        let budgets = |given| budgets(&tokens, &pack(tokens.into_iter(), given).kept, given);
        assert_eq!(budgets(5), [(100, true), (10, true)]);
        assert_eq!(budgets(105), [(110, true)]);
        assert_eq!(budgets(110), []);
    }

    #[test]
    fn many_equal_blocks_are_quick() {
        let tokens = vec![250; 100_000];
        let kept = pack(tokens.iter().copied(), 1_000).kept;
        let found = budgets(&tokens, &kept, 1_000);
        assert_eq!(found.len(), 99_996);
        assert_eq!((found.first(), found.last()), (Some(&(1_250, true)), Some(&(25_000_000, true))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn it_is_the_smallest(tokens in prop::collection::vec(0u64..40, 1..12), given in 0u64..200) {
            let kept = pack(tokens.iter().copied(), given).kept;
            let mut found = budgets(&tokens, &kept, given).into_iter();
            for (i, _) in kept.iter().enumerate().filter(|(_, kept)| !**kept) {
                prop_assert_eq!(found.next(), Some((by_trying(&tokens, i, given), true)), "{:?} {} {}", tokens, i, given);
            }
        }
    }
}
