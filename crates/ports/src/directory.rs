//! People: the standing of an approver in a workspace, now.

use deed_model::HeldAuthority;

/// The standing of an approver in a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApproverStanding {
    /// They may decide in it, by this authority.
    Holds(HeldAuthority),
    /// They may not.
    Lacks {
        /// The reason.
        why: String,
        /// The fix.
        help: String,
    },
}

/// The directories of people of workspaces.
pub trait Directory: Send + Sync {
    /// Returns the standing of an approver in a role, now. A directory that cannot be read has no approvers.
    fn standing(&self, workspace: &str, approver: &str, role: &str) -> ApproverStanding;
}

/// A directory without workspaces.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoDirectory;

impl Directory for NoDirectory {
    fn standing(&self, workspace: &str, _: &str, _: &str) -> ApproverStanding {
        ApproverStanding::Lacks {
            why: format!("there is no workspace `{workspace}`"),
            help: "restore it from a backup".to_owned(),
        }
    }
}
