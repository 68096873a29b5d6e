//! The reader of a contract: each part becomes rules, or faults.

use super::ContractFault;
use super::rules::{Action, DefaultRule, DomainCheck, SynonymRule, TransformRule, UnitChange};
use crate::naming::folded;
use crate::place::{Place, Step};
use crate::rungs::transforms::{DateForm, Factor};
use deed_detect::{CustomPattern, Guard, PersonalKind, Secrets};
use deed_diag::{codes, did_you_mean, quote};
use deed_imprint::Imprint;
use deed_logic::{Mode, Program};
use deed_model::{LadderContract, TransformKind};
use deed_schema::Schema;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Reads the parts of a contract, and collects the faults of all of them.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) faults: Vec<ContractFault>,
}

impl Reader {
    pub(super) fn fault(&mut self, pointer: &str, message: String, help: Option<String>) {
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

    pub(super) fn places(&mut self, list: &[String], pointer: &str) -> Vec<Place> {
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

    pub(super) fn imprint(&mut self, contract: &LadderContract) -> Option<Imprint> {
        match Schema::new(contract.schema.clone()).and_then(Imprint::new) {
            Ok(imprint) => Some(imprint),
            Err(refused) => {
                self.faults.push(ContractFault {
                    code: codes::BAD_CONTRACT_SCHEMA,
                    pointer: format!("/schema{}", refused.pointer),
                    message: format!("the schema is refused ({}): {}", refused.reason, refused.message),
                    help: Some("for an API write `schema: {openapi: api.yaml, operation: ID}`".to_owned()),
                });
                None
            }
        }
    }

    pub(super) fn guard(&mut self, contract: &LadderContract) -> Option<Guard> {
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

    pub(super) fn expected_personal(&mut self, contract: &LadderContract) -> Vec<(Place, String)> {
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

    pub(super) fn synonyms(&mut self, contract: &LadderContract) -> Vec<SynonymRule> {
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

    pub(super) fn defaults(&mut self, contract: &LadderContract) -> Vec<DefaultRule> {
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

    pub(super) fn transforms(&mut self, contract: &LadderContract) -> Vec<TransformRule> {
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

    pub(super) fn words(&mut self, contract: &LadderContract) -> Vec<(Option<Place>, usize)> {
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

    pub(super) fn confidence(&mut self, contract: &LadderContract) {
        if contract.patch.least_confidence > 1000 {
            let help = Some("no proposal is surer than 1000".to_owned());
            let message = "`least_confidence` is in thousandths, at most 1000".to_owned();
            self.fault("/patch/least_confidence", message, help);
        }
    }

    pub(super) fn allowed_keys(&mut self, contract: &LadderContract) -> Vec<(Place, HashSet<String>)> {
        let mut rules = Vec::new();
        for (index, allowed) in contract.allowed_keys.iter().enumerate() {
            let place = self.place(&allowed.at, &format!("/allowed_keys/{index}/at"));
            rules.push((place, allowed.keys.iter().cloned().collect()));
        }
        rules
    }

    pub(super) fn domain(&mut self, contract: &LadderContract) -> Vec<DomainCheck> {
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
