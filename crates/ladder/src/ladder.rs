//! A contract made ready: its schema, rules and places read once, and all of its faults reported at once.

mod reader;
mod remarks;
mod room;
mod rules;

pub(crate) use self::rules::{Action, DefaultRule, DomainCheck, SynonymRule, TransformRule};

use self::reader::Reader;
use self::remarks::remarks;
use crate::embed::{Embedder, Limits, Similarity};
use crate::place::{Place, Step};
use crate::rungs::transforms::{DateForm, DateOrder};
use deed_canon::{ContentHash, hash_of};
use deed_detect::Guard;
use deed_diag::{Code, Invariant as _};
use deed_imprint::Imprint;
use deed_model::{LADDER_CONTRACT_TAG, LadderContract, LadderMode, Phase, Rung};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A contract made ready to climb.
pub struct Ladder {
    pub(crate) contract: LadderContract,
    pub(crate) hash: ContentHash,
    pub(crate) imprint: Imprint,
    pub(crate) guard: Guard,
    /// Whether some object of the schema declares keys and takes others.
    pub(crate) has_open_objects: bool,
    pub(crate) expected_personal: Vec<(Place, String)>,
    pub(crate) synonyms: Vec<SynonymRule>,
    /// Whether a spelling may be a synonym of two canonical names.
    pub(crate) contested_synonyms: bool,
    pub(crate) defaults: Vec<DefaultRule>,
    pub(crate) transforms: Vec<TransformRule>,
    pub(crate) limits: Limits,
    pub(crate) words: Vec<(Option<Place>, usize)>,
    pub(crate) embedder: Option<Arc<dyn Embedder + Send + Sync>>,
    pub(crate) patch_allow: Vec<Place>,
    pub(crate) patch_deny: Vec<Place>,
    pub(crate) allowed_keys: Vec<(Place, HashSet<String>)>,
    pub(crate) domain: Vec<DomainCheck>,
    remarks: Vec<ContractFault>,
}

/// Something that is wrong with a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractFault {
    /// Its stable code.
    pub code: Code,
    /// The place in the contract.
    pub pointer: String,
    /// What is wrong: lowercase, no final stop.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}

impl Ladder {
    /// Makes a contract ready, or says all that is wrong with it.
    pub fn new(contract: LadderContract) -> Result<Self, Vec<ContractFault>> {
        let mut reader = Reader::default();
        let imprint = reader.imprint(&contract);
        let guard = reader.guard(&contract);
        let expected_personal = reader.expected_personal(&contract);
        let synonyms = reader.synonyms(&contract);
        let mut defaults = reader.defaults(&contract);
        let mut transforms = reader.transforms(&contract);
        let words = reader.words(&contract);
        reader.confidence(&contract);
        let patch_allow = reader.places(&contract.patch.allow, "/patch/allow");
        let patch_deny = reader.places(&contract.patch.deny, "/patch/deny");
        let allowed_keys = reader.allowed_keys(&contract);
        let domain = reader.domain(&contract);
        let hash = hash_of(&LADDER_CONTRACT_TAG, &contract)
            .map_err(|error| reader.fault("", format!("it has no canonical form: {error}"), None));
        let (Some(imprint), Some(guard), Ok(hash), true) = (imprint, guard, hash, reader.faults.is_empty()) else {
            return Err(reader.faults);
        };
        let remarks = remarks(&contract, imprint.schema().value());
        if contract.defaults.from_schema {
            defaults.extend(schema_defaults(&imprint, &defaults));
        }
        let waiting = let_wait(&mut defaults);
        transforms.iter_mut().for_each(|rule| rule.waits = rule.reads.iter().any(|name| waiting.contains(name)));
        let standard = Limits::default();
        let vector = contract.vector.as_ref();
        let limits = Limits {
            threshold: vector.and_then(|v| v.threshold).map_or(standard.threshold, Similarity::new),
            margin: vector.and_then(|v| v.margin).map_or(standard.margin, Similarity::new),
        };
        Ok(Self {
            hash,
            imprint,
            guard,
            has_open_objects: has_open_objects(&contract.schema),
            expected_personal,
            contested_synonyms: contested(&synonyms),
            synonyms,
            defaults,
            transforms,
            limits,
            words,
            embedder: None,
            patch_allow,
            patch_deny,
            allowed_keys,
            domain,
            remarks,
            contract,
        })
    }

