//! A JSON Schema that can validate payloads.

use crate::dialect::Dialect;
use crate::measure::measure;
use crate::reached;
use crate::references::escaped_references;
use crate::refusal::{Reason, Refused};
use crate::remote;
use crate::shared::{Target, Targets, remembering};
use crate::spot::Spot;
use crate::validator;
use deed_diag::Invariant;
use jsonschema::{Registry, Validator, uri};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The address of a schema that has none of its own.
const BASE: &str = "deed:///schema";
/// The most subschemas, references written out, for which a validator copies the targets of references.
const MOST_COPIED: u64 = 100_000;
/// Levels that a document may be nested.
const DEEPEST_DOCUMENT: usize = 1_000;
/// Levels that a schema may be nested with its references followed.
const DEEPEST: usize = 1_500;

const ROOT_RESOLVES: &str = "the root of a schema that was read resolves";

/// A schema whose dialect is known, whose references resolve, and that can validate a value.
pub struct Schema {
    value: Arc<Value>,
    dialect: Dialect,
    registry: Arc<Registry<'static>>,
    base: &'static str,
    /// For a part of an API description: the same documents as plain JSON Schema.
    plain: Option<Arc<Targets>>,
    judge: OnceLock<Result<Judge, Refused>>,
    /// The result of building every validator that the judge may have to ask.
    sound: OnceLock<Result<(), Refused>>,
    /// The schema in parts that explain why a value is not valid, made on first use; `None` if the schema depends on
    /// annotations, so that its parts cannot be asked separately.
    explained: OnceLock<Option<Explained>>,
}

/// A schema in parts that can be asked separately.
pub(crate) struct Explained {
    pub(crate) targets: Arc<Targets>,
    pub(crate) root: Arc<Target>,
    /// Parts that were asked so far, by identity.
    parts: Mutex<HashMap<usize, Arc<Target>>>,
}

impl Explained {
    /// The validator of a part of the schema.
    pub(crate) fn part(&self, spot: &Spot<'_>) -> Arc<Target> {
        // An entry is whole once it is there, so a panic of another thread leaves nothing half done.
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(parts.entry(spot.identity()).or_insert_with(|| self.targets.alone(spot)))
    }
}

/// The validator that decides whether a value is valid.
pub(crate) struct Judge {
    pub(crate) validator: Validator,
    /// The validators of the targets of references, if they were not copied.
    pub(crate) targets: Option<Arc<Targets>>,
}

impl Schema {
    /// Reads a schema and finds its dialect.
    ///
    /// A schema that declares no dialect is read as 2020-12; if it is not valid in that, as draft 7 and then as
    /// draft 4, since older schemas often declare nothing.
    ///
    /// # Errors
    /// If the schema is not valid in its dialect, is nested too deeply, has a reference to another document or to
    /// nothing, or a pattern that is not a regular expression of JavaScript.
    pub fn new(value: Value) -> Result<Self, Refused> {
        if !value.is_object() && !value.is_boolean() {
            return Err(Refused::new(Reason::InvalidSchema, "a schema is an object or a boolean"));
        }
        if nesting(&value) > DEEPEST_DOCUMENT {
            return Err(Refused::new(Reason::TooLarge, format!("it is nested deeper than {DEEPEST_DOCUMENT} levels")));
        }
        let declared = Dialect::declared(&value)?;
        let tried = declared
            .map_or_else(|| vec![Dialect::Draft202012, Dialect::Draft7, Dialect::Draft4], |dialect| vec![dialect]);
        let value = escaped_references(if declared.is_none() { without_declaration(value) } else { value });
        let mut first = None;
        for dialect in tried {
            match Self::read(&value, dialect) {
                Ok(schema) => return Ok(schema),
                Err(refused) if refused.reason != Reason::InvalidSchema => return Err(refused),
                Err(refused) => first = first.or(Some(refused)),
            }
        }
        Err(first.unwrap_or_else(|| Refused::new(Reason::InvalidSchema, "no dialect allows it")))
    }

