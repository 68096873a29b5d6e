//! Iterations: the body is checked in the scope of an element.

use std::collections::{BTreeMap, BTreeSet};

use super::{Checker, FindingKind, Severity};
use crate::expr::Expr;
use crate::mode::Mode;
use crate::op::Op;
use crate::ty::Ty;

impl Checker {
    pub(super) fn iterate(&mut self, expr: &Expr, op: Op, args: &[Expr], scope: &Ty) -> Ty {
        let Some(over) = args.first() else { return Ty::Any };
        let ty = self.infer(over, scope);
        self.operand(over, op, &ty, |ty| matches!(ty, Ty::Array(_)), "an array");
        let element = element(&ty);
        let initial = args.get(2).map(|initial| self.infer(initial, scope));
        let Some(body) = args.get(1) else { return Ty::Any };
        if op == Op::Reduce {
            let initial = initial.unwrap_or(Ty::Null);
            return self.reduce(expr, body, &element, initial);
        }
        let result = self.infer(body, &element);
        if op == Op::Map {
            return Ty::Array(Box::new(result));
        }
        self.boolean(body, &result);
        if op == Op::Filter { Ty::Array(Box::new(element)) } else { Ty::Bool }
    }

    /// The accumulator starts as one type and becomes the type of the body; two passes show whether that is stable.
    fn reduce(&mut self, expr: &Expr, body: &Expr, element: &Ty, initial: Ty) -> Ty {
        // An initial constant says nothing about later values but their type.
        let mut accumulator = widened(initial);
        for _ in 0..2 {
            let result = widened(self.infer(body, &scope(element.clone(), accumulator.clone())));
            if result.within(&accumulator) {
                return accumulator;
            }
            accumulator = accumulator.join(result);
        }
        if self.mode == Mode::Strict {
            let (op, found) = (Op::Reduce.name(), accumulator.to_string());
            let expected = "an accumulator of one type".to_owned();
            let kind = FindingKind::TypeMismatch { op, expected, found };
            self.report(expr, Severity::Warning, kind);
        }
        Ty::Any
    }
}

fn widened(ty: Ty) -> Ty {
    Ty::union(ty.variants().iter().map(|variant| match variant {
        Ty::Number { .. } => Ty::NUMBER,
        Ty::String { .. } => Ty::STRING,
        Ty::Any | Ty::Null | Ty::Bool | Ty::Array(_) | Ty::Object { .. } | Ty::Union(_) => variant.clone(),
    }))
}

fn scope(current: Ty, accumulator: Ty) -> Ty {
    let names = ["current".to_owned(), "accumulator".to_owned()];
    let required = BTreeSet::from(names.clone());
    let fields: BTreeMap<String, Ty> = names.into_iter().zip([current, accumulator]).collect();
    Ty::Object { fields, required, open: false }
}

/// Returns the element type of those alternatives that are arrays.
fn element(ty: &Ty) -> Ty {
    Ty::union(ty.variants().iter().filter_map(|variant| match variant {
        Ty::Array(item) => Some((**item).clone()),
        Ty::Any => Some(Ty::Any),
        Ty::Null | Ty::Bool | Ty::Number { .. } | Ty::String { .. } | Ty::Object { .. } | Ty::Union(_) => None,
    }))
}
