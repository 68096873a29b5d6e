//! Lookup of a path in a type.

use std::borrow::Cow;

use super::Ty;
use crate::suggest::nearest;
use crate::value::index;

/// The result of a lookup.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup<'t> {
    /// A value of this type, if it is there.
    Found {
        /// Its type; owned if several alternatives were joined.
        ty: Cow<'t, Ty>,
        /// True if it may be absent.
        optional: bool,
    },
    /// Nothing can be there.
    Unknown {
        /// The field that was probably intended.
        suggestion: Option<String>,
    },
    /// The type does not tell what is there, or if anything is.
    Open,
}

impl Ty {
    /// Looks up a path, by the rules of `var` in strict mode.
    pub fn at<S: AsRef<str>>(&self, path: &[S]) -> Lookup<'_> {
        let mut here = Lookup::Found { ty: Cow::Borrowed(self), optional: false };
        for segment in path {
            here = match here {
                Lookup::Found { ty: Cow::Borrowed(ty), optional } => maybe(ty.field(segment.as_ref()), optional),
                Lookup::Found { ty: Cow::Owned(ty), optional } => maybe(owned(ty.field(segment.as_ref())), optional),
                other @ (Lookup::Unknown { .. } | Lookup::Open) => return other,
            };
        }
        here
    }

    fn field(&self, name: &str) -> Lookup<'_> {
        match self {
            Ty::Any => Lookup::Open,
            Ty::Null | Ty::Bool | Ty::Number { .. } | Ty::String { .. } => Lookup::Unknown { suggestion: None },
            Ty::Array(item) => match (name, index(name)) {
                ("length", _) => {
                    let ty = Cow::Owned(Ty::Number { min: Some(0.0), max: None });
                    Lookup::Found { ty, optional: false }
                }
                (_, Some(_)) => Lookup::Found { ty: Cow::Borrowed(item), optional: true },
                (_, None) => Lookup::Unknown { suggestion: nearest(name, ["length"].into_iter()) },
            },
            Ty::Object { fields, required, open } => match fields.get(name) {
                Some(ty) => {
                    let optional = !required.contains(name);
                    Lookup::Found { ty: Cow::Borrowed(ty), optional }
                }
                None if *open => Lookup::Open,
                None => {
                    let suggestion = nearest(name, fields.keys().map(String::as_str));
                    Lookup::Unknown { suggestion }
                }
            },
            Ty::Union(variants) => {
                variants.iter().map(|variant| variant.field(name)).reduce(either).unwrap_or(Lookup::Open)
            }
        }
    }
}

fn maybe(lookup: Lookup<'_>, already: bool) -> Lookup<'_> {
    match lookup {
        Lookup::Found { ty, optional } => Lookup::Found { ty, optional: optional || already },
        other @ (Lookup::Unknown { .. } | Lookup::Open) => other,
    }
}

fn owned<'t>(lookup: Lookup<'_>) -> Lookup<'t> {
    match lookup {
        Lookup::Found { ty, optional } => Lookup::Found { ty: Cow::Owned(ty.into_owned()), optional },
        Lookup::Unknown { suggestion } => Lookup::Unknown { suggestion },
        Lookup::Open => Lookup::Open,
    }
}

/// Combines the lookups in two alternatives.
fn either<'t>(a: Lookup<'t>, b: Lookup<'t>) -> Lookup<'t> {
    match (a, b) {
        (Lookup::Open, _) | (_, Lookup::Open) => Lookup::Open,
        (Lookup::Unknown { suggestion: a }, Lookup::Unknown { suggestion: b }) => {
            Lookup::Unknown { suggestion: a.or(b) }
        }
        (Lookup::Found { ty, .. }, Lookup::Unknown { .. }) | (Lookup::Unknown { .. }, Lookup::Found { ty, .. }) => {
            Lookup::Found { ty, optional: true }
        }
        (Lookup::Found { ty: a, optional: x }, Lookup::Found { ty: b, optional: y }) => {
            let ty = Cow::Owned(a.into_owned().join(b.into_owned()));
            Lookup::Found { ty, optional: x || y }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(path: &str, expected: &str) {
        let ty = Ty::from_schema(&json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["user", "list"],
            "properties": {
                "user": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["role"],
                    "properties": {"role": {"type": "string"}, "age": {"type": "number"}}
                },
                "maybe": {"anyOf": [
                    {"type": "null"},
                    {"type": "object", "required": ["x"], "properties": {"x": {"type": "number"}},
                     "additionalProperties": false}
                ]},
                "list": {"type": "array", "items": {"type": "string"}},
                "free": {"type": "object"}
            }
        }));
        let segments: Vec<&str> = path.split('.').collect();
        let text = match ty.at(&segments) {
            Lookup::Found { ty, optional: true } => format!("{ty}?"),
            Lookup::Found { ty, optional: false } => ty.to_string(),
            Lookup::Unknown { suggestion } => format!("unknown {suggestion:?}"),
            Lookup::Open => "open".to_owned(),
        };
        assert_eq!(text, expected, "{path}");
    }

    #[test]
    fn paths_lead_where_the_type_says() {
        check("user.role", "a string");
        check("user.age", "a number?");
        check("user.rol", "unknown Some(\"role\")");
        check("user.role.x", "unknown None");
        check("usr", "unknown Some(\"user\")");
        check("maybe.x", "a number?");
        check("list.0", "a string?");
        check("list.length", "a number");
        check("list.x", "unknown None");
        check("free.x", "open");
        check("free.x.y", "open");
    }
}
