//! Atoms of a conjunction: facts about the value of an expression, and claims that are only known to be the same as, or
//! the opposite of, another claim.

use crate::expr::Expr;
use crate::mode::Mode;

use super::domain::Domain;

/// An atom of a conjunction.
#[derive(Clone, Debug)]
pub(super) enum Atom<'p> {
    /// The value of an expression lies in a domain.
    Fact(Fact<'p>),
    /// A claim holds, or does not.
    Claim(Claim<'p>),
}

/// The value of `subject` lies in `domain`.
#[derive(Clone, Debug)]
pub(super) struct Fact<'p> {
    pub(super) subject: &'p Expr,
    pub(super) domain: Domain<'p>,
    pub(super) source: Source<'p>,
}

/// A claim about one or two expressions that holds or not.
#[derive(Clone, Debug)]
pub(super) struct Claim<'p> {
    pub(super) mode: Mode,
    pub(super) about: About<'p>,
    pub(super) holds: bool,
    pub(super) source: Source<'p>,
}

/// The subject of a claim, in one form for all spellings.
#[derive(Clone, Copy, Debug)]
pub(super) enum About<'p> {
    Whole(&'p Expr),
    Equal(&'p Expr, &'p Expr),
    Exact(&'p Expr, &'p Expr),
    Less(&'p Expr, &'p Expr),
    LessEqual(&'p Expr, &'p Expr),
}

/// The expression that an atom came from, and whether it was asserted or denied; for messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'p> {
    pub(super) expr: &'p Expr,
    pub(super) holds: bool,
}

impl Claim<'_> {
    /// Returns true if one claim asserts what the other denies.
    pub(super) fn contradicts(&self, other: &Claim<'_>) -> bool {
        self.mode == other.mode && self.holds != other.holds && self.about.same(other.about)
    }
}

impl About<'_> {
    fn same(self, other: About<'_>) -> bool {
        match (self, other) {
            (About::Whole(a), About::Whole(b)) => a.same(b),
            (About::Less(a, b), About::Less(c, d)) | (About::LessEqual(a, b), About::LessEqual(c, d)) => {
                a.same(c) && b.same(d)
            }
            (About::Equal(a, b), About::Equal(c, d)) | (About::Exact(a, b), About::Exact(c, d)) => {
                (a.same(c) && b.same(d)) || (a.same(d) && b.same(c))
            }
            (About::Whole(_) | About::Equal(..) | About::Exact(..) | About::Less(..) | About::LessEqual(..), _) => {
                false
            }
        }
    }
}
