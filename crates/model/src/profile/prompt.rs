//! Prompts: texts with declared variables, versioned and hashed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A prompt. Its text holds variables in double braces, each of them declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PromptBinding {
    /// Its name and version: `workspace.operator.planner.system@v1`.
    #[schemars(length(min = 1, max = 210))]
    pub prompt_ref: String,
    /// Its purpose, for people.
    #[serde(default)]
    pub description: String,
    /// The text.
    #[schemars(length(min = 1, max = 100_000))]
    pub text: String,
    /// The variables of the text, by name.
    #[serde(default)]
    pub variables: BTreeMap<String, PromptVariable>,
}

/// A variable of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PromptVariable {
    /// What it stands for.
    #[serde(default)]
    pub description: String,
    /// The source of its value, which decides whether it is fenced.
    #[serde(default)]
    pub source: VariableSource,
}

/// The source of a variable's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VariableSource {
    /// Text from outside: users, files, models, tools. It is fenced as data.
    #[default]
    Outside,
    /// Text of the signed profile. It is inserted as it is, with nothing hidden in it.
    Authored,
    /// A word that the runtime made, such as a number or an id. It is inserted as it is, on one line.
    Runtime,
}
