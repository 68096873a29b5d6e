//! Comparisons: checks that two types can be compared, and that they can ever be equal.

use super::{Checker, FindingKind, Severity};
use crate::expr::{Expr, ExprKind};
use crate::mode::Mode;
use crate::op::Op;
use crate::shown::clip;
use crate::ty::Ty;

impl Checker {
    pub(super) fn equality(&mut self, expr: &Expr, op: Op, args: &[Expr], types: &[Ty]) {
        let ([_, _], [left, right]) = (args, types) else { return };
        let loose = matches!(op, Op::Equal | Op::NotEqual);
        if self.mode == Mode::Strict {
            let (good, bad) = pairs(left, right, comparable);
            match (loose, good, bad) {
                (true, true, true) => self.mixed(expr, op, left, right, Severity::Warning),
                (true, false, true) => return self.mixed(expr, op, left, right, Severity::Error),
                (false, _, _) if !pairs(left, right, same_kind).0 => {
                    let (left, right) = (left.to_string(), right.to_string());
                    let kind = FindingKind::NeverEqual { op: op.name(), left, right };
                    return self.report(expr, Severity::Warning, kind);
                }
                (true | false, _, _) => {}
            }
        }
        self.outside(expr, op, left, right);
    }

    pub(super) fn ordering(&mut self, expr: &Expr, op: Op, left: &Ty, right: &Ty) {
        if self.mode == Mode::Compat {
            return;
        }
        let (good, bad) = pairs(left, right, |a, b| {
            matches!((a, b), (Ty::Number { .. }, Ty::Number { .. }) | (Ty::String { .. }, Ty::String { .. }))
        });
        let expected = "two numbers or two strings".to_owned();
        let found = format!("{left} and {right}");
        let kind = FindingKind::TypeMismatch { op: op.name(), expected, found };
        match (good, bad) {
            (_, false) => {}
            (true, true) => self.report(expr, Severity::Warning, kind),
            (false, true) => self.report(expr, Severity::Error, kind),
        }
    }

    pub(super) fn membership(&mut self, op: Op, args: &[Expr], types: &[Ty]) {
        let ([needle, haystack], [sought, among]) = (args, types) else { return };
        let fits = |ty: &Ty| matches!(ty, Ty::String { .. } | Ty::Array(_));
        self.operand(haystack, op, among, fits, "a string or an array to look in");
        if among.variants().iter().any(|ty| matches!(ty, Ty::String { .. })) {
            let text = |ty: &Ty| matches!(ty, Ty::String { .. });
            self.operand(needle, op, sought, text, "a string to look for in a string");
        }
        if let ExprKind::List(items) = &haystack.kind {
            for item in items {
                if let ExprKind::Literal(value) = &item.kind {
                    self.outside(item, op, sought, &crate::ty::constant(value));
                }
            }
        }
    }

    /// Returns true for two closed sets of strings without a common member.
    fn outside(&mut self, at: &Expr, op: Op, left: &Ty, right: &Ty) {
        let (Ty::String { values: Some(a) }, Ty::String { values: Some(b) }) = (left, right) else {
            return;
        };
        if a.is_disjoint(b) {
            let (left, right) = (listed(a), listed(b));
            let kind = FindingKind::NeverEqual { op: op.name(), left, right };
            self.report(at, Severity::Error, kind);
        }
    }

    fn mixed(&mut self, expr: &Expr, op: Op, left: &Ty, right: &Ty, severity: Severity) {
        let expected = "two of one type".to_owned();
        let found = format!("{left} and {right}");
        self.report(expr, severity, FindingKind::TypeMismatch { op: op.name(), expected, found });
    }
}

fn listed(values: &std::collections::BTreeSet<String>) -> String {
    let names: Vec<String> = values.iter().take(5).map(|v| format!("`{}`", clip(v))).collect();
    let more = if values.len() > names.len() { ", …" } else { "" };
    let one_of = if values.len() > 1 { "one of " } else { "" };
    format!("{one_of}{}{more}", names.join(", "))
}

/// Returns whether any pair of alternatives passes, and whether any fails.
fn pairs(left: &Ty, right: &Ty, pass: fn(&Ty, &Ty) -> bool) -> (bool, bool) {
    let (mut good, mut bad) = (false, false);
    for a in left.variants() {
        for b in right.variants() {
            if *a == Ty::Any || *b == Ty::Any || pass(a, b) {
                good = true;
            } else {
                bad = true;
            }
        }
    }
    (good, bad)
}

fn comparable(a: &Ty, b: &Ty) -> bool {
    *a == Ty::Null || *b == Ty::Null || same_kind(a, b)
}

fn same_kind(a: &Ty, b: &Ty) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}
