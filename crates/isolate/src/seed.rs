//! Seeded randomness: splitmix64, so that a seed gives the same numbers everywhere.

use std::cell::Cell;

/// Two to the power of 53: one more than the largest draw.
const SPAN: f64 = 9_007_199_254_740_992.0;

/// The state of the generator.
pub(crate) struct Draws(Cell<u64>);

impl Draws {
    /// Starts at `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Cell::new(seed))
    }

    /// The next number, at least zero and below one.
    pub(crate) fn next(&self) -> f64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / SPAN
    }
}

#[cfg(test)]
mod tests {
    use super::Draws;

    #[test]
    fn the_published_sequence_of_seed_zero() {
        // The first output of splitmix64 with state 0 is 0xe220a8397b1dcdaf.
        let expected = (0xe220_a839_7b1d_cdaf_u64 >> 11) as f64 / super::SPAN;
        assert_eq!(Draws::new(0).next(), expected);
    }
}
