//! What looks on while a rule is evaluated. The blind watcher compiles to nothing.

use super::Out;
use crate::expr::Expr;

/// Told of every expression as it is entered and left.
pub(crate) trait Watch {
    /// Whether it looks at all.
    const SEES: bool;

    fn enter(&mut self, expr: &Expr);
    fn leave(&mut self, expr: &Expr, out: &Out<'_>);
    /// The expressions that follow are evaluated for this element; `None` ends that.
    fn element(&mut self, index: Option<usize>);
}

/// Sees nothing.
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