    fn read(value: &Value, dialect: Dialect) -> Result<Self, Refused> {
        validator::meta(value, dialect)?;
        let registry = remote::registry(BASE, value.clone(), dialect.draft())?;
        let schema = Self {
            value: Arc::new(value.clone()),
            dialect,
            registry: Arc::new(registry),
            base: BASE,
            plain: None,
            judge: OnceLock::new(),
            sound: OnceLock::new(),
            explained: OnceLock::new(),
        };
        schema.check_references()?;
        let size = measure(&schema.root()?);
        if size.height > DEEPEST {
            return Err(Refused::new(Reason::TooLarge, format!("its references nest deeper than {DEEPEST} levels")));
        }
        // Built now, so that a wrong pattern or reference is an error of the schema and not of the first payload.
        let judge = schema.build(size.weight > MOST_COPIED)?;
        Ok(Self { judge: OnceLock::from(Ok(judge)), ..schema })
    }

    fn build(&self, share: bool) -> Result<Judge, Refused> {
        if !share {
            return validator::alone(&self.value, self.dialect).map(|validator| Judge { validator, targets: None });
        }
        if depends_on_annotations(&self.value.to_string()) {
            return Err(Refused::new(Reason::TooLarge, TOO_LARGE_TO_COPY));
        }
        let targets = Targets::new(Arc::clone(&self.registry), self.base, self.dialect);
        let validator = targets.validator(&self.root()?)?;
        Ok(Judge { validator, targets: Some(targets) })
    }

    /// A schema that refers to documents of a registry.
    pub(crate) fn among(
        value: Value,
        dialect: Dialect,
        base: &'static str,
        registry: Arc<Registry<'static>>,
        plain: Arc<Targets>,
    ) -> Self {
        Self {
            value: Arc::new(value),
            dialect,
            registry,
            base,
            plain: Some(plain),
            judge: OnceLock::new(),
            sound: OnceLock::new(),
            explained: OnceLock::new(),
        }
    }

    /// Refuses the schema if a reference that can be reached leads to another document or to nothing.
    pub(crate) fn check_references(&self) -> Result<(), Refused> {
        let base = uri::from_str(self.base).map_err(|error| validator::reference(&error))?;
        let document = remote::lookup(&self.registry.resolver(base), "")?;
        reached::check(&self.root()?, document.contents())
    }

    /// The schema as it is written.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The dialect it is read as.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The root of the schema.
    ///
    /// # Errors
    /// If the schema does not resolve; a schema that was read does.
    pub fn root(&self) -> Result<Spot<'_>, Refused> {
        let base = uri::from_str(self.base).map_err(|error| validator::reference(&error))?;
        let resolver = self.registry.resolver(base);
        if self.plain.is_some() {
            return Ok(Spot::new(&self.value, resolver, self.dialect));
        }
        let resolved = resolver.lookup("").map_err(|error| validator::reference(&error))?;
        let (value, resolver, _) = resolved.into_inner();
        Ok(Spot::new(value, resolver, self.dialect).within(value))
    }

    pub(crate) fn judge(&self) -> Result<&Judge, Refused> {
        let built = self.judge.get_or_init(|| match &self.plain {
            Some(plain) if self.dialect == Dialect::OpenApi31 && depends_on_annotations(&self.minified()) => {
                if measure(&self.root()?).weight > MOST_COPIED {
                    return Err(Refused::new(Reason::TooLarge, TOO_LARGE_TO_COPY));
                }
                let validator = validator::within(&self.value, self.dialect, plain.registry())?;
                Ok(Judge { validator, targets: None })
            }
            Some(plain) => {
                let validator = plain.validator(&self.root()?)?;
                Ok(Judge { validator, targets: Some(Arc::clone(plain)) })
            }
            None => self.build(true),
        });
        built.as_ref().map_err(Clone::clone)
    }

    /// Builds every validator that may be asked about a value.
    ///
    /// # Errors
    /// If a part of the schema cannot be built.
    pub fn sound(&self) -> Result<(), Refused> {
        let sound = self.sound.get_or_init(|| match &self.judge()?.targets {
            Some(targets) => targets.sound(&self.root()?),
            None => Ok(()),
        });
        sound.clone()
    }

    /// Returns true if a value is valid.
    ///
    /// # Errors
    /// If a part of the schema cannot be built, so that it cannot decide.
    pub fn is_valid(&self, value: &Value) -> Result<bool, Refused> {
        self.sound()?;
        let judge = self.judge()?;
        // A validator that copies its references has a memory of its own.
        match judge.targets {
            Some(_) => Ok(remembering(|| judge.validator.is_valid(value))),
            None => Ok(judge.validator.is_valid(value)),
        }
    }

    pub(crate) fn explained(&self) -> Option<&Explained> {
        let made = || {
            if depends_on_annotations(&self.minified()) {
                return None;
            }
            let known = self.plain.as_ref().map(|plain| plain.explaining());
            let new = || Targets::new(Arc::clone(&self.registry), self.base, self.dialect).explaining();
            let targets = known.unwrap_or_else(new);
            let root = targets.alone(&self.root().invariant(ROOT_RESOLVES));
            Some(Explained { targets, root, parts: Mutex::new(HashMap::new()) })
        };
        self.explained.get_or_init(made).as_ref()
    }

    /// Returns true if a validator that reports on every variant of every union takes bounded time.
    pub(crate) fn is_quickly_explained(&self, value: &Value) -> bool {
        let recursive = measure(&self.root().invariant(ROOT_RESOLVES)).recursive;
        let dynamic = || ["\"$dynamicRef", "\"$recursiveRef"].iter().any(|word| self.minified().contains(word));
        if !recursive && !dynamic() {
            return true;
        }
        let levels = u32::try_from(nesting(value)).unwrap_or(u32::MAX);
        most_variants(&self.value).saturating_pow(levels) <= MOST_COPIED
    }

    /// The schema without white space, followed by each target of its references once. References that were generated
    /// for a request are left out.
    pub fn minified(&self) -> String {
        if self.plain.is_none() {
            return self.value.to_string();
        }
        let root = self.root().invariant(ROOT_RESOLVES);
        let mut targets: Vec<&Value> = Vec::new();
        let mut seen = HashSet::new();
        let mut left = vec![root];
        while let Some(spot) = left.pop() {
            if let Some((_, Ok(target))) = spot.reference()
                && seen.insert(target.identity())
            {
                targets.push(target.value());
                left.push(target);
            }
            match spot.value() {
                Value::Object(map) => left.extend(map.values().map(|child| spot.within(child))),
                Value::Array(items) => left.extend(items.iter().map(|child| spot.within(child))),
                _ => {}
            }
        }
        // A target within another target is there already.
        let within: HashSet<usize> = targets.iter().flat_map(|target| beneath(target)).collect();
        targets.retain(|target| !within.contains(&std::ptr::from_ref(*target).addr()));
        let only_leads = self.value.as_object().is_some_and(|map| map.len() == 1 && map.contains_key("$ref"));
        let own = if only_leads { String::new() } else { self.value.to_string() };
        targets.iter().fold(own, |out, target| out + &target.to_string())
    }
}

