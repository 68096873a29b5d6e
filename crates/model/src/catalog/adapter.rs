//! Adapters, as the compiler knows them: from which kinds to which, and what is lost on the way.

use super::names::KindKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdapterDeclaration {
    /// Its name, such as `csv_to_json_rows.v1`.
    pub adapter_id: String,
    /// The kinds it takes, one for each input.
    pub from: Vec<KindKey>,
    /// The roles of its inputs, in the same order, by which a plan tells them apart; empty where there is one input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The kind it makes.
    pub to: KindKey,
    /// What is lost.
    pub loss: Loss,
    /// What exactly, in words; empty where nothing is.
    #[serde(default)]
    pub drops: String,
    /// Whether fields of rows may have no parts of their own, such as lists.
    #[serde(default)]
    pub flat: bool,
    /// Whether the contract has to declare keys for it.
    #[serde(default)]
    pub needs_keys: bool,
}

/// What is lost on the way, from nothing to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Nothing: the way back gives the same.
    None,
    /// Nothing that the declared types do not give back.
    Typed,
    /// Something that no way back restores.
    Lossy,
}
