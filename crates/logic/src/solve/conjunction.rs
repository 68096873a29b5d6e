//! Satisfiability of a conjunction, with the reason if it cannot hold.

use std::borrow::Cow;

use super::atom::{Atom, Claim, Fact};
use super::domain::Domain;
use super::words;
use crate::expr::{Expr, ExprKind, Path};
use crate::ty::{Lookup, Ty};

/// The reason why a conjunction cannot hold.
pub(super) enum Clash<'c, 'p> {
    /// No value of the subject satisfies these facts.
    Facts(Vec<&'c Fact<'p>>),
    /// One claim denies the other.
    Claims(&'c Claim<'p>, &'c Claim<'p>),
}

/// Finds a contradiction, if the solver can see one.
pub(super) fn clash<'c, 'p>(atoms: &[&'c Atom<'p>], context: &'p Ty) -> Option<Clash<'c, 'p>> {
    let mut known: Vec<(&Expr, Domain<'_>)> = Vec::new();
    let mut claims: Vec<&Claim<'_>> = Vec::new();
    for atom in atoms {
        match atom {
            Atom::Fact(fact) => {
                let at = known.iter_mut().find(|(subject, _)| subject.same(fact.subject));
                let empty = match at {
                    Some((_, domain)) => {
                        domain.meet(&fact.domain);
                        domain.is_none()
                    }
                    None => {
                        let mut domain = possible(fact.subject, context);
                        domain.meet(&fact.domain);
                        let empty = domain.is_none();
                        known.push((fact.subject, domain));
                        empty
                    }
                };
                if empty {
                    return Some(Clash::Facts(about(atoms, fact.subject)));
                }
            }
            Atom::Claim(claim) => {
                if let Some(other) = claims.iter().find(|other| claim.contradicts(other)) {
                    return Some(Clash::Claims(other, claim));
                }
                claims.push(claim);
            }
        }
    }
    None
}

fn about<'c, 'p>(atoms: &[&'c Atom<'p>], subject: &Expr) -> Vec<&'c Fact<'p>> {
    atoms
        .iter()
        .filter_map(|atom| match atom {
            Atom::Fact(fact) if fact.subject.same(subject) => Some(fact),
            Atom::Fact(_) | Atom::Claim(_) => None,
        })
        .collect()
}

/// Returns the values that an expression can have on contexts of this type.
fn possible<'p>(subject: &'p Expr, context: &'p Ty) -> Domain<'p> {
    let ExprKind::Var(var) = &subject.kind else { return Domain::ALL };
    let lookup = match &var.path {
        Path::Fields(segments) => context.at(segments),
        Path::Whole | Path::Computed(_) => return Domain::ALL,
    };
    match (lookup, &var.default) {
        (Lookup::Open, _) => Domain::ALL,
        (Lookup::Found { ty, optional: false }, _) | (Lookup::Found { ty, .. }, None) => match ty {
            Cow::Borrowed(ty) => Domain::of(ty),
            // A type that is built here does not live long enough to lend its strings.
            Cow::Owned(_) => Domain::ALL,
        },
        // If the default may apply, any of its values may.
        (Lookup::Found { optional: true, .. } | Lookup::Unknown { .. }, Some(_)) => Domain::ALL,
        // A variable that cannot exist is an error wherever it is read.
        (Lookup::Unknown { .. }, None) => Domain::NONE,
    }
}

/// Describes the clash in words.
pub(super) fn reason(clash: &Clash<'_, '_>, context: &Ty) -> String {
    match clash {
        Clash::Claims(a, b) => {
            format!("{} and {} contradict each other", words::said(a.source), words::said(b.source))
        }
        Clash::Facts(facts) => {
            let least = fewest(facts, context);
            let mut said: Vec<String> = least.iter().map(|fact| words::said(fact.source)).collect();
            // The two halves of a between are described in the same words.
            said.dedup();
            let allowed = least.first().and_then(|fact| words::allowed(fact.subject, context));
            match (said.as_slice(), allowed) {
                ([one], Some(allowed)) => format!("{one} cannot hold: {allowed}"),
                ([one], None) => format!("{one} cannot hold"),
                (many, _) => format!("{} cannot hold together", many.join(" and ")),
            }
        }
    }
}

/// Returns the smallest part of the facts that already clashes: one, two, or else all.
fn fewest<'c, 'p>(facts: &[&'c Fact<'p>], context: &Ty) -> Vec<&'c Fact<'p>> {
    let clashes = |some: &[&Fact<'_>]| {
        let Some(first) = some.first() else { return false };
        let mut domain = possible(first.subject, context);
        for fact in some {
            domain.meet(&fact.domain);
        }
        domain.is_none()
    };
    for fact in facts {
        if clashes(&[*fact]) {
            return vec![*fact];
        }
    }
    for (i, a) in facts.iter().enumerate() {
        for b in facts.iter().skip(i + 1) {
            if clashes(&[*a, *b]) {
                return vec![*a, *b];
            }
        }
    }
    facts.to_vec()
}
