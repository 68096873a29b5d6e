//! Conditions of success that a machine can check.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// A condition as it is written: in parts, or as a sentence of the few forms that are understood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Criterion {
    /// `output/report.html exists and is valid html`, `work/rows.json has at least 1 row`.
    Sentence(String),
    /// A condition in parts.
    Condition(Condition),
}

/// Conditions as a plan writes them: one text, or a list. Used for the schema; what is read is always a list.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Criteria {
    /// One sentence.
    One(String),
    /// Several conditions.
    Several(Vec<Criterion>),
}

/// Reads conditions that are one text or a list.
pub(super) fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Criterion>, D::Error> {
    Ok(match Criteria::deserialize(deserializer)? {
        Criteria::One(text) => vec![Criterion::Sentence(text)],
        Criteria::Several(all) => all,
    })
}

/// A condition in parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// What is checked.
    pub check: ConditionCheck,
    /// The file it is checked of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How many, for `rows_at_least` and `rows_at_most`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The rule, for `rule`: strict JsonLogic over facts such as `outputs.findings.rows`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Value>,
}

/// What is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConditionCheck {
    /// The file is there.
    Exists,
    /// It has at least one byte.
    NotEmpty,
    /// It can be read in its format.
    Parses,
    /// Every row, or the document, satisfies its entity schema.
    MatchesSchema,
    /// It has at least so many rows.
    RowsAtLeast,
    /// It has at most so many rows.
    RowsAtMost,
    /// A rule over facts holds.
    Rule,
}
