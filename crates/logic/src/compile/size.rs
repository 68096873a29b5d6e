//! The size of a compiled rule, and the estimated cost of one evaluation.

use crate::expr::{Expr, ExprKind};

/// The length assumed for an array that is iterated over.
const ASSUMED_LENGTH: u64 = 16;

/// Depth, number of expressions and estimated steps of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) depth: usize,
    pub(crate) nodes: usize,
    pub(crate) cost: u64,
}

impl Size {
    pub(crate) fn of(expr: &Expr) -> Size {
        let body = match &expr.kind {
            ExprKind::Call { op, .. } if op.iterates() => Some(1),
            ExprKind::Call { .. } | ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Var(_) => None,
        };
        let mut size = Size { depth: 0, nodes: 1, cost: 1 };
        for (i, child) in expr.children().into_iter().enumerate() {
            let below = Size::of(child);
            let times = if body == Some(i) { ASSUMED_LENGTH } else { 1 };
            size.depth = size.depth.max(below.depth);
            size.nodes += below.nodes;
            size.cost = size.cost.saturating_add(below.cost.saturating_mul(times));
        }
        size.depth += 1;
        size
    }
}
