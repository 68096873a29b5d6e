//! A ladder contract: all that a payload is held to, and how far it may be corrected.
//!
//! Places are JSON Pointers in which `*` stands for any one key or index.

use super::rung::{LadderMode, Phase, Rung};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a payload is held to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderContract {
    /// Its name.
    pub contract: String,
    /// The JSON Schema that the payload must satisfy.
    pub schema: Value,
    /// What the guard stops.
    #[serde(default)]
    pub guard: GuardRules,
    /// Names that mean canonical names.
    #[serde(default)]
    pub synonyms: Vec<Synonym>,
    /// Which structural fixes may be made.
    #[serde(default)]
    pub structure: Structure,
    /// Values for what is missing.
    #[serde(default)]
    pub defaults: Defaults,
    /// Conventions, applied in this order.
    #[serde(default)]
    pub transforms: Vec<Transform>,
    /// Renaming by likeness of names; without it nothing is renamed so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector: Option<VectorRename>,
    /// What proposals may touch.
    #[serde(default)]
    pub patch: PatchGuardrails,
    /// Keys that are kept; others of the same object are stripped. Objects that are not named keep all keys.
    #[serde(default)]
    pub allowed_keys: Vec<AllowedKeys>,
    /// Rules beyond the schema.
    #[serde(default)]
    pub domain: Vec<DomainRule>,
    /// How much may be changed before the payload counts as wrong and not as fixable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit_budget: Option<EditBudget>,
    /// How strictly rungs run; `block` where nothing is said.
    #[serde(default)]
    pub modes: BTreeMap<Rung, LadderMode>,
    /// The same for single phases, over what `modes` says.
    #[serde(default)]
    pub phases: BTreeMap<Phase, BTreeMap<Rung, LadderMode>>,
}

/// What the guard stops.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GuardRules {
    /// Whether credentials are sought.
    #[serde(default = "yes")]
    pub secrets: bool,
    /// Classes of personal data that are sought, such as `credit_card` or `email`.
    #[serde(default)]
    pub personal: Vec<String>,
    /// Content that must never pass.
    #[serde(default)]
    pub forbidden: Vec<ForbiddenContent>,
    /// Places where a class of personal data is expected.
    #[serde(default)]
    pub allow: Vec<AllowedPersonal>,
}

impl Default for GuardRules {
    fn default() -> Self {
        Self { secrets: true, personal: Vec::new(), forbidden: Vec::new(), allow: Vec::new() }
    }
}

/// Content that must never pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForbiddenContent {
    /// Its name in reports.
    pub id: String,
    /// A regular expression.
    pub pattern: String,
}

/// A place where a class of personal data is expected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowedPersonal {
    /// The place.
    pub at: String,
    /// The class.
    pub class: String,
}

/// Names that mean one canonical name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Synonym {
    /// The object they stand in; the outermost where nothing is said, `**` for any object.
    #[serde(default)]
    pub at: String,
    /// The names.
    pub from: Vec<String>,
    /// The canonical name.
    pub to: String,
}

/// Structural fixes that may be made, each only where the schema leaves one reading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// The fixes.
    #[serde(default = "all_fixes")]
    pub fixes: Vec<StructuralFix>,
    /// Keys that may be needless wrappers; with none, any single key may be one.
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
    /// Text that should be an object or a list and is the JSON of one.
    ParseText,
    /// An object around what was asked for.
    Unwrap,
    /// One item where a list of such items is asked for.
    WrapItem,
    /// A number or a boolean written as text.
    ReadScalar,
}

fn all_fixes() -> Vec<StructuralFix> {
    vec![StructuralFix::ParseText, StructuralFix::Unwrap, StructuralFix::WrapItem, StructuralFix::ReadScalar]
}

/// Values for what is missing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Defaults {
    /// Whether the schema's own `default` values are put in.
    #[serde(default)]
    pub from_schema: bool,
    /// Values of the contract's own, which win over the schema's.
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
    /// Only while this holds of the object around it (JsonLogic).
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
    /// What is done.
    pub apply: TransformKind,
    /// Only while this holds of the object around it (JsonLogic); `value` is the value, `payload` the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Value>,
}

/// What a transform does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransformKind {
    /// Each word begins with a capital.
    TitleCase,
    /// All capitals.
    UpperCase,
    /// No capitals.
    LowerCase,
    /// No blanks at either end, single ones within.
    Trim,
    /// A number in another unit.
    Scale(ScaleTransform),
    /// A date in another form.
    Date(DateTransform),
    /// The value of an expression (JsonLogic) over the object around it, `value` and `payload`.
    Set(Value),
}

/// A number in another unit. The unit is named beside it, so that nothing is scaled twice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScaleTransform {
    /// What the number is multiplied by, as an exact decimal.
    pub factor: String,
    /// The key beside it that names the unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit_key: Option<String>,
    /// The unit that is scaled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The unit it becomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// A date in another form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DateTransform {
    /// The forms that are read, made of `YYYY`, `MM`, `DD`, `M` and `D`; two that read one text as two dates are refused.
    pub from: Vec<String>,
    /// The form that is written.
    #[serde(default = "iso_date")]
    pub to: String,
}

fn iso_date() -> String {
    "YYYY-MM-DD".to_owned()
}

/// Renaming by likeness of names.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VectorRename {
    /// What a record is called, so that its name in a field's name weighs little.
    #[serde(default)]
    pub subject: String,
    /// Canonical names beyond those of the schema, or with words that tell what they mean.
    #[serde(default)]
    pub vocabulary: Vec<VocabularyWord>,
    /// The least likeness for a rename, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<u16>,
    /// How far the second best must lie behind, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<u16>,
}

/// A canonical name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VocabularyWord {
    /// The object it stands in; any where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The name.
    pub name: String,
    /// Other names for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What it means.
    #[serde(default)]
    pub description: String,
}

/// What proposals may touch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchGuardrails {
    /// Places that may be changed; anywhere if none is named.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Places that may not, over what `allow` says.
    #[serde(default)]
    pub deny: Vec<String>,
    /// The least confidence a proposal needs, in thousandths.
    #[serde(default)]
    pub least_confidence: u16,
    /// Operations that one proposal may have.
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

/// Keys that an object keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowedKeys {
    /// The object; the outermost where nothing is said.
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
    /// The object it speaks of; the outermost where nothing is said. For several, it must hold for each.
    #[serde(default)]
    pub at: String,
    /// What must hold (strict JsonLogic); `payload` is the whole.
    pub rule: Value,
    /// Only while this holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Value>,
    /// What is said if it does not hold.
    pub message: String,
    /// How much it weighs.
    #[serde(default)]
    pub severity: RuleWeight,
}

/// How much a rule weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleWeight {
    /// Worth knowing.
    Warning,
    /// Refuses the payload.
    #[default]
    Error,
}

/// How much may be changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditBudget {
    /// Changes in all.
    pub most_changes: usize,
    /// Changes by single rungs.
    #[serde(default)]
    pub by_rung: BTreeMap<Rung, usize>,
}

fn yes() -> bool {
    true
}
