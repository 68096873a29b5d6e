//! The variables that a rule reads, and their scopes.

use crate::expr::{Expr, ExprKind, Path};
use crate::op::Op;

/// One read of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarUse {
    /// The path, split; empty for the whole data and for a path computed at evaluation.
    pub path: Vec<String>,
    /// JSON Pointer into the rule.
    pub pointer: String,
    /// True if the rule has a default for it.
    pub has_default: bool,
    /// True if the path is computed at evaluation.
    pub dynamic: bool,
    /// True if it reads an element of an array rather than the context itself.
    pub scoped: bool,
    /// True if it is a key of `missing` or `missing_some`.
    pub asked: bool,
}

pub(crate) fn collect(root: &Expr) -> Vec<VarUse> {
    let mut uses = Vec::new();
    walk(root, false, &mut uses);
    uses
}

fn walk(expr: &Expr, scoped: bool, uses: &mut Vec<VarUse>) {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::List(_) => {}
        ExprKind::Var(var) => {
            let (path, dynamic) = match &var.path {
                Path::Whole => (Vec::new(), false),
                Path::Fields(segments) => (segments.clone(), false),
                Path::Computed(_) => (Vec::new(), true),
            };
            let has_default = var.default.is_some();
            let pointer = expr.pointer.clone();
            uses.push(VarUse { path, pointer, has_default, dynamic, scoped, asked: false });
        }
        ExprKind::Call { op, args } => {
            if matches!(op, Op::Missing | Op::MissingSome) {
                let skip = usize::from(*op == Op::MissingSome);
                for arg in args.iter().skip(skip) {
                    keys(arg, scoped, uses);
                }
            }
        }
    }
    let iterates = matches!(&expr.kind, ExprKind::Call { op, .. } if op.iterates());
    for (i, child) in expr.children().into_iter().enumerate() {
        walk(child, scoped || (iterates && i == 1), uses);
    }
}

/// Returns the literal keys. A computed key is treated as a dynamic read.
fn keys(arg: &Expr, scoped: bool, uses: &mut Vec<VarUse>) {
    let mut push = |path: Vec<String>, dynamic| {
        let pointer = arg.pointer.clone();
        uses.push(VarUse { path, pointer, has_default: true, dynamic, scoped, asked: true });
    };
    match &arg.kind {
        ExprKind::Literal(key) => {
            let text = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
            push(text.split('.').map(str::to_owned).collect(), false);
        }
        ExprKind::List(items) => {
            for item in items {
                keys(item, scoped, uses);
            }
        }
        ExprKind::Var(_) | ExprKind::Call { .. } => push(Vec::new(), true),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Mode, Program};
    use serde_json::json;

    #[test]
    fn every_read_is_listed_with_its_scope() {
        let rule = json!({"and": [
            {"some": [{"var": "items"}, {">": [{"var": "price"}, {"var": ["x", 1]}]}]},
            {"==": [{"var": {"cat": ["a", {"var": "k"}]}}, {"missing": ["m.n"]}]}
        ]});
        let seen: Vec<String> = Program::compile(&rule, Mode::Strict)
            .unwrap()
            .variables()
            .iter()
            .map(|u| {
                let flags =
                    [(u.scoped, " scoped"), (u.dynamic, " dynamic"), (u.has_default, " default"), (u.asked, " asked")];
                let flags: String = flags.iter().filter(|f| f.0).map(|f| f.1).collect();
                format!("{} at {}{flags}", u.path.join("."), u.pointer)
            })
            .collect();
        assert_eq!(
            seen,
            [
                "items at /and/0/some/0",
                "price at /and/0/some/1/>/0 scoped",
                "x at /and/0/some/1/>/1 scoped default",
                " at /and/1/==/0 dynamic",
                "k at /and/1/==/0/var/cat/1",
                "m.n at /and/1/==/1/missing/0 default asked",
            ]
        );
    }
}
