//! Bounds on what a rule may cost, at compile and at evaluation.

/// How large a rule may be and how long one evaluation of it may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Levels of nested expressions.
    pub max_depth: usize,
    /// Expressions in the whole rule.
    pub max_nodes: usize,
    /// Steps of one evaluation; also the bound on the static estimate.
    pub max_cost: u64,
}

/// Hard ceiling on `max_depth`, so that no caller can ask for a recursion that exhausts the stack.
pub(crate) const DEEPEST: usize = 128;

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_depth: 64, max_nodes: 4096, max_cost: 1_000_000 }
    }
}
