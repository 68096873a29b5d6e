//! A validator that keeps the target of each reference once.
//!
//! A reference becomes a keyword of Deed that asks the validator of its target, built on first use. So the validators
//! of an API description are as large as it is written, however often its schemas refer to each other. Only keywords
//! that depend on annotations of the target (such as `unevaluatedProperties`) cannot be decided this way.
//!
//! To explain violations, the variants of unions are separate targets too: each is asked where it matters, and only
//! the variant that is meant is asked for all its reasons.

mod asking;
mod translate;

use crate::dialect::Dialect;
use crate::openapi::{Moved, unescaped};
use crate::refusal::{Reason, Refused};
use crate::remote;
use crate::spot::Spot;
use crate::validator;
pub(crate) use asking::remembering;
use deed_diag::Invariant;
use jsonschema::{Keyword, Registry, ValidationError, Validator, uri};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use translate::{Keep, addresses, translated};

/// The keyword that stands for a reference.
pub(crate) const REFERENCE: &str = "x-deed-ref";
/// The keyword that stands for `anyOf`.
pub(crate) const ANY: &str = "x-deed-any";
/// The keyword that stands for `oneOf`.
pub(crate) const ONE: &str = "x-deed-one";
/// All of them.
pub(crate) const ALL_KEYWORDS: [&str; 3] = [REFERENCE, ANY, ONE];

/// The validators of the targets of references, by address.
pub(crate) struct Targets {
    registry: Arc<Registry<'static>>,
    base: &'static str,
    dialect: Dialect,
    /// The locations of an API description that moved when it was translated to plain JSON Schema.
    moved: Moved,
    unions: Unions,
    known: Mutex<HashMap<String, Arc<Target>>>,
    kept: Mutex<HashMap<String, Arc<Union>>>,
    /// The same targets with separate unions.
    explaining: OnceLock<Arc<Targets>>,
}

/// The treatment of unions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unions {
    /// They stay part of their schema.
    Within,
    /// Their variants are targets of their own.
    Separate,
}

/// The variants of a union.
pub(crate) struct Union {
    /// True for `oneOf`: exactly one variant must match.
    pub(crate) only: bool,
    pub(crate) variants: Vec<Arc<Target>>,
}

/// The target of a reference, built on first use.
pub(crate) struct Target {
    address: String,
    targets: Weak<Targets>,
    translated: OnceLock<Result<Value, Refused>>,
    validator: OnceLock<Result<Validator, Refused>>,
    /// The addresses that it refers to.
    reaches: OnceLock<Vec<String>>,
}

impl Targets {
    pub(crate) fn new(registry: Arc<Registry<'static>>, base: &'static str, dialect: Dialect) -> Arc<Self> {
        Self::of_api(registry, base, dialect, Moved::default())
    }

    /// The targets of an API description that was translated to plain JSON Schema.
    pub(crate) fn of_api(
        registry: Arc<Registry<'static>>,
        base: &'static str,
        dialect: Dialect,
        moved: Moved,
    ) -> Arc<Self> {
        let (known, kept) = (Mutex::new(HashMap::new()), Mutex::new(HashMap::new()));
        let unions = Unions::Within;
        Arc::new(Self { registry, base, dialect, moved, unions, known, kept, explaining: OnceLock::new() })
    }

