//! Where the pack of a compile came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the pack of a compile came from, and who named it. Both are absent in recordings from before they were stated.
///
/// A folder and a pack that the request names are hashed as if nothing were stated, so that a compile from a folder keeps
/// its hash. A proven pack, a caller's choice and an environment are covered by the hash of the last stage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackSource {
    /// The origin of the documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<PackOrigin>,
    /// The party that named the pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_by: Option<PackNaming>,
}

impl PackSource {
    /// Returns true if nothing is stated.
    pub fn is_unstated(&self) -> bool {
        *self == Self::default()
    }
}

/// The origin of a pack's documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PackOrigin {
    /// The registry: bytes, signature, reviews and state were proven when it was loaded.
    Proven,
    /// A folder or file: nothing about it was proven.
    Folder,
}

impl PackOrigin {
    /// Returns the origin's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Folder => "folder",
        }
    }
}

impl std::fmt::Display for PackOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The party that named the pack of a compile.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum PackNaming {
    /// The request pins it.
    Request,
    /// The caller, for a request that pins none.
    Caller,
    /// The environment that has it pinned.
    Environment {
        /// The environment's name.
        environment: String,
    },
    /// The workspace of the compile, whose default it is, for a request that pins none.
    Workspace {
        /// The workspace's name.
        workspace: String,
        /// The environment that has it pinned, where the workspace names an id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        environment: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use serde_json::json;

    #[test]
    fn a_source_that_states_nothing_is_empty_and_reads_back() {
        let source = PackSource::default();
        assert!(source.is_unstated());
        assert_eq!(serde_json::to_value(&source).unwrap(), json!({}));
        let stated = PackSource {
            origin: Some(PackOrigin::Proven),
            named_by: Some(PackNaming::Environment { environment: "prod".to_owned() }),
        };
        let written = json!({ "origin": "proven", "named_by": { "by": "environment", "environment": "prod" } });
        assert_eq!(serde_json::to_value(&stated).unwrap(), written);
        assert_eq!(serde_json::from_value::<PackSource>(written).unwrap(), stated);
    }
}
