//! A contract made ready: its schema, rules and places read once, and all that is wrong with it said at once.

mod room;

use crate::embed::{Embedder, Limits, Similarity};
use crate::naming::folded;
use crate::place::{Place, Step, push};
use crate::rungs::transforms::{DateForm, DateOrder, Factor};
use deed_canon::{ContentHash, hash_of};
use deed_detect::{CustomPattern, Guard, PersonalKind, Secrets};
use deed_diag::{Code, codes, did_you_mean, quote};
use deed_imprint::Imprint;
use deed_logic::{Mode, Program};
use deed_model::{LADDER_CONTRACT_TAG, LadderContract, LadderMode, Phase, RuleWeight, Rung, TransformKind};
use deed_schema::Schema;
use room::no_room;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Keys that a help lists.
const MOST_LISTED: usize = 12;

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

pub(crate) struct SynonymRule {
    pub(crate) at: Place,
    pub(crate) from: Vec<String>,
    pub(crate) to: String,
    /// The names without their style.
    pub(crate) folded: Vec<String>,
    /// The canonical name without its style.
    pub(crate) folded_to: String,
}

pub(crate) struct DefaultRule {
    pub(crate) object: Place,
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) when: Option<Program>,
    /// What reports call it.
    pub(crate) rule: String,
    /// Whether a rule for the same key has a condition, which wants the values that later rungs leave.
    pub(crate) waits: bool,
}

pub(crate) struct TransformRule {
    pub(crate) id: String,
    pub(crate) at: Place,
    pub(crate) action: Action,
    pub(crate) when: Option<Program>,
    /// The names of the keys that its condition, its expression or its unit read.
    pub(crate) reads: Vec<String>,
    /// Whether one of them has a conditional default.
    pub(crate) waits: bool,
}

/// What a transform does, its parameters read.
pub(crate) enum Action {
    TitleCase,
    UpperCase,
    LowerCase,
    Trim,
    Scale { factor: Factor, unit: Option<UnitChange> },
    Date { from: Vec<DateForm>, to: DateForm },
    Set(Program),
}

/// The unit beside a number, before and after.
pub(crate) struct UnitChange {
    pub(crate) key: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

pub(crate) struct DomainCheck {
    pub(crate) id: String,
    pub(crate) at: Place,
    pub(crate) rule: Program,
    pub(crate) when: Option<Program>,
    pub(crate) message: String,
    pub(crate) weight: RuleWeight,
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
        let mut reader = Reader { faults: Vec::new() };
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

    /// What is odd about the contract and keeps nobody from climbing: rules that no valid payload can be touched by.
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