    /// The same with another embedder; its limits must be its own, so the contract should set them.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Arc<dyn Embedder + Send + Sync>) -> Self {
        self.embedder = Some(embedder);
        self
    }

    /// The contract.
    pub fn contract(&self) -> &LadderContract {
        &self.contract
    }

    /// The contract's hash.
    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    /// The contract's schema with its template.
    pub fn imprint(&self) -> &Imprint {
        &self.imprint
    }

    /// What is odd about the contract and does not prevent a climb: rules that no valid payload can be touched by.
    pub fn remarks(&self) -> &[ContractFault] {
        &self.remarks
    }

    /// The orders in which a date at a place may be read: those that the contract lists for the place, or all where it
    /// lists none. The order of ISO is what the schema asks for.
    pub(crate) fn orders(&self, at: &str) -> Vec<DateOrder> {
        let here = self.transforms.iter().filter(|rule| rule.at.is_at(at));
        let forms = here.filter_map(|rule| match &rule.action {
            Action::Date { from, to } => Some(from.iter().chain([to]).map(DateForm::order)),
            _ => None,
        });
        let listed: Vec<DateOrder> = forms.flatten().collect();
        if listed.is_empty() { DateOrder::ALL.to_vec() } else { [listed, vec![DateOrder::Year]].concat() }
    }

    /// Returns whether the contract lists the formats of dates at a place, so that no rung reads one there in another.
    pub(crate) fn lists_dates(&self, at: &str) -> bool {
        self.transforms.iter().any(|rule| rule.at.is_at(at) && matches!(rule.action, Action::Date { .. }))
    }

    /// How strictly a rung runs in a phase.
    pub fn mode(&self, phase: Phase, rung: Rung) -> LadderMode {
        let of_phase = self.contract.phases.get(&phase).and_then(|modes| modes.get(&rung));
        of_phase.or_else(|| self.contract.modes.get(&rung)).copied().unwrap_or_default()
    }
}

/// Whether a schema has an object that declares keys and does not close itself to others.
fn has_open_objects(schema: &Value) -> bool {
    match schema {
        Value::Object(keywords) => {
            let closed = ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|keyword| keywords.get(*keyword) == Some(&Value::Bool(false)));
            (keywords.contains_key("properties") && !closed) || keywords.values().any(has_open_objects)
        }
        Value::Array(parts) => parts.iter().any(has_open_objects),
        _ => false,
    }
}

/// Marks every default whose key has a conditional one, and returns those keys.
fn let_wait(defaults: &mut [DefaultRule]) -> HashSet<String> {
    let conditional = defaults.iter().filter(|rule| rule.when.is_some());
    let keys: HashSet<String> = conditional.map(|rule| rule.key.clone()).collect();
    defaults.iter_mut().for_each(|rule| rule.waits = keys.contains(&rule.key));
    keys
}

/// Whether two rules with different canonical names have a synonym that differs in style alone.
fn contested(rules: &[SynonymRule]) -> bool {
    let mut targets: HashMap<&str, &str> = HashMap::new();
    let mut names = rules.iter().flat_map(|rule| rule.folded.iter().map(|name| (name.as_str(), rule.to.as_str())));
    names.any(|(name, to)| targets.insert(name, to).is_some_and(|other| other != to))
}

/// The schema's own defaults, where the contract has none.
fn schema_defaults(imprint: &Imprint, known: &[DefaultRule]) -> Vec<DefaultRule> {
    let known: HashSet<&str> = known.iter().map(|rule| rule.rule.as_str()).collect();
    let mut rules = Vec::new();
    for (at, value) in imprint.defaults() {
        let place = Place::read(&at).invariant("a schema's default has a place");
        // A key named `*` cannot be told from every key.
        let Some((object, Step::Named(key))) = place.split() else { continue };
        if !known.contains(at.as_str()) {
            let rule = format!("schema:{at}");
            rules.push(DefaultRule { key: key.clone(), object, value, when: None, rule, waits: false });
        }
    }
    rules
}
