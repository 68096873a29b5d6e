//! The number of distinct values of a column: counted up to a bound, then estimated.
//!
//! The estimate keeps the smallest hashes: the value of the thousandth smallest hash tells how many there are.
//! It is made of whole numbers alone, so it is the same everywhere.

use deed_model::{DistinctCount, Precision};

/// Hashes that the estimate keeps: an error of about 3 percent.
const KEPT: usize = 1_024;

const FEWEST_SLOTS: usize = 64;

/// Counts different hashes.
pub(crate) struct Distinct {
    /// While counting: an open table of hashes, zero being an empty slot. While estimating: the smallest, sorted.
    hashes: Vec<u64>,
    count: usize,
    most: usize,
    last: u64,
    /// Hashes from here on are not kept; zero while counting.
    bound: u64,
}

impl Distinct {
    /// Counts up to so many.
    pub(crate) fn new(most: usize) -> Self {
        Self { hashes: Vec::new(), count: 0, most, last: 0, bound: 0 }
    }

    /// Takes the hash of a value.
    #[inline]
    pub(crate) fn see(&mut self, hash: u64) {
        let hash = hash.max(1);
        if self.last == hash {
            return;
        }
        self.last = hash;
        if self.bound == 0 {
            self.count_in(hash);
        } else if hash < self.bound {
            self.sample(hash);
        }
    }

    fn count_in(&mut self, hash: u64) {
        if !insert(&mut self.hashes, hash) {
            return;
        }
        self.count += 1;
        if self.count > self.most {
            self.estimate_from_now();
        } else if self.count * 8 > self.hashes.len() * 5 {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let mut larger = vec![0; (self.hashes.len() * 2).max(FEWEST_SLOTS)];
        for hash in self.hashes.iter().filter(|hash| **hash != 0) {
            insert(&mut larger, *hash);
        }
        self.hashes = larger;
    }

    fn estimate_from_now(&mut self) {
        self.hashes.retain(|hash| *hash != 0);
        self.hashes.sort_unstable();
        self.hashes.truncate(KEPT);
        self.hashes.shrink_to(KEPT + 1);
        self.bound = self.kept_bound();
    }

    #[cold]
    fn sample(&mut self, hash: u64) {
        let Err(at) = self.hashes.binary_search(&hash) else { return };
        self.hashes.insert(at, hash);
        self.hashes.truncate(KEPT);
        self.bound = self.kept_bound();
    }

    /// The largest hash that is kept; while there is room, any hash is.
    fn kept_bound(&self) -> u64 {
        self.hashes.get(KEPT - 1).copied().unwrap_or(u64::MAX)
    }

    /// The count, never more than there are values.
    pub(crate) fn count(&self, values: u64) -> DistinctCount {
        if self.bound == 0 {
            return DistinctCount { count: self.count as u64, precision: Precision::Exact };
        }
        let estimate = if self.hashes.len() < KEPT {
            self.hashes.len() as u64
        } else {
            // The estimate is no more than the number of values, so a larger one need not be exact.
            u64::try_from(((KEPT as u128 - 1) << 64) / u128::from(self.bound)).unwrap_or(u64::MAX)
        };
        let count = estimate.max(self.most as u64 + 1).min(values);
        DistinctCount { count, precision: Precision::Approximate }
    }
}

/// Inserts a hash into an open table with room; returns whether it is new.
#[inline]
fn insert(slots: &mut Vec<u64>, hash: u64) -> bool {
    if slots.is_empty() {
        *slots = vec![0; FEWEST_SLOTS];
    }
    let mask = slots.len() - 1;
    let mut at = (hash >> 20) as usize & mask;
    loop {
        match slots.get_mut(at) {
            Some(slot) if *slot == hash => return false,
            Some(slot) if *slot == 0 => {
                *slot = hash;
                return true;
            }
            _ => at = (at + 1) & mask,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::hash::hash;

    fn counted(values: u32, most: usize) -> DistinctCount {
        let mut distinct = Distinct::new(most);
        for i in 0..values * 2 {
            distinct.see(hash((i % values).to_string().as_bytes()));
        }
        distinct.count(u64::from(values) * 2)
    }

    #[test]
    fn counts_exactly_up_to_its_bound() {
        for values in [1, 2, 63, 64, 1_000, 10_000] {
            let expected = DistinctCount { count: u64::from(values), precision: Precision::Exact };
            assert_eq!(counted(values, 10_000), expected);
        }
    }

    #[test]
    fn estimates_beyond_it_within_a_tenth() {
        for values in [10_001, 50_000, 300_000] {
            let found = counted(values, 10_000);
            assert_eq!(found.precision, Precision::Approximate);
            let off = found.count.abs_diff(u64::from(values));
            assert!(off * 10 < u64::from(values), "{found:?} of {values}");
        }
        assert_eq!(counted(11, 10).precision, Precision::Approximate);
        assert_eq!(counted(11, 10).count, 11);
    }
}