const TOO_LARGE_TO_COPY: &str = "with its references written out it is too large for `unevaluated…` and `$dynamicRef`";

/// Returns true if a schema depends on annotations of the targets of references, not only on their validity.
fn depends_on_annotations(text: &str) -> bool {
    ["\"unevaluated", "\"$dynamicRef", "\"$recursiveRef"].iter().any(|keyword| text.contains(keyword))
}

/// The identities of all values within one.
fn beneath(value: &Value) -> Vec<usize> {
    let mut found = Vec::new();
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        let children: Vec<&Value> = match value {
            Value::Object(map) => map.values().collect(),
            Value::Array(items) => items.iter().collect(),
            _ => continue,
        };
        found.extend(children.iter().map(|child| std::ptr::from_ref(*child).addr()));
        left.extend(children);
    }
    found
}

/// The levels that a document is nested, counted without recursion.
pub(crate) fn nesting(value: &Value) -> usize {
    let mut left = vec![(value, 1)];
    let mut deepest = 0;
    while let Some((value, depth)) = left.pop() {
        deepest = deepest.max(depth);
        match value {
            Value::Object(map) => left.extend(map.values().map(|child| (child, depth + 1))),
            Value::Array(items) => left.extend(items.iter().map(|child| (child, depth + 1))),
            _ => {}
        }
    }
    deepest
}

/// The number of variants of the largest union.
fn most_variants(value: &Value) -> u64 {
    let mut left = vec![value];
    let mut most = 1;
    while let Some(value) = left.pop() {
        match value {
            Value::Object(map) => {
                let unions = ["anyOf", "oneOf"].iter().filter_map(|keyword| map.get(*keyword)?.as_array());
                most = unions.map(|variants| variants.len() as u64).fold(most, u64::max);
                left.extend(map.values());
            }
            Value::Array(items) => left.extend(items),
            _ => {}
        }
    }
    most
}

/// Removes `$schema`: the validator would try to retrieve an unknown dialect.
fn without_declaration(mut value: Value) -> Value {
    if let Some(map) = value.as_object_mut() {
        map.remove("$schema");
    }
    value
}
