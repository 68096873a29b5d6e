//! The possible changes of a predicate when one number in it changes, errors included.
//!
//! `deed_logic::threshold` tells how a comparison changes with its number. For a whole rule that proves too little: a
//! number in an `or` can hide a part that used to fail, and only this module knows how a failure compares with an
//! outcome. So each predicate is followed upwards with all pairs of truth values, before and after, that some context
//! may see. A part after the number may hold, not hold or fail.

use deed_logic::{Expr, ExprKind, Mode, Monotone, Op, Program, threshold};
use serde_json::{Number, Value};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The result of a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Truth {
    /// It holds.
    Holds,
    /// It does not hold.
    Fails,
    /// It could not be evaluated.
    Errs,
}

use Truth::{Errs, Fails, Holds};

/// Before and after, for one context.
pub(super) type Step = (Truth, Truth);

/// A number in a predicate and the direction of its change.
pub(super) struct Move<'a> {
    /// The predicate.
    pub(super) predicate: &'a Value,
    /// The mode of the predicate.
    pub(super) mode: Mode,
    /// JSON Pointer to the number, from the predicate.
    pub(super) pointer: &'a str,
}

impl Move<'_> {
    /// Returns the direction of `to` relative to the present number; `None` if there is no number.
    pub(super) fn way(&self, to: &Number) -> Option<Ordering> {
        match self.predicate.pointer(self.pointer)? {
            Value::Number(from) => super::number::movement(from, to),
            _ => None,
        }
    }

    /// Returns every pair that some context may see when the number changes that way, or the reason why they cannot be
    /// determined.
    pub(super) fn steps(&self, way: Ordering) -> Result<BTreeSet<Step>, String> {
        let program = Program::compile(self.predicate, self.mode)
            .map_err(|_| "the predicate has faults of its own".to_owned())?;
        let mut above = path(program.root(), self.pointer);
        above.pop();
        let comparison = above.pop().ok_or("the number is itself the condition")?;
        let mut steps = self.comparison(comparison, way)?;
        let mut inner = comparison;
        let mut variable_cost = false;
        for outer in above.into_iter().rev() {
            let (op, rest) = after(outer, inner).ok_or("the number stands where it has no direction")?;
            variable_cost |= !rest.is_empty();
            steps = lift(op, !rest.is_empty(), &steps)?;
            inner = outer;
        }
        // Skipping a part leaves more steps for the others: if the cost depends on the size of the data, an evaluation
        // near its limit may start or cease to fail.
        if variable_cost && grows_with_data(program.root()) {
            steps.extend([(Errs, Holds), (Errs, Fails), (Holds, Errs), (Fails, Errs)]);
        }
        Ok(steps)
    }

    /// Returns the pairs of the comparison itself. Its errors depend only on the other operands.
    fn comparison(&self, comparison: &Expr, way: Ordering) -> Result<BTreeSet<Step>, String> {
        let operands = comparison.children().len();
        if self.mode == Mode::Compat && operands != 2 {
            return Err("a comparison of three stops early in `jsonlogic-compat`".to_owned());
        }
        let unfollowed = || "the pointer does not follow the rule".to_owned();
        let inside = self.pointer.strip_prefix(comparison.pointer.as_str()).ok_or_else(unfollowed)?;
        let source = self.predicate.pointer(&comparison.pointer).ok_or_else(unfollowed)?;
        let grows = match threshold(source, inside) {
            Monotone::GrowsWhenLowered => Ordering::Less,
            Monotone::GrowsWhenRaised => Ordering::Greater,
            Monotone::Unproven(reason) => return Err(reason.to_owned()),
        };
        let moved = match way {
            Ordering::Equal => None,
            way if way == grows => Some((Fails, Holds)),
            Ordering::Less | Ordering::Greater => Some((Holds, Fails)),
        };
        Ok(unmoved().into_iter().chain(moved).collect())
    }
}

fn unmoved() -> BTreeSet<Step> {
    BTreeSet::from([(Holds, Holds), (Fails, Fails), (Errs, Errs)])
}

/// Returns the expressions from the root down to the one at a pointer.
fn path<'e>(root: &'e Expr, pointer: &str) -> Vec<&'e Expr> {
    let mut path = vec![root];
    let mut here = root;
    while let Some(next) = here.children().into_iter().find(|child| leads_to(&child.pointer, pointer)) {
        path.push(next);
        here = next;
    }
    path
}

