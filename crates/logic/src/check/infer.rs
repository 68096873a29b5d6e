//! Type inference for every expression, from the leaves up.

use serde_json::Value;

use super::{Checker, FindingKind, Severity};
use crate::expr::{Expr, ExprKind, Path, Variable};
use crate::mode::Mode;
use crate::op::Op;
use crate::ty::{self, Lookup, Ty};

impl Checker {
    pub(super) fn infer(&mut self, expr: &Expr, scope: &Ty) -> Ty {
        match &expr.kind {
            ExprKind::Literal(value) => ty::constant(value),
            ExprKind::List(items) => {
                let items: Vec<Ty> = items.iter().map(|item| self.infer(item, scope)).collect();
                Ty::Array(Box::new(Ty::union(items)))
            }
            ExprKind::Var(var) => self.variable(expr, var, scope),
            ExprKind::Call { op, args } => self.call(expr, *op, args, scope),
        }
    }

    fn variable(&mut self, expr: &Expr, var: &Variable, scope: &Ty) -> Ty {
        let default = var.default.as_ref().map(|default| self.infer(default, scope));
        for extra in &var.ignored {
            self.infer(extra, scope);
        }
        let segments = match &var.path {
            Path::Whole => return scope.clone(),
            Path::Fields(segments) => segments,
            Path::Computed(path) => {
                self.infer(path, scope);
                self.report(expr, Severity::Warning, FindingKind::DynamicVariable);
                return Ty::Any;
            }
        };
        match (scope.at(segments), default) {
            (Lookup::Open, _) => Ty::Any,
            (Lookup::Found { ty, optional: false }, _) => ty.into_owned(),
            (Lookup::Found { ty, optional: true }, Some(default)) => ty.into_owned().join(default),
            (Lookup::Found { ty, optional: true }, None) => match self.mode {
                Mode::Strict => {
                    let path = segments.join(".");
                    self.report(expr, Severity::Warning, FindingKind::MaybeMissing { path });
                    ty.into_owned()
                }
                Mode::Compat => ty.into_owned().join(Ty::Null),
            },
            (Lookup::Unknown { suggestion }, default) => {
                // A string has parts in compat mode, which the type does not describe.
                let part = segments.last().is_some_and(|s| s == "length" || s.parse::<u32>().is_ok());
                if self.mode == Mode::Strict || !part {
                    let severity = match default {
                        Some(_) => Severity::Warning,
                        None => Severity::Error,
                    };
                    let path = segments.join(".");
                    self.report(expr, severity, FindingKind::UnknownVariable { path, suggestion });
                }
                default.unwrap_or(Ty::Any)
            }
        }
    }

    fn call(&mut self, expr: &Expr, op: Op, args: &[Expr], scope: &Ty) -> Ty {
        if op.iterates() {
            return self.iterate(expr, op, args, scope);
        }
        let types: Vec<Ty> = args.iter().map(|arg| self.infer(arg, scope)).collect();
        match op {
            Op::And | Op::Or => {
                self.each(args, &types, Checker::boolean);
                self.connected(types)
            }
            Op::Not | Op::Truthy => {
                self.each(args, &types, Checker::boolean);
                Ty::Bool
            }
            Op::If => self.choice(args, types),
            Op::Equal | Op::NotEqual | Op::StrictEqual | Op::StrictNotEqual => {
                self.equality(expr, op, args, &types);
                Ty::Bool
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                for pair in types.windows(2) {
                    if let [left, right] = pair {
                        self.ordering(expr, op, left, right);
                    }
                }
                Ty::Bool
            }
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder | Op::Max | Op::Min => {
                for (arg, ty) in args.iter().zip(&types) {
                    self.operand(arg, op, ty, |ty| matches!(ty, Ty::Number { .. }), "numbers");
                }
                self.strictly(Ty::NUMBER)
            }
            Op::Merge => Ty::Array(Box::new(Ty::union(types.into_iter().map(flat)))),
            Op::In => {
                self.membership(op, args, &types);
                Ty::Bool
            }
            Op::Cat => {
                let fits = |ty: &Ty| matches!(ty, Ty::Number { .. } | Ty::String { .. });
                for (arg, ty) in args.iter().zip(&types) {
                    self.operand(arg, op, ty, fits, "strings and numbers");
                }
                Ty::STRING
            }
            Op::Substr => {
                self.cutting(op, args, &types);
                Ty::STRING
            }
            Op::Missing | Op::MissingSome => self.missing(op, args, &types, scope),
            Op::Log => types.into_iter().next().unwrap_or(Ty::Any),
            // Handled above: their bodies have a scope of their own.
            Op::Map | Op::Reduce | Op::Filter | Op::All | Op::None | Op::Some => Ty::Any,
        }
    }

