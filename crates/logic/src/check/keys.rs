//! The keys of `missing` and `missing_some`.

use serde_json::Value;

use super::{Checker, FindingKind, Severity};
use crate::expr::{Expr, ExprKind};
use crate::op::Op;
use crate::ty::{Lookup, Ty};

impl Checker {
    pub(super) fn missing(&mut self, op: Op, args: &[Expr], types: &[Ty], scope: &Ty) -> Ty {
        for (i, (arg, ty)) in args.iter().zip(types).enumerate() {
            match (op, i) {
                (Op::MissingSome, 0) => {
                    let expected = "a number of paths that must be there";
                    self.operand(arg, op, ty, |ty| matches!(ty, Ty::Number { .. }), expected);
                }
                (Op::MissingSome, _) => {
                    let array = |ty: &Ty| matches!(ty, Ty::Array(_));
                    self.operand(arg, op, ty, array, "an array of paths");
                    self.keys(op, arg, ty, scope);
                }
                _ => self.keys(op, arg, ty, scope),
            }
        }
        Ty::Array(Box::new(Ty::STRING.join(Ty::NUMBER)))
    }

    fn keys(&mut self, op: Op, arg: &Expr, ty: &Ty, scope: &Ty) {
        let expected = "paths as strings or indices";
        match &arg.kind {
            ExprKind::Literal(Value::String(path)) => self.known(arg, path, scope),
            ExprKind::Literal(Value::Number(n)) if n.is_u64() => {}
            ExprKind::List(items) => {
                for item in items {
                    let ty = match &item.kind {
                        ExprKind::Literal(value) => crate::ty::constant(value),
                        ExprKind::List(_) | ExprKind::Var(_) | ExprKind::Call { .. } => Ty::Any,
                    };
                    self.keys(op, item, &ty, scope);
                }
            }
            ExprKind::Literal(_) => self.operand(arg, op, ty, |_| false, expected),
            ExprKind::Var(_) | ExprKind::Call { .. } => {
                self.report(arg, Severity::Warning, FindingKind::DynamicVariable);
            }
        }
    }

    /// Testing for a path that can never exist is not an error, but surely a mistake.
    fn known(&mut self, arg: &Expr, path: &str, scope: &Ty) {
        let segments: Vec<&str> = path.split('.').collect();
        if path.is_empty() {
            return;
        }
        if let Lookup::Unknown { suggestion } = scope.at(&segments) {
            let kind = FindingKind::UnknownVariable { path: path.to_owned(), suggestion };
            self.report(arg, Severity::Warning, kind);
        }
    }
}
