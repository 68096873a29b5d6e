//! Events of the log of a workspace. The state of the workspace is a fold over them.

use super::file::{FileOrigin, FileSuccessor, StoredContent};
use super::frozen::WorkspaceInput;
use super::settings::WorkspaceSettings;
use crate::RunOutcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One entry of the log of a workspace: the body of a link in the hash chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceLogEvent {
    /// The version of this record's format. A reader refuses a version that it does not know.
    pub format: u32,
    /// The time, in RFC 3339 and UTC.
    pub at: String,
    /// The actor, as named by the caller.
    pub actor: String,
    /// The event.
    pub event: WorkspaceEvent,
}

/// A transition of a workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum WorkspaceEvent {
    /// The workspace was created. Its actor is its first person and owner.
    WorkspaceCreated {
        /// The name.
        workspace: String,
        /// The tenant of the home.
        tenant_id: String,
        /// The kind of work that it is for, in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        purpose: Option<String>,
    },
    /// The settings were replaced.
    SettingsChanged {
        /// All settings from now on.
        settings: Box<WorkspaceSettings>,
    },
    /// A person was added, or was given other roles.
    PersonAdded {
        /// The identity, as it is recorded as the actor.
        person_id: String,
        /// The name for readers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// All roles from now on.
        roles: BTreeSet<String>,
    },
    /// A person was removed.
    PersonRemoved {
        /// The identity.
        person_id: String,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A version of a file was written.
    FileWritten {
        /// The path, beginning with `people/` or `agents/`.
        path: String,
        /// The version, counted from 1 for each path.
        version: u64,
        /// The content.
        content: StoredContent,
        /// The origin.
        origin: FileOrigin,
        /// The version that stays the newest, since its run was submitted after the run of this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        superseded_by: Option<FileSuccessor>,
    },
    /// A file was removed: this version says so, and the versions before it stay.
    FileRemoved {
        /// The path.
        path: String,
        /// The version.
        version: u64,
        /// The reason.
        reason: String,
        /// The output of a run that takes its place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaced_by: Option<FileSuccessor>,
    },
    /// A run of the workspace was submitted.
    RunBegan {
        /// The run.
        run_id: String,
        /// The name of its plan.
        plan: String,
        /// The file versions that it reads.
        inputs: Vec<WorkspaceInput>,
    },
    /// A run of the workspace ended. The outputs of one that succeeded were verified and written just before this event.
    RunEnded {
        /// The run.
        run_id: String,
        /// The outcome.
        outcome: RunOutcome,
        /// The number of files that were written.
        files: u64,
    },
}

impl WorkspaceEvent {
    /// Returns the name of the event.
    pub fn name(&self) -> &'static str {
        match self {
            Self::WorkspaceCreated { .. } => "workspace_created",
            Self::SettingsChanged { .. } => "settings_changed",
            Self::PersonAdded { .. } => "person_added",
            Self::PersonRemoved { .. } => "person_removed",
            Self::FileWritten { .. } => "file_written",
            Self::FileRemoved { .. } => "file_removed",
            Self::RunBegan { .. } => "run_began",
            Self::RunEnded { .. } => "run_ended",
        }
    }
}