    fn each(&mut self, args: &[Expr], types: &[Ty], demand: fn(&mut Checker, &Expr, &Ty)) {
        for (arg, ty) in args.iter().zip(types) {
            demand(self, arg, ty);
        }
    }

    /// In compat mode a connective returns one of its operands.
    fn connected(&self, types: Vec<Ty>) -> Ty {
        match self.mode {
            Mode::Strict => Ty::Bool,
            Mode::Compat => Ty::union(types),
        }
    }

    /// Returns true for a result type that coercion could not change.
    fn strictly(&self, ty: Ty) -> Ty {
        match self.mode {
            Mode::Strict => ty,
            Mode::Compat => Ty::Any,
        }
    }

    fn choice(&mut self, args: &[Expr], types: Vec<Ty>) -> Ty {
        let last = args.len().saturating_sub(1);
        for (i, (arg, ty)) in args.iter().zip(&types).enumerate() {
            if i % 2 == 0 && i < last {
                self.boolean(arg, ty);
            }
        }
        let branches = types.into_iter().enumerate().filter(|(i, _)| i % 2 == 1 || *i == last);
        match (self.mode, args.len() % 2) {
            (Mode::Compat, 0) => Ty::union(branches.map(|(_, ty)| ty)).join(Ty::Null),
            (Mode::Compat | Mode::Strict, _) => Ty::union(branches.map(|(_, ty)| ty)),
        }
    }

    /// Requires a type of one operand.
    pub(super) fn operand(&mut self, arg: &Expr, op: Op, ty: &Ty, accepts: fn(&Ty) -> bool, expected: &str) {
        let (op, expected, found) = (op.name(), expected.to_owned(), ty.to_string());
        self.demand(arg, ty, accepts, FindingKind::TypeMismatch { op, expected, found });
    }

    fn cutting(&mut self, op: Op, args: &[Expr], types: &[Ty]) {
        for (i, (arg, ty)) in args.iter().zip(types).enumerate() {
            if i == 0 {
                self.operand(arg, op, ty, |ty| matches!(ty, Ty::String { .. }), "a string to cut");
                continue;
            }
            let expected = "whole numbers as positions";
            self.operand(arg, op, ty, |ty| matches!(ty, Ty::Number { .. }), expected);
            // A type does not say that a number is whole; only a constant does.
            let whole = matches!(&arg.kind, ExprKind::Literal(Value::Number(n)) if n.is_i64());
            if self.mode == Mode::Strict && !whole && *ty != Ty::Any {
                let (op, expected, found) = (op.name(), expected.to_owned(), ty.to_string());
                let kind = FindingKind::TypeMismatch { op, expected, found };
                self.report(arg, Severity::Warning, kind);
            }
        }
    }
}

/// Returns the element types that an argument of `merge` adds.
fn flat(ty: Ty) -> Ty {
    Ty::union(ty.variants().iter().map(|variant| match variant {
        Ty::Array(item) => (**item).clone(),
        Ty::Any | Ty::Null | Ty::Bool | Ty::Number { .. } | Ty::String { .. } | Ty::Object { .. } | Ty::Union(_) => {
            variant.clone()
        }
    }))
}
