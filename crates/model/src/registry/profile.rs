//! Profiles in a registry: what an issuer signs, and what a profile is bound to.

use crate::ProfileRef;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The statement that an issuer signs: this document is this version of the profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileSignature {
    /// The profile.
    pub profile_ref: ProfileRef,
    /// The issuer.
    pub issuer: String,
    /// Typed hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
}

/// A prompt that was published with a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishedPrompt {
    /// Its reference.
    pub prompt_ref: String,
    /// Its hash.
    #[schemars(with = "String")]
    pub hash: ContentHash,
}

/// The scope that a profile is bound to. For a run the narrowest binding decides.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ProfileScope {
    /// Every run of a tenant.
    Tenant {
        /// The tenant.
        tenant_id: String,
    },
    /// Every run in a workspace.
    Workspace {
        /// The workspace.
        workspace: String,
    },
    /// One run.
    Run {
        /// The run.
        run_id: String,
    },
}

impl ProfileScope {
    /// Returns the name of the tenant, the workspace or the run.
    pub fn name(&self) -> &str {
        match self {
            Self::Tenant { tenant_id } => tenant_id,
            Self::Workspace { workspace } => workspace,
            Self::Run { run_id } => run_id,
        }
    }
}

impl fmt::Display for ProfileScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            Self::Tenant { .. } => "tenant",
            Self::Workspace { .. } => "workspace",
            Self::Run { .. } => "run",
        };
        write!(f, "{kind} {}", self.name())
    }
}