    /// How strictly a rung runs in a phase.
    pub fn mode(&self, phase: Phase, rung: Rung) -> LadderMode {
        let of_phase = self.contract.phases.get(&phase).and_then(|modes| modes.get(&rung));
        of_phase.or_else(|| self.contract.modes.get(&rung)).copied().unwrap_or_default()
    }
}

/// Rules for places that the schema has no room for.
fn remarks(contract: &LadderContract, schema: &Value) -> Vec<ContractFault> {
    let mut places: Vec<(String, Option<Place>)> = Vec::new();
    for (index, synonym) in contract.synonyms.iter().enumerate() {
        let place = match Place::read(&synonym.at) {
            Some(Place::Path(mut steps)) => {
                steps.push(Step::Named(synonym.to.clone()));
                Some(Place::Path(steps))
            }
            _ => None,
        };
        places.push((format!("/synonyms/{index}/to"), place));
    }
    let defaults = contract.defaults.values.iter().map(|default| &default.at).enumerate();
    places.extend(defaults.map(|(index, at)| (format!("/defaults/values/{index}/at"), Place::read(at))));
    let transforms = contract.transforms.iter().map(|transform| &transform.at).enumerate();
    places.extend(transforms.map(|(index, at)| (format!("/transforms/{index}/at"), Place::read(at))));
    let allowed = contract.allowed_keys.iter().map(|allowed| &allowed.at).enumerate();
    places.extend(allowed.map(|(index, at)| (format!("/allowed_keys/{index}/at"), Place::read(at))));
    // A name that is still to be put right stands where the schema has no room for it.
    let old: HashSet<&String> = contract.synonyms.iter().flat_map(|synonym| &synonym.from).collect();
    let mut found = Vec::new();
    for (pointer, place) in places {
        let Some(place) = place else { continue };
        let Some(none) = no_room(schema, &place) else { continue };
        let mut above = String::new();
        none.above.iter().for_each(|step| push(&mut above, if let Step::Named(name) = step { name } else { "*" }));
        let above = if above.is_empty() { "the outermost object".to_owned() } else { quote(&above) };
        let (message, help) = match none.step {
            Step::Named(name) if old.contains(name) => continue,
            Step::Named(name) => {
                let listed: Vec<String> = none.known.iter().take(MOST_LISTED).map(|known| quote(known)).collect();
                let all = (!listed.is_empty()).then(|| format!("it has {}", listed.join(", ")));
                let near = did_you_mean(name, none.known.iter().map(String::as_str));
                (format!("the schema has no room for {} in {above}", quote(name)), near.or(all))
            }
            Step::Any => (format!("the schema has no room for anything in {above}"), None),
        };
        found.push(ContractFault { code: codes::RULE_FOR_IMPOSSIBLE_PLACE, pointer, message, help });
    }
    found
}

/// The names that a transform reads beside its value: the last step of each variable's path, and the key of its unit.
fn reads(action: &Action, when: Option<&Program>) -> Vec<String> {
    let (expression, unit) = match action {
        Action::Set(program) => (Some(program), None),
        Action::Scale { unit, .. } => (None, unit.as_ref().map(|unit| unit.key.clone())),
        Action::TitleCase | Action::UpperCase | Action::LowerCase | Action::Trim | Action::Date { .. } => (None, None),
    };
    let variables = when.into_iter().chain(expression).flat_map(Program::variables);
    let names = variables.filter(|variable| !variable.scoped).filter_map(|variable| variable.path.last().cloned());
    names.filter(|name| name != "value" && name != "payload").chain(unit).collect()
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
        let Some(place) = Place::read(&at) else { continue };
        let Some((object, Step::Named(key))) = place.split() else { continue };
        if !known.contains(at.as_str()) {
            let rule = format!("schema:{at}");
            rules.push(DefaultRule { key: key.clone(), object, value, when: None, rule, waits: false });
        }
    }
    rules
}

struct Reader {
    faults: Vec<ContractFault>,
}

impl Reader {
    fn fault(&mut self, pointer: &str, message: String, help: Option<String>) {
        self.faults.push(ContractFault {
            code: codes::BAD_LADDER_CONTRACT,
            pointer: pointer.to_owned(),
            message,
            help,
        });
    }

    fn place(&mut self, text: &str, pointer: &str) -> Place {
        Place::read(text).unwrap_or_else(|| {
            let help = Some("a place is a JSON pointer such as `/items/*/price`".to_owned());
            self.fault(pointer, format!("{} is no place", quote(text)), help);
            Place::Path(Vec::new())
        })
    }

    fn places(&mut self, list: &[String], pointer: &str) -> Vec<Place> {
        list.iter().enumerate().map(|(index, text)| self.place(text, &format!("{pointer}/{index}"))).collect()
    }

    fn program(&mut self, rule: &Value, pointer: &str) -> Option<Program> {
        match Program::compile(rule, Mode::Strict) {
            Ok(program) => Some(program),
            Err(errors) => {
                for error in errors {
                    let at = format!("{pointer}{}", error.pointer);
                    self.fault(&at, format!("the rule does not compile: {error}"), None);
                }
                None
            }
        }
    }

    fn optional(&mut self, rule: Option<&Value>, pointer: &str) -> Option<Program> {
        rule.and_then(|rule| self.program(rule, pointer))
    }

    fn imprint(&mut self, contract: &LadderContract) -> Option<Imprint> {
        match Schema::new(contract.schema.clone()).and_then(Imprint::new) {
            Ok(imprint) => Some(imprint),
            Err(refused) => {
                self.faults.push(ContractFault {
                    code: codes::BAD_CONTRACT_SCHEMA,
                    pointer: format!("/schema{}", refused.pointer),
                    message: format!("the schema is refused ({}): {}", refused.reason, refused.message),
                    help: None,
                });
                None
            }
        }
    }