fn leads_to(prefix: &str, pointer: &str) -> bool {
    pointer.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the operator of `outer` and the arguments that it evaluates after `inner`.
fn after<'e>(outer: &'e Expr, inner: &Expr) -> Option<(Op, &'e [Expr])> {
    let ExprKind::Call { op, args } = &outer.kind else {
        return None;
    };
    let place = args.iter().position(|arg| arg.pointer == inner.pointer)?;
    Some((*op, args.get(place + 1..)?))
}

/// Returns the pairs one level up. Parts before the number are the same before and after, so they add nothing.
fn lift(op: Op, has_rest: bool, steps: &BTreeSet<Step>) -> Result<BTreeSet<Step>, String> {
    let meets: fn(Truth, Truth) -> Truth = match op {
        Op::And => |here, rest| if here == Holds { rest } else { here },
        Op::Or => |here, rest| if here == Fails { rest } else { here },
        Op::Not => return Ok(steps.iter().map(|(a, b)| (negated(*a), negated(*b))).collect()),
        Op::Truthy => return Ok(steps.clone()),
        other => return Err(format!("the number stands under `{other}`, which has no direction")),
    };
    if !has_rest {
        return Ok(steps.clone());
    }
    let each = |step: &Step| {
        let (before, after) = *step;
        [Holds, Fails, Errs].map(|rest| (meets(before, rest), meets(after, rest)))
    };
    Ok(steps.iter().flat_map(each).chain(unmoved()).collect())
}

fn negated(truth: Truth) -> Truth {
    match truth {
        Holds => Fails,
        Fails => Holds,
        Errs => Errs,
    }
}

/// Returns true if an evaluation takes longer the more data there is.
fn grows_with_data(expr: &Expr) -> bool {
    let here = match &expr.kind {
        ExprKind::Call { op: Op::In, args } => args.get(1).is_none_or(|list| list.constant().is_none()),
        ExprKind::Call { op, .. } => {
            op.iterates() || matches!(op, Op::Merge | Op::Cat | Op::Substr | Op::Missing | Op::MissingSome)
        }
        ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Var(_) => false,
    };
    here || expr.children().into_iter().any(grows_with_data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(predicate: Value, pointer: &str, way: Ordering, extra: &[Step]) {
        let moved = Move { predicate: &predicate, mode: Mode::Strict, pointer };
        let expected: BTreeSet<Step> = unmoved().into_iter().chain(extra.iter().copied()).collect();
        assert_eq!(moved.steps(way), Ok(expected), "{predicate} at {pointer}");
    }

    #[test]
    fn a_comparison_moves_one_way() {
        let over = json!({">": [{"var": "x"}, 3]});
        check(over.clone(), "/>/1", Ordering::Less, &[(Fails, Holds)]);
        check(over.clone(), "/>/1", Ordering::Greater, &[(Holds, Fails)]);
        check(json!({"!": over}), "/!/>/1", Ordering::Less, &[(Holds, Fails)]);
    }

    #[test]
    fn what_stands_before_the_number_adds_nothing() {
        let rule = json!({"and": [{"var": "a"}, {">": [{"var": "x"}, 3]}]});
        check(rule, "/and/1/>/1", Ordering::Less, &[(Fails, Holds)]);
    }

    #[test]
    fn what_stands_after_it_may_come_to_fail() {
        let over = json!({">": [{"var": "x"}, 3]});
        let and = json!({"and": [over, {"var": "a"}]});
        check(and, "/and/0/>/1", Ordering::Less, &[(Fails, Holds), (Fails, Errs)]);
        let or = json!({"or": [over, {"var": "a"}]});
        check(or.clone(), "/or/0/>/1", Ordering::Less, &[(Fails, Holds), (Errs, Holds)]);
        let both = json!({"and": [or, {"var": "b"}]});
        let hidden = [(Fails, Holds), (Errs, Holds), (Fails, Errs), (Errs, Fails)];
        check(both, "/and/0/or/0/>/1", Ordering::Less, &hidden);
    }

    #[test]
    fn a_list_that_grows_with_the_data_may_change_what_the_limit_stops() {
        let rule = json!({"and": [{">": [{"var": "x"}, 3]}, {"some": [{"var": "l"}, {"var": "ok"}]}]});
        let all = [(Fails, Holds), (Fails, Errs), (Errs, Holds), (Errs, Fails), (Holds, Errs)];
        check(rule, "/and/0/>/1", Ordering::Less, &all);
    }
}
