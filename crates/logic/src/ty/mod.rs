//! Types of the evaluation context, which rules are checked against.

mod join;
mod lookup;
mod sample;
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub use lookup::Lookup;
pub(crate) use schema::constant;

/// The type of a value in the context. A type may be wider than the values that it describes, never narrower: every
/// analysis is sound for the values it admits.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// Anything at all.
    Any,
    /// Null.
    Null,
    /// True or false.
    Bool,
    /// A number, within inclusive bounds if they are known.
    Number {
        /// The minimum.
        min: Option<f64>,
        /// The maximum.
        max: Option<f64>,
    },
    /// A string, one of a closed set if it is known.
    String {
        /// The possible values.
        values: Option<BTreeSet<String>>,
    },
    /// An array of this type.
    Array(Box<Ty>),
    /// An object.
    Object {
        /// The fields that are known.
        fields: BTreeMap<String, Ty>,
        /// The fields that are always there.
        required: BTreeSet<String>,
        /// True if other fields may exist.
        open: bool,
    },
    /// One of several.
    Union(Vec<Ty>),
}

impl Ty {
    /// Any number.
    pub const NUMBER: Ty = Ty::Number { min: None, max: None };

    /// Any string.
    pub const STRING: Ty = Ty::String { values: None };

    /// Returns the alternatives of a union, or the type itself.
    pub(crate) fn variants(&self) -> &[Ty] {
        match self {
            Ty::Union(variants) => variants,
            Ty::Any
            | Ty::Null
            | Ty::Bool
            | Ty::Number { .. }
            | Ty::String { .. }
            | Ty::Array(_)
            | Ty::Object { .. } => std::slice::from_ref(self),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Any => f.write_str("anything"),
            Ty::Null => f.write_str("null"),
            Ty::Bool => f.write_str("a boolean"),
            Ty::Number { .. } => f.write_str("a number"),
            Ty::String { .. } => f.write_str("a string"),
            Ty::Array(_) => f.write_str("an array"),
            Ty::Object { .. } => f.write_str("an object"),
            Ty::Union(variants) => {
                for (i, variant) in variants.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" or ")?;
                    }
                    variant.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}
