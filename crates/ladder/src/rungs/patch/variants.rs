//! Whether a schema has room for a value at a place, its unions opened.
//!
//! What a payload that fits no variant gets wrong is told of the union as a whole, so nothing is said of the places
//! within. Here they are asked one by one: some variant that the rest of the payload does not rule out must allow the
//! value at its place, and the nearest variant may not be farther away than before. What cannot be followed rules
//! nothing out.

use deed_canon::Pointer;
use deed_diag::Invariant as _;
use deed_schema::{Schema, Spot, Violation};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// References and unions on the way to one place.
const DEEPEST: usize = 200;
/// Faults of one variant that are counted.
const MOST_FAULTS: usize = 1_000;

/// Whether the value at a place of a payload is allowed there by at least one variant of every union above it, and each
/// of these unions is no worse off than it was.
pub(super) fn allow(schema: &Schema, before: &Value, after: &Value, at: &str) -> bool {
    let root = schema.root().invariant("a contract's schema has a root");
    Walk::of(schema).allows(&root, Two { before, after }, &way(at), DEEPEST)
}

/// Whether the value is allowed, and the object that holds it is nearer to a variant than it was.
pub(super) fn nearer(schema: &Schema, before: &Value, after: &Value, at: &str) -> bool {
    let root = schema.root().invariant("a contract's schema has a root");
    let walk = Walk::of(schema);
    walk.allows(&root, Two { before, after }, &way(at), DEEPEST)
        && walk.unions.borrow().iter().any(|((_, left), way)| *left == 1 && *way == Ordering::Less)
}

fn way(at: &str) -> Vec<String> {
    Pointer::tokens(at).collect()
}

/// A value as it was and as it would be.
#[derive(Clone, Copy)]
struct Two<'v> {
    before: &'v Value,
    after: &'v Value,
}

impl Two<'_> {
    fn step(self, step: &str) -> Option<Self> {
        Some(Self { before: child_value(self.before, step)?, after: child_value(self.after, step)? })
    }
}

/// One way through a schema. A subschema is asked once for each step that is left.
struct Walk<'s> {
    schema: &'s Schema,
    answers: RefCell<HashMap<(usize, usize), bool>>,
    /// By union: how far the nearest variant is, against how far it was.
    unions: RefCell<HashMap<(usize, usize), Ordering>>,
}

impl<'s> Walk<'s> {
    fn of(schema: &'s Schema) -> Self {
        Self { schema, answers: RefCell::default(), unions: RefCell::default() }
    }

    fn allows(&self, spot: &Spot<'s>, value: Two<'_>, way: &[String], depth: usize) -> bool {
        let Value::Object(keywords) = spot.value() else { return spot.value() != &Value::Bool(false) };
        let Some(depth) = depth.checked_sub(1) else { return true };
        let Some((step, rest)) = way.split_first() else {
            return self.schema.part_is_valid(spot, value.after).unwrap_or(true);
        };
        let question = (spot.identity(), way.len());
        if let Some(answer) = self.answers.borrow().get(&question) {
            return *answer;
        }
        // What refers to itself alone rules nothing out.
        self.answers.borrow_mut().insert(question, true);
        let answer = self.leads(spot, keywords, value, (step, rest, way), depth);
        self.answers.borrow_mut().insert(question, answer);
        answer
    }

    fn leads(
        &self,
        spot: &Spot<'s>,
        keywords: &'s Map<String, Value>,
        value: Two<'_>,
        (step, rest, way): (&str, &[String], &[String]),
        depth: usize,
    ) -> bool {
        if let Some((_, target)) = spot.reference() {
            let there = target.map_or(true, |target| self.allows(&target, value, way, depth));
            if !there || !spot.dialect().reference_has_siblings() {
                return there;
            }
        }
        let all = spot.list("allOf").iter().all(|part| self.allows(part, value, way, depth));
        let unions = ["anyOf", "oneOf"].into_iter().map(|keyword| spot.list(keyword)).filter(|list| !list.is_empty());
        let unions = unions.into_iter().all(|variants| {
            let open: Vec<&Spot<'s>> = variants.iter().filter(|v| !rules_out(v, value.after, step)).collect();
            let open = if open.is_empty() { variants.iter().collect() } else { open };
            open.into_iter().any(|variant| self.allows(variant, value, way, depth))
                && self.no_farther(&variants, value, way.len())
        });
        let branch = |keyword: &str| spot.one(keyword).is_none_or(|branch| self.allows(&branch, value, way, depth));
        let conditions = !keywords.contains_key("if") || branch("then") || branch("else");
        let own = child(keywords, value.after, step).map(|child| spot.within(child)).zip(value.step(step));
        all && unions && conditions && own.is_none_or(|(inner, value)| self.allows(&inner, value, rest, depth))
    }

    /// Whether the nearest variant is at least as near as it was.
    fn no_farther(&self, variants: &[Spot<'s>], value: Two<'_>, left: usize) -> bool {
        let question = (variants.first().map_or(0, Spot::identity), left);
        if let Some(known) = self.unions.borrow().get(&question) {
            return known.is_le();
        }
        let nearest = |value: &Value| {
            let faults = variants.iter().filter_map(|v| self.schema.part_violations(v, value, MOST_FAULTS));
            faults.map(|faults| faults.iter().map(part_of).collect::<HashSet<_>>().len()).min()
        };
        let compared = nearest(value.after).cmp(&nearest(value.before));
        self.unions.borrow_mut().insert(question, compared);
        compared.is_le()
    }
}

/// Whether another key of an object says that it is not of this variant.
fn rules_out(variant: &Spot<'_>, value: &Value, step: &str) -> bool {
    let target = variant.reference().and_then(|(_, target)| target.ok());
    let variant = target.as_ref().unwrap_or(variant).value();
    let Some(properties) = variant.get("properties").and_then(Value::as_object) else { return false };
    properties.iter().filter(|(name, _)| *name != step).any(|(name, schema)| {
        let Some(found) = value.get(name) else { return false };
        let other = schema.get("const").is_some_and(|only| only != found);
        other || schema.get("enum").and_then(Value::as_array).is_some_and(|values| !values.contains(found))
    })
}

/// The part of an object that is wrong: a union within it may say one thing of it or many.
fn part_of(fault: &Violation) -> &str {
    let inner = fault.pointer.split('/').nth(1);
    inner.or(fault.key.as_deref()).unwrap_or(&fault.message)
}

/// The subschema for one step down; none if nothing is said of it.
fn child<'s>(keywords: &'s Map<String, Value>, value: &Value, step: &str) -> Option<&'s Value> {
    if value.is_array() {
        let index = step.parse::<usize>().ok()?;
        let (items, first) = (keywords.get("items"), keywords.get("prefixItems").and_then(Value::as_array));
        return match (first, items) {
            (Some(first), items) => first.get(index).or(items),
            (None, Some(Value::Array(first))) => first.get(index).or_else(|| keywords.get("additionalItems")),
            (None, items) => items,
        };
    }
    let listed = keywords.get("properties").and_then(|properties| properties.get(step));
    let by_form = keywords.get("patternProperties").and_then(Value::as_object).is_some_and(|forms| !forms.is_empty());
    listed.or_else(|| keywords.get("additionalProperties").filter(|_| !by_form))
}

fn child_value<'v>(value: &'v Value, step: &str) -> Option<&'v Value> {
    match value {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        other => other.get(step),
    }
}