    fn guard(&mut self, contract: &LadderContract) -> Option<Guard> {
        let rules = &contract.guard;
        let mut kinds = Vec::new();
        for (index, name) in rules.personal.iter().enumerate() {
            match name.parse::<PersonalKind>() {
                Ok(kind) => kinds.push(kind),
                Err(_) => {
                    let known = PersonalKind::ALL.map(PersonalKind::name);
                    let help =
                        did_you_mean(name, known).unwrap_or_else(|| format!("the classes are {}", known.join(", ")));
                    self.fault(
                        &format!("/guard/personal/{index}"),
                        format!("{} is no class of personal data", quote(name)),
                        Some(help),
                    );
                }
            }
        }
        let mut forbidden = Vec::new();
        for (index, content) in rules.forbidden.iter().enumerate() {
            match CustomPattern::new(&content.id, &content.pattern) {
                Ok(pattern) => forbidden.push(pattern),
                Err(error) => self.fault(&format!("/guard/forbidden/{index}/pattern"), error.to_string(), None),
            }
        }
        let secrets = if rules.secrets { Secrets::Sought } else { Secrets::Ignored };
        Some(Guard::new(secrets, &kinds, forbidden))
    }

    fn expected_personal(&mut self, contract: &LadderContract) -> Vec<(Place, String)> {
        let mut expected = Vec::new();
        for (index, allow) in contract.guard.allow.iter().enumerate() {
            let at = format!("/guard/allow/{index}");
            if !contract.guard.personal.contains(&allow.class) {
                let message = format!("{} is not sought, so it need not be allowed", quote(&allow.class));
                self.fault(
                    &format!("{at}/class"),
                    message,
                    did_you_mean(&allow.class, contract.guard.personal.iter().map(String::as_str)),
                );
            }
            expected.push((self.place(&allow.at, &format!("{at}/at")), allow.class.clone()));
        }
        expected
    }

