//! A validator that keeps the target of each reference once.
//!
//! A reference becomes a keyword of our own that asks the validator of its target, built when it is first asked.
//! So a description whose schemas refer to each other a million ways over is as large as it is written. Only what
//! depends on annotations of the target (`unevaluatedProperties` and its like) cannot be judged this way.

use crate::dialect::Dialect;
use crate::refusal::Refused;
use crate::spot::Spot;
use crate::subschemas::{MANY, NAMED, ONE};
use crate::validator;
use jsonschema::{Keyword, Registry, ValidationError, Validator, uri};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// The keyword that stands for a reference.
pub(crate) const REFERENCE: &str = "x-deed-ref";

/// The validators of the targets of references, by address.
pub(crate) struct Targets {
    registry: Arc<Registry<'static>>,
    base: &'static str,
    dialect: Dialect,
    known: Mutex<HashMap<String, Arc<Target>>>,
}

/// One target, built when it is first asked.
pub(crate) struct Target {
    address: String,
    targets: Weak<Targets>,
    validator: OnceLock<Result<Validator, Refused>>,
    /// The addresses it refers to in turn.
    reaches: OnceLock<Vec<String>>,
}

impl Targets {
    pub(crate) fn new(registry: Arc<Registry<'static>>, base: &'static str, dialect: Dialect) -> Arc<Self> {
        Arc::new(Self { registry, base, dialect, known: Mutex::new(HashMap::new()) })
    }

    /// The documents.
    pub(crate) fn registry(&self) -> &Registry<'static> {
        &self.registry
    }

    /// The validator of a schema whose references lead into the registry.
    pub(crate) fn validator(self: &Arc<Self>, spot: &Spot<'_>) -> Result<Validator, Refused> {
        let targets = Arc::downgrade(self);
        validator::sharing(&translated(spot), self.dialect, move |address| target_of(&targets, address))
    }

    /// Refuses a schema if any target that it can reach cannot be built; each is built once for all schemas.
    pub(crate) fn sound(self: &Arc<Self>, spot: &Spot<'_>) -> Result<(), Refused> {
        let mut left = Vec::new();
        addresses(&translated(spot), &mut left);
        let mut seen = HashSet::new();
        while let Some(address) = left.pop() {
            if !seen.insert(address.clone()) {
                continue;
            }
            if let Some(target) = self.target(&address) {
                target.validator()?;
                left.extend(target.reaches.get().into_iter().flatten().cloned());
            }
        }
        Ok(())
    }

    /// The target at an address.
    pub(crate) fn target(self: &Arc<Self>, address: &str) -> Option<Arc<Target>> {
        target_of(&Arc::downgrade(self), address)
    }
}

fn target_of(targets: &Weak<Targets>, address: &str) -> Option<Arc<Target>> {
    let held = targets.upgrade()?;
    let mut known = held.known.lock().ok()?;
    let target = known.entry(address.to_owned()).or_insert_with(|| {
        Arc::new(Target {
            address: address.to_owned(),
            targets: targets.clone(),
            validator: OnceLock::new(),
            reaches: OnceLock::new(),
        })
    });
    Some(Arc::clone(target))
}

impl Target {
    pub(crate) fn validator(&self) -> Result<&Validator, Refused> {
        let built = self.validator.get_or_init(|| {
            let gone = || Refused::new(crate::Reason::MissingReference, "the schema of a reference is gone");
            let targets = self.targets.upgrade().ok_or_else(gone)?;
            let base = uri::from_str(targets.base).map_err(|error| validator::reference(&error))?;
            let resolver = targets.registry.resolver(base);
            let resolved = resolver.lookup(&self.address).map_err(|error| validator::reference(&error))?;
            let (value, resolver, _) = resolved.into_inner();
            let spot = Spot::new(value, resolver, targets.dialect);
            self.reaches.get_or_init(|| {
                let mut found = Vec::new();
                addresses(&translated(&spot), &mut found);
                found
            });
            targets.validator(&spot)
        });
        built.as_ref().map_err(Clone::clone)
    }
}

/// The keyword: valid if the target says so. A target that cannot be built says no.
pub(crate) struct Refers {
    pub(crate) address: String,
    pub(crate) target: Option<Arc<Target>>,
}

impl<'i> Keyword<'i> for Refers {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        // The words are found by asking the target; this only says whom to ask.
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(self.address.clone())) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let Some(_asking) = Asking::begin(self, instance) else {
            // It is being asked about this very value already: a schema that refers to itself alone asks for no more.
            return true;
        };
        self.target
            .as_ref()
            .and_then(|target| target.validator().ok())
            .is_some_and(|validator| validator.is_valid(instance))
    }
}

thread_local! {
    /// The questions under way: which target, about which value.
    static UNDER_WAY: RefCell<Vec<(usize, usize)>> = const { RefCell::new(Vec::new()) };
}

/// A question that is under way as long as this lives.
struct Asking;

impl Asking {
    fn begin(refers: &Refers, instance: &Value) -> Option<Self> {
        let target = refers.target.as_ref().map_or(0, |target| Arc::as_ptr(target).addr());
        let question = (target, std::ptr::from_ref(instance).addr());
        UNDER_WAY.with_borrow_mut(|asked| {
            // A question repeats itself, if ever, within the few about the same value, which stand last.
            let same_value = asked.iter().rev().take_while(|(_, value)| *value == question.1);
            if same_value.into_iter().any(|known| *known == question) {
                return None;
            }
            asked.push(question);
            Some(Self)
        })
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        UNDER_WAY.with_borrow_mut(|asked| asked.pop());
    }
}

/// The same schema with our keyword in the place of each reference.
fn translated<'s>(spot: &Spot<'s>) -> Value {
    let Some(map) = spot.value().as_object() else { return spot.value().clone() };
    let mut out = Map::new();
    if let Some((_, target)) = spot.reference() {
        let address = spot.address().unwrap_or_default();
        // A reference that leads nowhere makes the schema unsound, which is asked before it judges.
        out.insert(REFERENCE.to_owned(), json!(target.map_or("deed:///nowhere".to_owned(), |_| address)));
        if !spot.dialect().reference_has_siblings() {
            return Value::Object(out);
        }
    }
    for (key, value) in map {
        let key = key.as_str();
        let translated = match key {
            "$ref" | "$id" | "id" | "$schema" | "$anchor" | "$defs" | "definitions" | "components" => continue,
            _ if NAMED.contains(&key) => match value.as_object() {
                Some(named) => named.iter().map(|(name, child)| (name.clone(), inner(spot, child))).collect(),
                None => value.clone(),
            },
            _ if value.is_array() && MANY.contains(&key) => match value.as_array() {
                Some(list) => list.iter().map(|child| inner(spot, child)).collect(),
                None => value.clone(),
            },
            _ if ONE.contains(&key) => inner(spot, value),
            _ => value.clone(),
        };
        out.insert(key.to_owned(), translated);
    }
    Value::Object(out)
}

/// The addresses that a translated schema refers to.
fn addresses(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            if let Some(address) = map.get(REFERENCE).and_then(Value::as_str) {
                found.push(address.to_owned());
            }
            map.values().for_each(|child| addresses(child, found));
        }
        Value::Array(items) => items.iter().for_each(|child| addresses(child, found)),
        _ => {}
    }
}

fn inner<'s>(spot: &Spot<'s>, child: &'s Value) -> Value {
    if child.is_object() { translated(&spot.within(child)) } else { child.clone() }
}
