//! Cases in which json-logic-js compares as strict mode does: variables that surely exist and surely have the type that
//! they are compared with.

use serde_json::Value;

use crate::expr::{Expr, ExprKind, Path};
use crate::ty::{Lookup, Ty};

/// The condition under which the value of a compat subject can be reasoned about.
#[derive(Clone, Copy)]
pub(super) enum Want<'v> {
    Bool,
    Number,
    /// Of the type of this value, or null.
    Like(&'v Value),
    /// Anything but an array or an object, which are compared by identity.
    Scalar,
}

pub(super) fn fits(subject: &Expr, context: &Ty, want: Want<'_>) -> bool {
    let ExprKind::Var(var) = &subject.kind else { return false };
    let ty = match &var.path {
        Path::Fields(segments) => context.at(segments),
        Path::Whole | Path::Computed(_) => return false,
    };
    let Lookup::Found { ty, optional: false } = ty else { return false };
    ty.variants().iter().all(|variant| admits(variant, want))
}

fn admits(ty: &Ty, want: Want<'_>) -> bool {
    match ty {
        Ty::Any | Ty::Array(_) | Ty::Object { .. } | Ty::Union(_) => false,
        Ty::Null => match want {
            Want::Bool | Want::Number => false,
            Want::Like(_) | Want::Scalar => true,
        },
        Ty::Bool => match want {
            Want::Bool | Want::Scalar => true,
            Want::Number => false,
            Want::Like(value) => value.is_boolean() || value.is_null(),
        },
        Ty::Number { .. } => match want {
            Want::Number | Want::Scalar => true,
            Want::Bool => false,
            Want::Like(value) => value.is_number() || value.is_null(),
        },
        Ty::String { .. } => match want {
            Want::Scalar => true,
            Want::Bool | Want::Number => false,
            Want::Like(value) => value.is_string() || value.is_null(),
        },
    }
}
