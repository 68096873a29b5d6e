//! Policy bundles, guardrails and approval gates.

use crate::ApprovalMode;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Deterministic rules, evaluated outside any model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PolicyLayer {
    /// Bundles of rules; higher priority is evaluated first.
    pub policy_bundles: Vec<PolicyBundle>,
    /// Refusals and escalations, evaluated before any rule.
    pub guardrails: Guardrails,
    /// Approval gates.
    #[serde(default)]
    pub approval_gates: Vec<ApprovalGate>,
    /// The sign-offs that are required before the pack can be signed; all four roles by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_policy: Option<ReviewPolicy>,
}

/// A bundle of rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PolicyBundle {
    /// Unique id of the bundle.
    #[schemars(length(min = 1))]
    pub bundle_id: String,
    /// Higher is evaluated first; ties are broken by bundle id.
    #[schemars(range(min = -1_000_000, max = 1_000_000))]
    pub priority: i64,
    /// A description; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The rules and their language.
    pub policy_dsl: PolicyDsl,
}

/// Rules in a language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PolicyDsl {
    /// The language of the predicates.
    pub language: PolicyLanguage,
    /// The rules, evaluated in this order.
    pub rules: Vec<Rule>,
}

/// The language of predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PolicyLanguage {
    /// Strict JsonLogic: a missing variable or a comparison across types is an error, and an error denies.
    #[serde(rename = "jsonlogic")]
    Strict,
    /// JsonLogic with the semantics of json-logic-js.
    #[serde(rename = "jsonlogic-compat")]
    Compat,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Rule {
    /// Unique id of the rule.
    #[schemars(length(min = 1))]
    pub rule_id: String,
    /// The requests that the rule applies to; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applies_to: Option<IntentScope>,
    /// The predicate.
    #[serde(rename = "if")]
    pub condition: Value,
    /// The outcome if the predicate holds.
    pub then: RuleOutcome,
    /// The outcome if it does not.
    #[serde(rename = "else", default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<RuleOutcome>,
    /// The decision that the rule governs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_binding: Option<String>,
    /// The rationale, for people who are affected by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// True if an error in the predicate skips the rule instead of denying.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub non_enforcing: Option<bool>,
}

/// The requests that a rule or a gate applies to: those of the intents that it names, all if it names none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct IntentScope {
    /// The intent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// Several intents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intents: Vec<String>,
}

impl IntentScope {
    /// Iterates over the intents that it names, under either field.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        self.intent.iter().chain(&self.intents).map(String::as_str)
    }

    /// Returns true if requests of the intent are in scope.
    pub fn covers(&self, intent: &str) -> bool {
        self.named().next().is_none() || self.named().any(|own| own == intent)
    }
}

/// The outcome of a rule.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RuleOutcome {
    /// `false` denies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow: Option<bool>,
    /// The reason, for the person concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Evidence and obligations that the rule requires; `approval` requires a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// Capabilities (`adapter.capability`) that the rule forbids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbids: Vec<String>,
    /// An alias of `forbids`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prohibits: Vec<String>,
    /// The approval gate that it requires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_approval_gate: Option<String>,
    /// The approval mode; never above the declared one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<ApprovalMode>,
    /// The capabilities (`adapter.capability`) that mode and argument bounds apply to; without it, only the rule's
    /// decision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<String>,
    /// Bounds on arguments by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arg_constraints: BTreeMap<String, ArgConstraint>,
}

impl RuleOutcome {
    /// Returns the forbidden capabilities, under either name.
    pub fn forbidden(&self) -> impl Iterator<Item = &str> {
        self.forbids.iter().chain(&self.prohibits).map(String::as_str)
    }
}

/// A bound on one argument of a capability.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ArgConstraint {
    /// True if the argument is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Smallest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Number>,
    /// Largest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Number>,
    /// The only values allowed.
    #[serde(rename = "enum", default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Value>,
    /// A regular expression that the text must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Longest text, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// The only value allowed: a constant, or strict JsonLogic over the evaluation context that ties the argument to
    /// the request (`{"var": "request.context.amount"}`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Value>,
}

/// Refusals, escalations and redactions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Guardrails {
    /// Conditions under which a run must refuse.
    #[serde(default)]
    pub must_refuse: Vec<Guardrail>,
    /// Conditions under which a run must hand over to a person.
    #[serde(default)]
    pub must_escalate: Vec<Guardrail>,
    /// Redaction rules: built-in rules by name, such as `credit_card`, and the pack's own patterns.
    #[serde(default)]
    pub redaction_rules: Vec<RedactionRule>,
}

/// A redaction rule: a built-in one by name, or a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedactionRule {
    /// A built-in rule.
    Named(String),
    /// A rule of the pack's own.
    Pattern(RedactionPattern),
}

/// A redaction rule of the pack's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RedactionPattern {
    /// Unique id: letters, digits, `_`, `-` and `.`.
    #[schemars(length(min = 1, max = 64))]
    pub id: String,
    /// A regular expression that runs in linear time; if it has a group `value`, only that is redacted.
    #[schemars(length(min = 1, max = 1024))]
    pub pattern: String,
    /// A description; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

