//! Ladder contracts: the rules that a payload must satisfy, and how far it may be corrected.
//!
//! Places are JSON Pointers in which `*` stands for any one key or index.

use super::rung::{LadderMode, Phase, Rung};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A ladder contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderContract {
    /// Its name.
    pub contract: String,
    /// The JSON Schema that the payload must satisfy, or `{openapi, operation, part}`: the file of an API description
    /// beside the contract, one of its operations, and `body` or `request` (the default). The hash of the contract covers
    /// the schema of the operation.
    pub schema: Value,
    /// The rule for prose beside the value in a text.
    #[serde(default, skip_serializing_if = "ProseRule::is_default")]
    pub prose: ProseRule,
    /// The rules of the guard.
    #[serde(default)]
    pub guard: GuardRules,
    /// Synonyms of canonical names.
    #[serde(default)]
    pub synonyms: Vec<Synonym>,
    /// The structural fixes that are allowed.
    #[serde(default)]
    pub structure: Structure,
    /// Values for missing keys.
    #[serde(default)]
    pub defaults: Defaults,
    /// Conventions, applied in this order.
    #[serde(default)]
    pub transforms: Vec<Transform>,
    /// Renaming by similarity of names; without it nothing is renamed by similarity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector: Option<VectorRename>,
    /// The limits of proposals.
    #[serde(default)]
    pub patch: PatchGuardrails,
    /// Keys that are kept; other keys of the same object are removed. Objects that are not listed keep all keys.
    #[serde(default)]
    pub allowed_keys: Vec<AllowedKeys>,
    /// Rules beyond the schema.
    #[serde(default)]
    pub domain: Vec<DomainRule>,
    /// The edit budget: with more changes the payload counts as wrong, not as fixable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit_budget: Option<EditBudget>,
    /// The mode of each rung; `block` by default.
    #[serde(default)]
    pub modes: BTreeMap<Rung, LadderMode>,
    /// The mode of rungs in single phases, which overrides `modes`.
    #[serde(default)]
    pub phases: BTreeMap<Phase, BTreeMap<Rung, LadderMode>>,
}

/// The rule for prose beside the value in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProseRule {
    /// Removes prose that leaves the value as it is: lead-ins, offers, explanations. Other prose refuses the text.
    #[default]
    Framing,
    /// Refuses a text with any prose beside the value.
    Refuse,
}

impl ProseRule {
    /// Returns whether it is the rule of a contract that names none.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The rules of the guard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GuardRules {
    /// True if credentials are searched for.
    #[serde(default = "yes")]
    pub secrets: bool,
    /// Classes of personal data to search for, such as `credit_card` or `email`.
    #[serde(default)]
    pub personal: Vec<String>,
    /// Forbidden content.
    #[serde(default)]
    pub forbidden: Vec<ForbiddenContent>,
    /// Places where a class of personal data is allowed.
    #[serde(default)]
    pub allow: Vec<AllowedPersonal>,
}

impl Default for GuardRules {
    fn default() -> Self {
        Self { secrets: true, personal: Vec::new(), forbidden: Vec::new(), allow: Vec::new() }
    }
}

/// Forbidden content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForbiddenContent {
    /// Its name in reports.
    pub id: String,
    /// A regular expression.
    pub pattern: String,
}

/// A place where a class of personal data is allowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowedPersonal {
    /// The place.
    pub at: String,
    /// The class.
    pub class: String,
}

/// Synonyms of one canonical name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Synonym {
    /// The object that they stand in; the outermost by default, `**` for any object.
    #[serde(default)]
    pub at: String,
    /// The synonyms.
    pub from: Vec<String>,
    /// The canonical name.
    pub to: String,
}

/// Structural fixes, each applied only if the schema leaves one reading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// The fixes.
    #[serde(default = "all_fixes")]
    pub fixes: Vec<StructuralFix>,
    /// Keys that may be redundant wrappers; if empty, any single key may be one.
    #[serde(default)]
    pub wrappers: Vec<String>,
}

impl Default for Structure {
    fn default() -> Self {
        Self { fixes: all_fixes(), wrappers: Vec::new() }
    }
}

/// A structural fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StructuralFix {
    /// Parses text that should be an object or a list and is the JSON of one.
    ParseText,
    /// Removes an object around the requested value.
    Unwrap,
    /// Wraps a single item in the requested list, or a value in the requested object of one key.
    WrapItem,
    /// Parses a number or a boolean that is written as text.
    ReadScalar,
}

