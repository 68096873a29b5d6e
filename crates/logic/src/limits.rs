//! Limits on the cost of a rule, at compile time and at evaluation.

/// The maximum size of a rule and the maximum steps of one evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Levels of nested expressions.
    pub max_depth: usize,
    /// Expressions in the whole rule.
    pub max_nodes: usize,
    /// Steps of one evaluation; also the bound on the static estimate.
    pub max_cost: u64,
}

/// Hard ceiling on `max_depth`, so that no caller can request a recursion that exhausts the stack.
pub(crate) const DEEPEST: usize = 128;

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_depth: 64, max_nodes: 4096, max_cost: 1_000_000 }
    }
}
