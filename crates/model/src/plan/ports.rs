//! Abstract inputs and outputs of steps, by slot, entity and kind.

use crate::catalog::{ArtifactFormat, ProvenanceDemand};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An input of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AbstractInput {
    /// The slot.
    pub slot: String,
    /// True if the step requires it.
    #[serde(default = "yes")]
    pub required: bool,
    /// The type of the data: an entity of the plan or of the catalogue, such as `generic.file`.
    pub entity_schema_id: String,
    /// Kinds that the step reads, the best first; those of the entity's canonical profile by default.
    #[serde(default)]
    pub accepted_kind_keys: Vec<String>,
    /// The required profile.
    #[serde(default)]
    pub profile_id: Option<String>,
    /// The provenance that it must have.
    #[serde(default)]
    pub provenance_policy: ProvenanceDemand,
    /// The step that produces it, if several could; `mission` for an input of the mission.
    #[serde(default)]
    pub from: Option<String>,
    /// The file that carries it at its producer, if several could.
    #[serde(default)]
    pub path: Option<String>,
    /// Columns that the step reads; the entity's required ones by default.
    #[serde(default)]
    pub fields: Vec<String>,
    /// The fields that identify a row, if they differ from the entity's.
    #[serde(default)]
    pub grain: Vec<String>,
    /// Settings for adapters that need keys.
    #[serde(default)]
    pub adapt: Option<AdapterSettings>,
    /// The input's role for the adapter of the step, such as `left` or `right` of a join; by its position among the
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
pub struct AdapterSettings {
    /// Columns to group or join by.
    pub keys: Vec<String>,
    /// The measures of each group.
    #[serde(default)]
    pub measures: Vec<Measure>,
}

/// A measure: a number computed from a group of rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Measure {
    /// The column.
    pub field: String,
    /// The kind of measure.
    pub how: MeasureKind,
    /// The name of the result.
    pub name: String,
}

/// The kind of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeasureKind {
    /// The sum.
    Sum,
    /// The number of values.
    Count,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
    /// The mean.
    Mean,
}

/// An output of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AbstractOutput {
    /// The slot.
    pub slot: String,
    /// The type of the data: an entity of the plan or of the catalogue, such as `generic.file`.
    pub entity_schema_id: String,
    /// Kinds that it may have, the best first; by its file name if the list is empty.
    #[serde(default)]
    pub preferred_kind_keys: Vec<String>,
    /// The profile it has.
    #[serde(default)]
    pub profile_id: Option<String>,
    /// The file that carries it, if that is ambiguous.
    #[serde(default)]
    pub path: Option<String>,
    /// Its columns.
    #[serde(default)]
    pub fields: Vec<String>,
    /// The fields that identify a row, if they differ from the entity's.
    #[serde(default)]
    pub grain: Vec<String>,
    /// Provenance fields: the source of each row.
    #[serde(default)]
    pub provenance_fields: Vec<String>,
}

/// The artifact contract of a file, as authored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ArtifactSpec {
    /// The format of its bytes.
    pub format: ArtifactFormat,
    /// Its kind, if the format allows several.
    #[serde(default)]
    pub kind_key: Option<String>,
    /// The type of its outermost value.
    #[serde(default)]
    pub required_top_level_type: Option<TopLevelType>,
    /// Required columns or keys.
    #[serde(default)]
    pub required_fields: Vec<String>,
}

/// The type of the outermost value of a file.
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
