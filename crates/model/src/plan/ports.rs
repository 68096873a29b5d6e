//! What steps need and give, by meaning and form.

use crate::catalog::{ArtifactFormat, ProvenanceDemand};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a step needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AbstractInput {
    /// Its part between steps.
    pub slot: String,
    /// Whether the step cannot do without.
    #[serde(default = "yes")]
    pub required: bool,
    /// What it means.
    pub entity_schema_id: String,
    /// Forms that the step reads, the best first; those of the entity's canonical profile if there are none.
    #[serde(default)]
    pub accepted_kind_keys: Vec<String>,
    /// The profile it must have.
    #[serde(default)]
    pub profile_id: Option<String>,
    /// What is asked of its provenance.
    #[serde(default)]
    pub provenance_policy: ProvenanceDemand,
    /// The step that gives it, where several could; `mission` for what the mission is given.
    #[serde(default)]
    pub from: Option<String>,
    /// The file that carries it where it is given, where several could.
    #[serde(default)]
    pub path: Option<String>,
    /// Columns that the step reads; those that the entity requires if there are none.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Fields that say what one row is, if other than the entity's.
    #[serde(default)]
    pub grain: Vec<String>,
    /// Settings for adapters that need keys.
    #[serde(default)]
    pub adapt: Option<Adapt>,
    /// The role that it has for the adapter of the step, such as `left` or `right` of a join; by its place among the
    /// inputs if it is left out.
    #[serde(default)]
    pub role: Option<String>,
}

fn yes() -> bool {
    true
}

/// Settings for adapters that need keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Adapt {
    /// Columns to group or join by.
    pub keys: Vec<String>,
    /// What is computed of each group.
    #[serde(default)]
    pub measures: Vec<Measure>,
}

/// A number computed of a group of rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Measure {
    /// The column.
    pub field: String,
    /// What is computed.
    pub how: MeasureKind,
    /// The name of the result.
    pub name: String,
}

/// What is computed of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeasureKind {
    /// The sum.
    Sum,
    /// How many there are.
    Count,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The mean.
    Mean,
}

/// What a step gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AbstractOutput {
    /// Its part between steps.
    pub slot: String,
    /// What it means.
    pub entity_schema_id: String,
    /// Forms it may have, the best first; by its file name if there are none.
    #[serde(default)]
    pub preferred_kind_keys: Vec<String>,
    /// The profile it has.
    #[serde(default)]
    pub profile_id: Option<String>,
    /// The file that carries it, where that is not plain.
    #[serde(default)]
    pub path: Option<String>,
    /// Its columns.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Fields that say what one row is, if other than the entity's.
    #[serde(default)]
    pub grain: Vec<String>,
    /// Fields that say where each row came from.
    #[serde(default)]
    pub provenance_fields: Vec<String>,
}

/// What a file must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ArtifactSpec {
    /// The format of its bytes.
    pub format: ArtifactFormat,
    /// Its kind, where the format leaves several.
    #[serde(default)]
    pub kind_key: Option<String>,
    /// What is outermost in it.
    #[serde(default)]
    pub required_top_level_type: Option<TopLevelType>,
    /// Columns or keys that it must have.
    #[serde(default)]
    pub required_fields: Vec<String>,
}

/// What is outermost in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TopLevelType {
    /// A list.
    Array,
    /// An object.
    Object,
    /// Rows and columns.
    Table,
}
