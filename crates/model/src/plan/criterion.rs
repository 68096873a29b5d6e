//! Success criteria that the runtime can check.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// A criterion as authored: structured, or as a sentence in one of a few known forms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Criterion {
    /// `output/report.html exists and is valid html`, `work/rows.json has at least 1 row`.
    Sentence(String),
    /// A structured condition.
    Condition(Condition),
}

/// Criteria as authored: one text, or a list. Only for the schema; the value that is read is always a list.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Criteria {
    /// One sentence.
    One(String),
    /// Several conditions.
    Several(Vec<Criterion>),
}

/// Deserializes criteria that are one text or a list.
pub(super) fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Criterion>, D::Error> {
    Ok(match Criteria::deserialize(deserializer)? {
        Criteria::One(text) => vec![Criterion::Sentence(text)],
        Criteria::Several(all) => all,
    })
}

/// A structured condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The check.
    pub check: ConditionCheck,
    /// The file to check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The number of rows, for `rows_at_least` and `rows_at_most`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The rule, for `rule`: strict JsonLogic over facts such as `outputs.findings.rows`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Value>,
}

/// The check of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConditionCheck {
    /// The file exists.
    Exists,
    /// It has at least one byte.
    NotEmpty,
    /// It parses in its format.
    Parses,
    /// Every row, or the document, satisfies its entity schema.
    MatchesSchema,
    /// It has at least the given number of rows.
    RowsAtLeast,
    /// It has at most the given number of rows.
    RowsAtMost,
    /// A rule over facts holds.
    Rule,
}