fn all_fixes() -> Vec<StructuralFix> {
    vec![StructuralFix::ParseText, StructuralFix::Unwrap, StructuralFix::WrapItem, StructuralFix::ReadScalar]
}

/// Values for missing keys.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Defaults {
    /// True if the schema's own `default` values are inserted.
    #[serde(default)]
    pub from_schema: bool,
    /// The contract's own values, which override the schema's.
    #[serde(default)]
    pub values: Vec<DefaultValue>,
}

/// A value for a missing key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DefaultValue {
    /// The place of the key.
    pub at: String,
    /// The value.
    pub value: Value,
    /// A condition on the surrounding object (JsonLogic).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Value>,
}

/// A convention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Transform {
    /// Its name in reports.
    pub id: String,
    /// The place of the value.
    pub at: String,
    /// The operation.
    pub apply: TransformKind,
    /// A condition on the surrounding object (JsonLogic); `value` is the value, `payload` the whole payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Value>,
}

/// The operation of a transform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransformKind {
    /// Title Case.
    TitleCase,
    /// UPPER CASE.
    UpperCase,
    /// lower case.
    LowerCase,
    /// Trims blanks, and collapses those within.
    Trim,
    /// Converts a number to another unit.
    Scale(ScaleTransform),
    /// Converts a date to another format.
    Date(DateTransform),
    /// Evaluates an expression (JsonLogic) over the surrounding object, `value` and `payload`.
    Set(Value),
}

/// A conversion of a number to another unit. The unit is named beside it, so that no value is scaled twice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScaleTransform {
    /// The factor, as an exact decimal.
    pub factor: String,
    /// The key of the sibling that names the unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit_key: Option<String>,
    /// The unit to convert from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The unit to convert to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// A conversion of a date to another format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DateTransform {
    /// The input formats, made of `YYYY`, `MM`, `DD`, `M` and `D`; two formats that read one text as two dates are
    /// refused.
    pub from: Vec<String>,
    /// The output format.
    #[serde(default = "iso_date")]
    pub to: String,
}

fn iso_date() -> String {
    "YYYY-MM-DD".to_owned()
}

/// Renaming by similarity of names.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VectorRename {
    /// The name of a record; it counts for little in a field's name.
    #[serde(default)]
    pub subject: String,
    /// Canonical names beyond those of the schema, or with descriptions of their meaning.
    #[serde(default)]
    pub vocabulary: Vec<VocabularyWord>,
    /// The minimum similarity for a rename, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<u16>,
    /// The minimum lead over the second-best name, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<u16>,
}

/// A canonical name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VocabularyWord {
    /// The object that it stands in; any by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The name.
    pub name: String,
    /// Synonyms.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// A description of its meaning.
    #[serde(default)]
    pub description: String,
}

/// The limits of proposals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchGuardrails {
    /// Places that may be changed; all if the list is empty.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Places that must not be changed, which overrides `allow`.
    #[serde(default)]
    pub deny: Vec<String>,
    /// The minimum confidence of a proposal, in thousandths.
    #[serde(default)]
    pub least_confidence: u16,
    /// The maximum number of operations in one proposal.
    #[serde(default = "few")]
    pub most_operations: usize,
}

impl Default for PatchGuardrails {
    fn default() -> Self {
        Self { allow: Vec::new(), deny: Vec::new(), least_confidence: 0, most_operations: few() }
    }
}

fn few() -> usize {
    16
}

/// The keys that an object keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowedKeys {
    /// The object; the outermost by default.
    #[serde(default)]
    pub at: String,
    /// The keys.
    pub keys: Vec<String>,
}

/// A rule beyond the schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DomainRule {
    /// Its name in reports.
    pub id: String,
    /// The object that it applies to; the outermost by default. If several match, it must hold for each.
    #[serde(default)]
    pub at: String,
    /// The condition (strict JsonLogic); `payload` is the whole payload.
    pub rule: Value,
    /// A precondition: the rule applies only if it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Value>,
    /// The message if it does not hold.
    pub message: String,
    /// The weight.
    #[serde(default)]
    pub severity: RuleWeight,
}

/// The weight of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleWeight {
    /// A remark.
    Warning,
    /// A violation refuses the payload.
    #[default]
    Error,
}

/// The maximum number of changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditBudget {
    /// In total.
    pub most_changes: usize,
    /// Per rung.
    #[serde(default)]
    pub by_rung: BTreeMap<Rung, usize>,
}

fn yes() -> bool {
    true
}
