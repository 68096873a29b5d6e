//! `deed workspace verify`: the log of a workspace, from its first event.

use super::choice::WorkspaceArgs;
use crate::args::Global;
use crate::commands::execution::shown::ShownHead;
use crate::output::Success;
use crate::text::count;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::verify;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::Serialize;

/// Verify a workspace: the chain of its log, every event, and the content of every version.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed workspace verify
  deed workspace verify --head sha256:…")]
pub(crate) struct Verify {
    #[command(flatten)]
    workspace: WorkspaceArgs,
    /// End of the log as it was kept earlier; refused if the log was truncated or rewritten.
    #[arg(long, value_name = "HASH")]
    head: Option<ContentHash>,
}

/// The result of a verification.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct VerifiedWorkspace {
    /// The workspace.
    workspace: String,
    /// The number of events in the log.
    events: u64,
    /// The end of the log.
    head: Option<ShownHead>,
}

impl Verify {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (workspace, verified, report) = verify(&global.session(), &self.workspace.choice(), self.head)?;
        let head = verified.head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() });
        let end = verified.head.map(|head| format!(", head {}", head.hash)).unwrap_or_default();
        let text = format!("{workspace}: {}{end}\n", count(verified.events, "event"));
        let remark = match self.head {
            Some(_) => "everything holds, up to the head that was given",
            None => {
                "everything holds; without --head, a log that was truncated or rewritten as a whole is not detected"
            }
        };
        let data = VerifiedWorkspace { workspace, events: verified.events, head };
        Ok(Success::new(data, text).remark(remark).report(report))
    }
}