    /// The documents.
    pub(crate) fn registry(&self) -> &Registry<'static> {
        &self.registry
    }

    /// The same targets for explaining violations, with separate unions.
    pub(crate) fn explaining(&self) -> Arc<Self> {
        let made = || {
            Arc::new(Self {
                registry: Arc::clone(&self.registry),
                base: self.base,
                dialect: self.dialect,
                moved: self.moved.clone(),
                unions: Unions::Separate,
                known: Mutex::new(HashMap::new()),
                kept: Mutex::new(HashMap::new()),
                explaining: OnceLock::new(),
            })
        };
        Arc::clone(self.explaining.get_or_init(made))
    }

    /// The validator of a schema whose references lead into the registry.
    pub(crate) fn validator(self: &Arc<Self>, spot: &Spot<'_>) -> Result<Validator, Refused> {
        self.compiled(&self.translated(spot))
    }

    fn compiled(self: &Arc<Self>, translated: &Value) -> Result<Validator, Refused> {
        validator::sharing(translated, self.dialect, &Arc::downgrade(self))
    }

    fn translated(self: &Arc<Self>, spot: &Spot<'_>) -> Value {
        let keep: &mut Keep<'_> = &mut |only, variants| self.keep(only, variants);
        let mut keep = Some(keep).filter(|_| self.unions == Unions::Separate);
        translated(spot, &mut keep)
    }

    /// Stores the variants of a union and returns their address, which is unique.
    fn keep(self: &Arc<Self>, only: bool, variants: Vec<Value>) -> String {
        let variants = variants.into_iter().map(|variant| Arc::new(self.part(variant))).collect();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let address = kept.len().to_string();
        kept.insert(address.clone(), Arc::new(Union { only, variants }));
        address
    }

    /// A target without an address.
    fn part(self: &Arc<Self>, translated: Value) -> Target {
        Target { translated: OnceLock::from(Ok(translated)), ..Target::at(String::new(), Arc::downgrade(self)) }
    }

    /// A subschema as a target of its own.
    pub(crate) fn alone(self: &Arc<Self>, spot: &Spot<'_>) -> Arc<Target> {
        Arc::new(self.part(self.translated(spot)))
    }

    /// Refuses a schema if a target that can be reached from it cannot be built; each is built once for all schemas.
    pub(crate) fn sound(self: &Arc<Self>, spot: &Spot<'_>) -> Result<(), Refused> {
        let mut left = Vec::new();
        addresses(&self.translated(spot), &mut left);
        let mut seen = HashSet::new();
        while let Some(address) = left.pop() {
            if !seen.insert(address.clone()) {
                continue;
            }
            let target = self.target(&address);
            target.validator()?;
            left.extend(target.reaches()?.iter().cloned());
        }
        Ok(())
    }

    /// The target at an address.
    pub(crate) fn target(self: &Arc<Self>, address: &str) -> Arc<Target> {
        let new = || Arc::new(Target::at(address.to_owned(), Arc::downgrade(self)));
        // An entry is whole once it is there, so a panic of another thread leaves nothing half done.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(address.to_owned()).or_insert_with(new))
    }

    /// The union at an address.
    pub(crate) fn union(&self, address: &str) -> Option<Arc<Union>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(address).map(Arc::clone)
    }
}

/// The targets, for a keyword of a validator that is being built: the builder holds them.
pub(crate) fn held(targets: &Weak<Targets>) -> Arc<Targets> {
    targets.upgrade().invariant("targets live while a validator is built for them")
}

impl Target {
    fn at(address: String, targets: Weak<Targets>) -> Self {
        Self { address, targets, translated: OnceLock::new(), validator: OnceLock::new(), reaches: OnceLock::new() }
    }

    fn targets(&self) -> Result<Arc<Targets>, Refused> {
        let gone = || Refused::new(Reason::MissingReference, "the schema of a reference was dropped");
        self.targets.upgrade().ok_or_else(gone)
    }

    /// The schema with the keywords of Deed in place of references and unions.
    pub(crate) fn translated(&self) -> Result<&Value, Refused> {
        let translated = self.translated.get_or_init(|| {
            let targets = self.targets()?;
            let base = uri::from_str(targets.base).map_err(|error| validator::reference(&error))?;
            let resolver = targets.registry.resolver(base);
            let resolved = remote::lookup(&resolver, &targets.moved.address(&self.address))?;
            let (value, resolver, _) = resolved.into_inner();
            Ok(targets.translated(&Spot::new(value, resolver, targets.dialect)))
        });
        translated.as_ref().map_err(Clone::clone)
    }

    pub(crate) fn validator(&self) -> Result<&Validator, Refused> {
        let built = self.validator.get_or_init(|| {
            let compiled = self.targets()?.compiled(self.translated()?);
            // A location within the target, as a location in the whole document.
            compiled.map_err(|refused| match self.address.split_once('#') {
                Some((_, fragment)) => {
                    let pointer = format!("{}{}", unescaped(fragment), refused.pointer);
                    refused.at(pointer)
                }
                None => refused,
            })
        });
        built.as_ref().map_err(Clone::clone)
    }

    fn reaches(&self) -> Result<&[String], Refused> {
        let translated = self.translated()?;
        Ok(self.reaches.get_or_init(|| {
            let mut found = Vec::new();
            addresses(translated, &mut found);
            found
        }))
    }

    /// Returns true if a value is valid. Under a target that cannot be built no value is.
    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        let identity = std::ptr::from_ref(self).addr();
        asking::ask(identity, value, || self.validator().is_ok_and(|validator| validator.is_valid(value)))
    }
}

/// The keyword of a reference: valid if the target is.
pub(crate) struct Refers {
    pub(crate) address: String,
    pub(crate) target: Arc<Target>,
}

impl<'i> Keyword<'i> for Refers {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        // The explanation is found by asking the target: the error carries its address.
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(self.address.clone())) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.target.is_valid(instance)
    }
}

/// The keyword of a union: valid if one variant is, or exactly one.
pub(crate) struct Chooses {
    pub(crate) address: String,
    pub(crate) union: Arc<Union>,
}

impl<'i> Keyword<'i> for Chooses {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(self.address.clone())) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let mut fitting = self.union.variants.iter().filter(|variant| variant.is_valid(instance));
        fitting.next().is_some() && !(self.union.only && fitting.next().is_some())
    }
}
