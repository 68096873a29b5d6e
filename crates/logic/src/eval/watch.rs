//! Watchers of an evaluation. The empty watcher compiles to nothing.

use super::Out;
use crate::expr::Expr;

/// A watcher, which is called for every expression as it is entered and left.
pub(crate) trait Watch {
    /// True if it records anything.
    const SEES: bool;

    fn enter(&mut self, expr: &Expr);
    fn leave(&mut self, expr: &Expr, out: &Out<'_>);
    /// Announces the element that the following expressions are evaluated for; `None` ends that.
    fn element(&mut self, index: Option<usize>);
}

/// A watcher that records nothing.
pub(crate) struct Blind;

impl Watch for Blind {
    const SEES: bool = false;

    #[inline]
    fn enter(&mut self, _: &Expr) {}

    #[inline]
    fn leave(&mut self, _: &Expr, _: &Out<'_>) {}

    #[inline]
    fn element(&mut self, _: Option<usize>) {}
}
