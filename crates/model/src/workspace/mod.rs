//! Workspaces: files of people and of agents, people with roles, settings, and the events of their log.

mod event;
mod file;
mod frozen;
mod person;
mod settings;

pub use event::{WorkspaceEvent, WorkspaceLogEvent};
pub use file::{FileOrigin, FileSuccessor, FileVersion, StoredContent};
pub use frozen::{FrozenWorkspace, SealedApproval, SealedWorkspace, WorkspaceInput};
pub use person::{ApproverAuthority, HeldAuthority, WorkspacePerson};
pub use settings::{DefaultPack, SecretSource, WorkspaceQuota, WorkspaceSettings};
