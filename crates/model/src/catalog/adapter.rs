//! Adapter declarations: the kinds that an adapter converts between, and what is lost in between.

use super::names::KindKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The declaration of an adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdapterDeclaration {
    /// The adapter's id, such as `csv_to_json_rows.v1`.
    pub adapter_id: String,
    /// The kinds it reads, one for each input.
    pub from: Vec<KindKey>,
    /// The roles of its inputs, in the same order; empty for an adapter with one input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The kind it writes.
    pub to: KindKey,
    /// How much of the data is lost.
    pub loss: Loss,
    /// A description of what is lost; empty if nothing is.
    #[serde(default)]
    pub drops: String,
    /// True if fields of rows must be scalars: no lists or objects.
    #[serde(default)]
    pub flat: bool,
    /// True if the step contract must declare keys for it.
    #[serde(default)]
    pub needs_keys: bool,
}

/// How much of the data a conversion loses; ordered, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Nothing: converting back gives the same bytes or values.
    None,
    /// Nothing that the declared types cannot restore.
    Typed,
    /// Data that no conversion restores.
    Lossy,
}
