//! People of a workspace, and the authority of an approver.

use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A person of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspacePerson {
    /// The identity, as it is recorded as the actor.
    pub person_id: String,
    /// The name for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The roles.
    pub roles: BTreeSet<String>,
    /// The time at which the person was added.
    pub added_at: String,
    /// The person who added them.
    pub added_by: String,
}

/// The authority by which an approver decided in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApproverAuthority {
    /// The directory of the workspace has the role for them.
    Directory,
    /// They are the only person of the workspace, and so its own approver.
    SolePerson,
}

impl ApproverAuthority {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Directory => "directory",
            Self::SolePerson => "sole_person",
        }
    }
}

/// An authority that an approver has, and the event since which they have had it without a break. Who is removed and added
/// again, or loses a role and gets it back, has it anew: an approval that was given before does not count any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldAuthority {
    /// The authority.
    pub authority: ApproverAuthority,
    /// The hash of the event of the workspace's log.
    pub since: ContentHash,
}
