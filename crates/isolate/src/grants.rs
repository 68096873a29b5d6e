//! The replacements of a clock and of randomness.

use crate::bound::BoundInput;

/// The instant and the seed that a contract grants; without them the script has neither.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    /// The instant that `Date.now()` returns, in milliseconds since 1970 in UTC.
    pub now_ms: Option<i64>,
    /// The seed of `Math.random()`: splitmix64, the upper 53 bits of each draw divided by 2^53.
    pub seed: Option<u64>,
    /// The inputs by slot and entity, for `context.input` and `context.inputs`.
    pub inputs: Vec<BoundInput>,
}
