//! Settings of a workspace: what its runs use by default, and what they are held to.

use crate::ModelSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The settings of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceSettings {
    /// The profile of runs that name none, where the registry binds none to the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_profile: Option<String>,
    /// The pack of runs that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_pack: Option<DefaultPack>,
    /// The settings of models, and limits that only narrow: the workspace's level of the profile chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_settings: Option<Box<ModelSettings>>,
    /// The secrets that runs may send, by name, each with its source. Never a value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, SecretSource>,
    /// The limits of what is kept.
    #[serde(default)]
    pub quota: WorkspaceQuota,
}

/// A pack that runs use by default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DefaultPack {
    /// A published version, or with an environment an id.
    pub pack: String,
    /// The environment whose pinned version is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
}

/// The source of a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
pub enum SecretSource {
    /// The secret of the project with the same name.
    Project,
    /// A file of the project's folder of secrets.
    File {
        /// The name of the file.
        file: String,
    },
    /// An environment variable.
    Environment {
        /// The name of the variable.
        variable: String,
    },
}

/// The limits of what a workspace keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceQuota {
    /// The bytes of all versions together; equal content counts once.
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub bytes: u64,
    /// The number of versions of all files together.
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub versions: u64,
}

impl Default for WorkspaceQuota {
    fn default() -> Self {
        Self { bytes: 64 * 1024 * 1024 * 1024, versions: 1_000_000 }
    }
}