    fn synonyms(&mut self, contract: &LadderContract) -> Vec<SynonymRule> {
        let mut rules: Vec<SynonymRule> = Vec::new();
        // By name, the rules that it is a synonym in.
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, synonym) in contract.synonyms.iter().enumerate() {
            let pointer = format!("/synonyms/{index}");
            let at = self.place(&synonym.at, &format!("{pointer}/at"));
            for name in &synonym.from {
                if name == &synonym.to {
                    self.fault(&pointer, format!("{} is a synonym of itself", quote(name)), None);
                }
                let others = by_name.entry(name).or_default();
                let other = |rule: &&SynonymRule| rule.at.meets(&at) && rule.to != synonym.to;
                if let Some(other) = others.iter().filter_map(|other| rules.get(*other)).find(other) {
                    let message = format!("{} means both {} and {}", quote(name), quote(&other.to), quote(&synonym.to));
                    self.fault(&pointer, message, Some("a name means one thing at one place".to_owned()));
                }
                others.push(index);
            }
            let (from, to) = (synonym.from.clone(), synonym.to.clone());
            let folded_to = folded(&to);
            let spelled = from.iter().map(|name| folded(name)).filter(|name| *name != folded_to).collect();
            rules.push(SynonymRule { at, from, to, folded: spelled, folded_to });
        }
        for (index, rule) in rules.iter().enumerate() {
            let others = by_name.get(rule.to.as_str()).into_iter().flatten().filter_map(|other| rules.get(*other));
            if others.into_iter().any(|other| other.at.meets(&rule.at) && other.to != rule.to) {
                let message = format!("{} is itself a canonical name here", quote(&rule.to));
                let help = Some("name the last one as what the first means".to_owned());
                self.fault(&format!("/synonyms/{index}"), message, help);
            }
        }
        rules
    }

    fn defaults(&mut self, contract: &LadderContract) -> Vec<DefaultRule> {
        let mut rules = Vec::new();
        for (index, default) in contract.defaults.values.iter().enumerate() {
            let pointer = format!("/defaults/values/{index}");
            let place = self.place(&default.at, &format!("{pointer}/at"));
            let when = self.optional(default.when.as_ref(), &format!("{pointer}/when"));
            match place.split() {
                Some((object, Step::Named(key))) => rules.push(DefaultRule {
                    key: key.clone(),
                    object,
                    value: default.value.clone(),
                    when,
                    rule: default.at.clone(),
                    waits: false,
                }),
                _ => self.fault(&format!("{pointer}/at"), "a default has the place of a key".to_owned(), None),
            }
        }
        rules
    }

    fn transforms(&mut self, contract: &LadderContract) -> Vec<TransformRule> {
        let mut rules = Vec::new();
        for (index, transform) in contract.transforms.iter().enumerate() {
            let pointer = format!("/transforms/{index}");
            let at = self.place(&transform.at, &format!("{pointer}/at"));
            if at == Place::Anywhere {
                let help = Some("name the place of a value, such as `/items/*/name`".to_owned());
                self.fault(
                    &format!("{pointer}/at"),
                    "`**` stands for objects, and values are transformed".to_owned(),
                    help,
                );
            }
            let when = self.optional(transform.when.as_ref(), &format!("{pointer}/when"));
            if let Some(action) = self.action(&transform.apply, transform.when.is_some(), &format!("{pointer}/apply")) {
                let reads = reads(&action, when.as_ref());
                rules.push(TransformRule { id: transform.id.clone(), at, action, when, reads, waits: false });
            }
        }
        rules
    }

    fn action(&mut self, kind: &TransformKind, conditional: bool, pointer: &str) -> Option<Action> {
        Some(match kind {
            TransformKind::TitleCase => Action::TitleCase,
            TransformKind::UpperCase => Action::UpperCase,
            TransformKind::LowerCase => Action::LowerCase,
            TransformKind::Trim => Action::Trim,
            TransformKind::Scale(scale) => {
                let Some(factor) = Factor::read(&scale.factor) else {
                    self.fault(pointer, format!("{} is no decimal number", quote(&scale.factor)), None);
                    return None;
                };
                let unit = match (&scale.unit_key, &scale.from, &scale.to) {
                    (Some(key), Some(from), Some(to)) => {
                        Some(UnitChange { key: key.clone(), from: from.clone(), to: to.clone() })
                    }
                    (None, None, None) if conditional => None,
                    _ => {
                        let help =
                            "give `unit_key`, `from` and `to`, or a `when` that no longer holds once it is scaled";
                        self.fault(
                            pointer,
                            "nothing tells whether the number was scaled before".to_owned(),
                            Some(help.to_owned()),
                        );
                        return None;
                    }
                };
                Action::Scale { factor, unit }
            }
            TransformKind::Date(date) => {
                let mut forms = Vec::new();
                for form in &date.from {
                    match DateForm::read(form) {
                        Some(form) => forms.push(form),
                        None => self.fault(pointer, format!("{} is no form of a date", quote(form)), None),
                    }
                }
                let Some(to) = DateForm::read(&date.to) else {
                    self.fault(pointer, format!("{} is no form of a date", quote(&date.to)), None);
                    return None;
                };
                Action::Date { from: forms, to }
            }
            TransformKind::Set(expression) => Action::Set(self.program(expression, &format!("{pointer}/set"))?),
        })
    }

    fn words(&mut self, contract: &LadderContract) -> Vec<(Option<Place>, usize)> {
        let words = contract.vector.iter().flat_map(|vector| vector.vocabulary.iter().enumerate());
        let mut read = Vec::new();
        for (index, word) in words {
            let place = word.at.as_ref().map(|at| self.place(at, &format!("/vector/vocabulary/{index}/at")));
            read.push((place, index));
        }
        for (name, value) in contract.vector.iter().flat_map(|v| [("threshold", v.threshold), ("margin", v.margin)]) {
            if value.is_some_and(|value| value > 1000) {
                self.fault(&format!("/vector/{name}"), format!("`{name}` is in thousandths, at most 1000"), None);
            }
        }
        read
    }

    fn confidence(&mut self, contract: &LadderContract) {
        if contract.patch.least_confidence > 1000 {
            let help = Some("no proposal is surer than 1000".to_owned());
            let message = "`least_confidence` is in thousandths, at most 1000".to_owned();
            self.fault("/patch/least_confidence", message, help);
        }
    }

    fn allowed_keys(&mut self, contract: &LadderContract) -> Vec<(Place, HashSet<String>)> {
        let mut rules = Vec::new();
        for (index, allowed) in contract.allowed_keys.iter().enumerate() {
            let place = self.place(&allowed.at, &format!("/allowed_keys/{index}/at"));
            rules.push((place, allowed.keys.iter().cloned().collect()));
        }
        rules
    }

    fn domain(&mut self, contract: &LadderContract) -> Vec<DomainCheck> {
        let mut checks = Vec::new();
        for (index, rule) in contract.domain.iter().enumerate() {
            let pointer = format!("/domain/{index}");
            let at = self.place(&rule.at, &format!("{pointer}/at"));
            let when = self.optional(rule.when.as_ref(), &format!("{pointer}/when"));
            if let Some(program) = self.program(&rule.rule, &format!("{pointer}/rule")) {
                checks.push(DomainCheck {
                    id: rule.id.clone(),
                    at,
                    rule: program,
                    when,
                    message: rule.message.clone(),
                    weight: rule.severity,
                });
            }
        }
        checks
    }
}
