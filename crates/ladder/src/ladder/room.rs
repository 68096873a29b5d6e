//! Places that a schema has no room for, whatever the payload: a rule for one was meant for another.
//!
//! Only what is certain counts. An object has no room for a key if it lists others and closes itself; patterns,
//! conditions, negations and references to elsewhere leave room for anything.

use crate::excerpt::items;
use crate::place::{Place, Step};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

/// References, unions and steps on the way to one place.
const DEEPEST: usize = 200;

/// A step that no valid payload can take.
pub(super) struct NoRoom<'p> {
    /// The steps before it.
    pub(super) above: &'p [Step],
    /// The step.
    pub(super) step: &'p Step,
    /// The keys that there is room for instead.
    pub(super) known: BTreeSet<String>,
}

/// The first step of a place that the schema has no room for.
pub(super) fn no_room<'p>(schema: &Value, place: &'p Place) -> Option<NoRoom<'p>> {
    let Place::Path(steps) = place else { return None };
    let (mut above, mut left): (&[Step], &[Step]) = (&[], steps);
    while let Some((step, rest)) = left.split_first() {
        let way = items(steps, ..=above.len());
        if !Walk::of(schema).has_room(schema, way, DEEPEST) {
            let mut known = BTreeSet::new();
            Walk::of(schema).keys(schema, above, DEEPEST, &mut known);
            return Some(NoRoom { above, step, known });
        }
        (above, left) = (way, rest);
    }
    None
}

/// A subschema, and how many steps are left from it.
type Question = (usize, usize);

fn question(schema: &Value, way: &[Step]) -> Question {
    (std::ptr::from_ref(schema).addr(), way.len())
}

/// One way through a schema. Whatever is asked twice on it is answered once.
struct Walk<'s> {
    root: &'s Value,
    answers: RefCell<HashMap<Question, bool>>,
    seen: RefCell<HashSet<Question>>,
}

impl<'s> Walk<'s> {
    fn of(root: &'s Value) -> Self {
        Self { root, answers: RefCell::default(), seen: RefCell::default() }
    }

    fn has_room(&self, schema: &'s Value, way: &[Step], depth: usize) -> bool {
        let Value::Object(keywords) = schema else { return schema != &Value::Bool(false) };
        let Some(depth) = depth.checked_sub(1) else { return true };
        let question = question(schema, way);
        if let Some(answer) = self.answers.borrow().get(&question) {
            return *answer;
        }
        // What refers to itself alone rules nothing out.
        self.answers.borrow_mut().insert(question, true);
        let answer = self.leads(keywords, way, depth);
        self.answers.borrow_mut().insert(question, answer);
        answer
    }

    fn leads(&self, keywords: &'s Map<String, Value>, way: &[Step], depth: usize) -> bool {
        // What stands beside a reference counts in some dialects only.
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
            return self.target(target).is_none_or(|target| self.has_room(target, way, depth));
        }
        let Some((step, rest)) = way.split_first() else { return true };
        let below = |schema: &'s Value| self.has_room(schema, rest, depth);
        let own = (takes(keywords, "object") && in_object(keywords, step, &below))
            || (takes(keywords, "array") && in_list(keywords, step, &below));
        let parts = list(keywords, "allOf").iter().all(|part| self.has_room(part, way, depth));
        let unions = ["anyOf", "oneOf"].map(|keyword| list(keywords, keyword));
        let unions = unions.into_iter().filter(|variants| !variants.is_empty());
        own && parts && unions.into_iter().all(|variants| variants.iter().any(|v| self.has_room(v, way, depth)))
    }

    /// The keys that are listed at a place.
    fn keys(&self, schema: &'s Value, way: &[Step], depth: usize, found: &mut BTreeSet<String>) {
        let (Value::Object(keywords), Some(depth)) = (schema, depth.checked_sub(1)) else { return };
        if !self.seen.borrow_mut().insert(question(schema, way)) {
            return;
        }
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str).and_then(|target| self.target(target)) {
            self.keys(target, way, depth, found);
        }
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|keyword| list(keywords, keyword));
        parts.for_each(|part| self.keys(part, way, depth, found));
        let listed = keywords.get("properties").and_then(Value::as_object);
        match (way.split_first(), listed) {
            (None, Some(listed)) => found.extend(listed.keys().cloned()),
            (None, None) => {}
            (Some((step, rest)), listed) => {
                let named =
                    listed.into_iter().flatten().filter(|(name, _)| is_step(step, name)).map(|(_, inner)| inner);
                let others = ["items", "additionalProperties"].into_iter().filter_map(|keyword| keywords.get(keyword));
                named.chain(others).for_each(|inner| self.keys(inner, rest, depth, found));
            }
        }
    }

    fn target(&self, reference: &str) -> Option<&'s Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }
}

fn list<'s>(keywords: &'s Map<String, Value>, keyword: &str) -> &'s [Value] {
    keywords.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn is_step(step: &Step, name: &str) -> bool {
    match step {
        Step::Any => true,
        Step::Named(wanted) => wanted == name,
    }
}

/// Whether a value of a type may stand here, as far as `type` says.
fn takes(keywords: &Map<String, Value>, kind: &str) -> bool {
    match keywords.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => true,
    }
}

fn in_object<'s>(keywords: &'s Map<String, Value>, step: &Step, below: &dyn Fn(&'s Value) -> bool) -> bool {
    let listed = keywords.get("properties").and_then(Value::as_object);
    let mut named = listed.into_iter().flatten().filter(|(name, _)| is_step(step, name)).map(|(_, schema)| schema);
    match step {
        Step::Named(name) if listed.is_some_and(|listed| listed.contains_key(name)) => named.all(below),
        _ => {
            let by_form = keywords.get("patternProperties").and_then(Value::as_object).is_some_and(|f| !f.is_empty());
            by_form || named.any(below) || keywords.get("additionalProperties").is_none_or(below)
        }
    }
}

fn in_list<'s>(keywords: &'s Map<String, Value>, step: &Step, below: &dyn Fn(&'s Value) -> bool) -> bool {
    let is_index = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if matches!(step, Step::Named(name) if !is_index(name)) {
        return false;
    }
    match keywords.get("items") {
        Some(items) if !items.is_array() && !keywords.contains_key("prefixItems") => below(items),
        _ => true,
    }
}
