//! Instants that look random and can be had again.

use std::time::Duration;

/// A small generator (xorshift); a test that fails prints the seed.
pub(crate) struct Dice(u64);

impl Dice {
    /// One for each thread, all from one seed.
    pub(crate) fn new(which: u64) -> Self {
        let seed = std::env::var("DEED_CRASH_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_261_115_u64);
        Self((seed ^ which.wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1)
    }

    /// A number below a limit.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    /// An instant within some milliseconds.
    pub(crate) fn within_ms(&mut self, most: u64) -> Duration {
        Duration::from_micros(self.below(most * 1000))
    }
}

/// The number of random kills: as many as are asked for, otherwise as many as a minute allows.
pub(crate) fn kills(otherwise: usize) -> usize {
    asked_for().unwrap_or(otherwise)
}

/// The number of kills that were asked for, if any.
pub(crate) fn asked_for() -> Option<usize> {
    std::env::var("DEED_CRASH_KILLS").ok().and_then(|text| text.parse().ok())
}
