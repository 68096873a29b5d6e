//! Checks that a schema describes a place: a place that it does not describe is a typing error.
//!
//! An object or list that is not described further has room for any place, and so has a reference that cannot be followed.

use crate::error::AppError;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_schema::{Schema, Spot};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

/// References and parts on the way to one place.
const DEEPEST: usize = 200;
/// Keywords that describe what is in an object or list.
const DESCRIBING: [&str; 6] =
    ["properties", "patternProperties", "additionalProperties", "items", "prefixItems", "additionalItems"];

/// Refuses the first pointer that does not lead to a place of the payload.
pub(super) fn check(schema: &Schema, pointers: &[String]) -> Result<(), AppError> {
    if let Some(pointer) = pointers.iter().find(|pointer| !pointer.starts_with('/')) {
        return Err(refused(format!("{} is not a JSON pointer to a place of the payload", quote(pointer)), None));
    }
    let Ok(root) = schema.root() else { return Ok(()) };
    for pointer in pointers {
        let way: Vec<String> = Pointer::tokens(pointer).collect();
        let leads = |end: usize| Walk::default().has(&root, way.get(..end).unwrap_or_default(), DEEPEST);
        let missing = (1..=way.len()).find(|end| !leads(*end));
        let Some((step, above)) = missing.and_then(|end| way.get(..end)?.split_last()) else { continue };
        let mut names = BTreeSet::new();
        Walk::default().keys(&root, above, DEEPEST, &mut names);
        let near = did_you_mean(step, names.iter().map(String::as_str));
        let message = format!("the schema has no place {}: there is no {} in it", quote(pointer), quote(step));
        return Err(refused(message, near));
    }
    Ok(())
}

fn refused(message: String, help: Option<String>) -> AppError {
    AppError::usage(Diagnostic::error(codes::NOT_A_SERIALIZABLE_PLACE, message).stage("imprint").help_opt(help))
}

/// A walk through a schema. It remembers the answer for each subschema and number of remaining steps.
#[derive(Default)]
struct Walk {
    answers: RefCell<HashMap<(usize, usize), Option<bool>>>,
    seen: RefCell<HashSet<(usize, usize)>>,
}

impl Walk {
    fn has(&self, spot: &Spot<'_>, way: &[String], depth: usize) -> bool {
        self.describes(spot, way, depth).unwrap_or_else(|| takes_parts(spot.value()))
    }

    /// Returns whether a subschema leads to a place; none if it does not describe objects and lists.
    fn describes(&self, spot: &Spot<'_>, way: &[String], depth: usize) -> Option<bool> {
        let question = (spot.identity(), way.len());
        if let Some(answer) = self.answers.borrow().get(&question) {
            return *answer;
        }
        // A schema that refers only to itself describes nothing.
        self.answers.borrow_mut().insert(question, None);
        let answer = self.leads(spot, way, depth);
        self.answers.borrow_mut().insert(question, answer);
        answer
    }

    fn leads(&self, spot: &Spot<'_>, way: &[String], depth: usize) -> Option<bool> {
        if spot.value() == &Value::Bool(false) {
            return Some(false);
        }
        let Some((step, rest)) = way.split_first() else { return Some(true) };
        let Some(depth) = depth.checked_sub(1) else { return Some(true) };
        let Value::Object(keywords) = spot.value() else { return Some(true) };
        let mut said: Vec<Option<bool>> = Vec::new();
        if spot.is_dynamic() {
            return Some(true);
        }
        let describes = |part: &Spot<'_>| self.describes(part, way, depth);
        match spot.reference() {
            Some((_, Ok(target))) => said.push(describes(&target)),
            Some((_, Err(_))) => return Some(true),
            None => {}
        }
        let parts =
            spot.list("allOf").into_iter().chain(["if", "then", "else"].into_iter().filter_map(|k| spot.one(k)));
        said.extend(parts.map(|part| describes(&part)));
        let named = |keyword: &str| spot.named(keyword).into_iter();
        said.extend(named("dependentSchemas").chain(named("dependencies")).map(|(_, part)| describes(&part)));
        for variant in spot.list("anyOf").into_iter().chain(spot.list("oneOf")) {
            // A variant that is any object has room for every place.
            let free = variant.value().get("type").is_some() && takes_parts(variant.value());
            said.push(describes(&variant).or(free.then_some(true)));
        }
        if DESCRIBING.iter().any(|keyword| keywords.contains_key(*keyword)) {
            said.push(Some(children(spot, step).iter().any(|child| self.has(child, rest, depth))));
        }
        said.into_iter().flatten().reduce(|a, b| a || b)
    }

    /// The keys that are listed at a place.
    fn keys(&self, spot: &Spot<'_>, way: &[String], depth: usize, found: &mut BTreeSet<String>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if !self.seen.borrow_mut().insert((spot.identity(), way.len())) {
            return;
        }
        if let Some((_, Ok(target))) = spot.reference() {
            self.keys(&target, way, depth, found);
        }
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|keyword| spot.list(keyword));
        parts.for_each(|part| self.keys(&part, way, depth, found));
        match way.split_first() {
            None => found.extend(spot.named("properties").into_iter().map(|(name, _)| name.to_owned())),
            Some((step, rest)) => children(spot, step).iter().for_each(|child| self.keys(child, rest, depth, found)),
        }
    }
}

/// The subschemas for one step down.
fn children<'s>(spot: &Spot<'s>, step: &str) -> Vec<Spot<'s>> {
    let listed: Vec<Spot<'s>> =
        spot.named("properties").into_iter().filter(|(name, _)| *name == step).map(|(_, spot)| spot).collect();
    let mut found = listed;
    if found.is_empty() {
        found.extend(spot.named("patternProperties").into_iter().map(|(_, spot)| spot));
        found.extend(spot.one("additionalProperties"));
    }
    if step.bytes().all(|byte| byte.is_ascii_digit()) {
        found.extend(spot.list("prefixItems").into_iter().chain(spot.list("items")));
        found.extend(["items", "additionalItems"].into_iter().filter_map(|keyword| spot.one(keyword)));
    }
    found
}

/// Returns whether `type` allows an object or a list.
fn takes_parts(schema: &Value) -> bool {
    let holds = |name: &Value| name == "object" || name == "array";
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(holds),
        Some(name) => holds(name),
        None => schema != &Value::Bool(false),
    }
}
