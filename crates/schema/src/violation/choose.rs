//! The choice of the variant of a union that a value was meant to be.

use crate::shared::{REFERENCE, Target, Targets};
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;
use std::sync::Arc;

/// References that are followed from a variant.
const DEEPEST: usize = 8;

/// A variant with its objections to a value.
pub(super) struct Marked {
    pub(super) marks: Vec<Mark>,
    /// True if a key of the value names this variant.
    pub(super) named: bool,
}

/// One objection of a variant to a value.
pub(super) struct Mark {
    at: String,
    about: About,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// Another type.
    Type,
    /// A value that is not one of those listed.
    Choice,
    /// A missing or unknown key.
    Keys,
    Other,
}

impl Mark {
    pub(super) fn of(kind: &ValidationErrorKind, at: String) -> Self {
        let about = match kind {
            ValidationErrorKind::Type { .. } => About::Type,
            ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. } => About::Choice,
            ValidationErrorKind::Required { .. } | ValidationErrorKind::AdditionalProperties { .. } => About::Keys,
            _ => About::Other,
        };
        Self { at, about }
    }

    pub(super) fn other(at: String) -> Self {
        Self { at, about: About::Other }
    }
}

/// The variant that a value is closest to, and true if it is the only one with the same type, named by a key of the
/// value, or with the same keys.
pub(super) fn closest(variants: &[Marked], pointer: &str) -> Option<(usize, bool)> {
    let depth = |pointer: &str| pointer.matches('/').count();
    let own = depth(pointer);
    let other_type =
        |variant: &Marked| variant.marks.iter().any(|mark| mark.about == About::Type && mark.at == pointer);
    let other_kind =
        |variant: &Marked| variant.marks.iter().any(|mark| mark.about == About::Choice && depth(&mark.at) <= own + 1);
    let numbered = || variants.iter().enumerate();
    let of_type: Vec<_> = numbered().filter(|(_, variant)| !other_type(variant)).collect();
    let of_kind: Vec<_> = of_type.iter().copied().filter(|(_, variant)| !other_kind(variant)).collect();
    let other_keys =
        |variant: &Marked| variant.marks.iter().any(|mark| mark.about == About::Keys && mark.at == pointer);
    let of_keys: Vec<_> = of_kind.iter().copied().filter(|(_, variant)| !other_keys(variant)).collect();
    let named: Vec<_> = of_kind.iter().copied().filter(|(_, variant)| variant.named).collect();
    // The value fits variants with a kind except for its kind, which none of them lists. So one of those was meant,
    // not the variant without a kind.
    let but_for_kind = |variant: &Marked| variant.marks.iter().all(|mark| mark.about == About::Choice);
    if of_keys.is_empty()
        && named.is_empty()
        && let Some((near, _)) = of_type.iter().find(|(_, variant)| but_for_kind(variant))
    {
        return Some((*near, of_type.len() == 1));
    }
    match (of_kind.as_slice(), of_type.as_slice(), named.as_slice(), of_keys.as_slice()) {
        ([(only, _)], ..) | ([], [(only, _)], ..) | (_, _, [(only, _)], _) | (_, _, [], [(only, _)]) => {
            Some((*only, true))
        }
        _ => {
            let pool = if of_kind.is_empty() { of_type } else { of_kind };
            let pool = if pool.is_empty() { numbered().collect() } else { pool };
            pool.into_iter().min_by_key(|(_, variant)| variant.marks.len()).map(|(at, _)| (at, false))
        }
    }
}

/// Returns true if a key of an object has a value that a variant lists for it.
pub(super) fn is_named(targets: Option<&Arc<Targets>>, variant: &Arc<Target>, value: &Value) -> bool {
    let Some(map) = value.as_object() else { return false };
    let mut left = vec![(Arc::clone(variant), 0)];
    while let Some((target, depth)) = left.pop() {
        // Only the explanation depends on this: a target that does not resolve names nothing.
        let Ok(schema) = target.translated() else { continue };
        let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        for schema in parts.chain([schema]) {
            let listed = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            let says = |(name, schema): (&String, &Value)| map.get(name).is_some_and(|found| lists(schema, found));
            if listed.into_iter().any(says) {
                return true;
            }
            let next = schema.get(REFERENCE).and_then(Value::as_str).filter(|_| depth < DEEPEST);
            let next = next.and_then(|address| Some(targets?.target(address)));
            left.extend(next.map(|next| (next, depth + 1)));
        }
    }
    false
}

fn lists(schema: &Value, found: &Value) -> bool {
    let listed = schema.get("enum").and_then(Value::as_array).is_some_and(|values| values.contains(found));
    listed || schema.get("const") == Some(found)
}