impl RedactionRule {
    /// Returns the name or id.
    pub fn id(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Pattern(rule) => &rule.id,
        }
    }
}

impl Serialize for RedactionRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Named(name) => serializer.serialize_str(name),
            Self::Pattern(rule) => rule.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for RedactionRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = RedactionRule;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name or an object with `id` and `pattern`")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<RedactionRule, E> {
                Ok(RedactionRule::Named(name.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RedactionRule, A::Error> {
                RedactionPattern::deserialize(de::value::MapAccessDeserializer::new(map)).map(RedactionRule::Pattern)
            }
        }
        deserializer.deserialize_any(Form)
    }
}

impl JsonSchema for RedactionRule {
    fn schema_name() -> Cow<'static, str> {
        "RedactionRule".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let object = generator.subschema_for::<RedactionPattern>();
        json_schema!({
            "description": "A built-in redaction rule by name, or a pattern of the pack's own.",
            "anyOf": [{ "type": "string", "minLength": 1 }, object]
        })
    }
}

/// A static label, or a predicate that activates.
#[derive(Debug, Clone, PartialEq)]
pub enum Guardrail {
    /// A label that is copied to the runtime controls and changes no outcome by itself.
    Label(String),
    /// A guardrail that is active while its predicate holds.
    Predicate {
        /// Unique id.
        id: String,
        /// The predicate, always strict JsonLogic.
        when: Value,
        /// The rationale.
        rationale: Option<String>,
    },
}

impl Guardrail {
    /// Returns the label or id.
    pub fn id(&self) -> &str {
        match self {
            Self::Label(id) | Self::Predicate { id, .. } => id,
        }
    }
}

impl Serialize for Guardrail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Label(label) => serializer.serialize_str(label),
            Self::Predicate { id, when, rationale } => {
                PredicateForm { id: id.clone(), when: when.clone(), rationale: rationale.clone() }.serialize(serializer)
            }
        }
    }
}

/// The object form of a guardrail.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "GuardrailPredicate", deny_unknown_fields)]
struct PredicateForm {
    /// Unique id.
    id: String,
    /// The predicate, always strict JsonLogic.
    when: Value,
    /// The rationale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rationale: Option<String>,
}

impl<'de> Deserialize<'de> for Guardrail {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Guardrail;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a label or an object with `id` and `when`")
            }
            fn visit_str<E: de::Error>(self, label: &str) -> Result<Guardrail, E> {
                Ok(Guardrail::Label(label.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Guardrail, A::Error> {
                let form = PredicateForm::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Guardrail::Predicate { id: form.id, when: form.when, rationale: form.rationale })
            }
        }
        deserializer.deserialize_any(Form)
    }
}

impl JsonSchema for Guardrail {
    fn schema_name() -> Cow<'static, str> {
        "Guardrail".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let object = generator.subschema_for::<PredicateForm>();
        json_schema!({
            "description": "A static label, or a predicate that activates.",
            "anyOf": [{ "type": "string", "minLength": 1 }, object]
        })
    }
}

/// An approval gate: a person must approve while it is active.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ApprovalGate {
    /// Unique id of the gate.
    #[schemars(length(min = 1))]
    pub gate_id: String,
    /// The requests that the gate applies to; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applies_to: Option<IntentScope>,
    /// The predicate that activates the gate, always strict JsonLogic. One that reads `call` is decided when a tool is
    /// called.
    pub when: Value,
    /// The roles that may approve.
    #[schemars(length(min = 1))]
    pub required_approver_role: String,
    /// Seconds that an approval is valid.
    #[schemars(range(min = 1))]
    pub ttl_seconds: u64,
    /// A description; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// The sign-offs that are required before a pack can be signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReviewPolicy {
    /// The required roles.
    #[schemars(length(min = 1))]
    pub required_roles: Vec<ReviewRole>,
}

/// A review role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewRole {
    /// Architecture: it fits the system.
    Architecture,
    /// Security: it opens no holes.
    Security,
    /// Data: it handles data properly.
    Data,
    /// Evaluation: it is measured well enough.
    Evaluation,
}

impl ReviewRole {
    /// All roles; the default if a pack names none.
    pub const ALL: [Self; 4] = [Self::Architecture, Self::Security, Self::Data, Self::Evaluation];

    /// Returns the role's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Architecture => "architecture",
            Self::Security => "security",
            Self::Data => "data",
            Self::Evaluation => "evaluation",
        }
    }
}

impl fmt::Display for ReviewRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for ReviewRole {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|r| r.as_str() == text).ok_or_else(|| format!("`{text}` is not a review role"))
    }
}

impl PolicyLayer {
    /// Returns the required roles, in a fixed order and each once.
    pub fn required_reviews(&self) -> Vec<ReviewRole> {
        let mut roles = match &self.review_policy {
            Some(policy) => policy.required_roles.clone(),
            None => ReviewRole::ALL.to_vec(),
        };
        roles.sort_unstable();
        roles.dedup();
        roles
    }
}
