//! Descriptions of atoms, for the reasons.

use serde_json::Value;

use super::atom::Source;
use crate::expr::{Expr, ExprKind, Path};
use crate::op::Op;
use crate::shown::{clip, shown};
use crate::ty::{Lookup, Ty};

/// Describes an assertion, with a denial expressed by the operator if possible.
pub(super) fn said(source: Source<'_>) -> String {
    match (&source.expr.kind, source.holds) {
        (ExprKind::Call { op, args }, holds) => match (relation(*op, holds), args.as_slice()) {
            (Some(relation), [a, b]) => format!("{} {relation} {}", term(a), term(b)),
            (_, args) => {
                let text = call(*op, args);
                if holds { text } else { format!("not {text}") }
            }
        },
        (ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Var(_), holds) => {
            format!("{} is {holds}", term(source.expr))
        }
    }
}

fn relation(op: Op, holds: bool) -> Option<&'static str> {
    Some(match (op, holds) {
        (Op::Equal, true) | (Op::NotEqual, false) => "==",
        (Op::Equal, false) | (Op::NotEqual, true) => "!=",
        (Op::StrictEqual, true) | (Op::StrictNotEqual, false) => "===",
        (Op::StrictEqual, false) | (Op::StrictNotEqual, true) => "!==",
        (Op::Less, true) | (Op::GreaterEqual, false) => "<",
        (Op::LessEqual, true) | (Op::Greater, false) => "<=",
        (Op::Greater, true) | (Op::LessEqual, false) => ">",
        (Op::GreaterEqual, true) | (Op::Less, false) => ">=",
        (Op::In, true) => "in",
        (Op::In, false) => "not in",
        (
            Op::Missing
            | Op::MissingSome
            | Op::If
            | Op::Not
            | Op::Truthy
            | Op::Or
            | Op::And
            | Op::Max
            | Op::Min
            | Op::Add
            | Op::Subtract
            | Op::Multiply
            | Op::Divide
            | Op::Remainder
            | Op::Map
            | Op::Reduce
            | Op::Filter
            | Op::All
            | Op::None
            | Op::Some
            | Op::Merge
            | Op::Cat
            | Op::Substr
            | Op::Log,
            _,
        ) => return None,
    })
}

fn term(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Literal(value) => shown(value),
        ExprKind::List(items) => match expr.constant() {
            Some(value) => shown(&value),
            None => format!("an array of {}", items.len()),
        },
        ExprKind::Var(var) => match &var.path {
            Path::Whole => "the whole data".to_owned(),
            Path::Fields(segments) => format!("`{}`", clip(&segments.join("."))),
            Path::Computed(_) => "a computed variable".to_owned(),
        },
        ExprKind::Call { op, args } => call(*op, args),
    }
}

fn call(op: Op, args: &[Expr]) -> String {
    match (relation(op, true), args) {
        (Some(_), [a, b, c]) => format!("{} {op} {} {op} {}", term(a), term(b), term(c)),
        _ => {
            let args: Vec<String> = args.iter().take(3).map(term).collect();
            format!("`{op}` of {}", clip(&args.join(", ")))
        }
    }
}

/// Describes the values that the context allows a variable to have, if it restricts them.
pub(super) fn allowed(subject: &Expr, context: &Ty) -> Option<String> {
    let ExprKind::Var(var) = &subject.kind else { return None };
    let Path::Fields(segments) = &var.path else { return None };
    let path = clip(&segments.join("."));
    match context.at(segments) {
        Lookup::Unknown { .. } => Some(format!("the context has no `{path}`")),
        Lookup::Open => None,
        Lookup::Found { ty, .. } => Some(match &*ty {
            Ty::String { values: Some(values) } => {
                let names: Vec<String> = values.iter().take(5).map(|v| shown(&Value::from(v.as_str()))).collect();
                let more = if values.len() > names.len() { ", …" } else { "" };
                format!("`{path}` is one of {}{more}", names.join(", "))
            }
            Ty::Number { min: Some(min), max: Some(max) } => {
                format!("`{path}` is between {min} and {max}")
            }
            Ty::Number { min: Some(min), max: None } => format!("`{path}` is at least {min}"),
            Ty::Number { min: None, max: Some(max) } => format!("`{path}` is at most {max}"),
            other => format!("`{path}` is {other}"),
        }),
    }
}
