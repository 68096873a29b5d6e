//! `deed profile show`: a profile as it was written.

use crate::args::Global;
use crate::commands::history::{standing, told};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::objects::{self, HistoryEntry};
use deed_app::profiles::{self, ProfileOrigin};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Print an execution profile as it was written, or its history.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile show strict-compliance
  deed profile show ./team-default.profile.yaml --json
  deed profile show team-default@1.0.0 --history")]
pub(crate) struct Show {
    /// Profile: a shipped one such as strict-compliance, a published one such as team-default@1.0.0, or a file such as
    /// ./team.yaml.
    profile: String,
    /// Print its events from the audit log in place of the document.
    #[arg(long)]
    history: bool,
}

/// A profile.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownProfile {
    /// Its reference; null where the document is not a profile.
    profile_ref: Option<String>,
    /// Its hash; null where the document has no canonical form.
    content_hash: Option<String>,
    /// Its origin.
    origin: ProfileOrigin,
    /// Its state in the registry, such as `published`; null where it is not published.
    state: Option<String>,
    /// The reason of its deprecation or revocation.
    reason: Option<String>,
    /// Its events in the audit log, in order.
    history: Vec<HistoryEntry>,
    /// The document, as it was written; null with `--history`.
    document: Option<Value>,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let read = profiles::profile(&session, &self.profile)?;
        let document = &read.file.document;
        let endings = profiles::endings(&session, &self.profile)?;
        let history = match endings {
            Some(_) => objects::history(&session, &format!("profile:{}", self.profile))?,
            None => Vec::new(),
        };
        let printed: String = history.iter().map(told).collect();
        let data = ShownProfile {
            profile_ref: read.file.profile_ref().map(|reference| reference.to_string()),
            content_hash: read.file.content_hash().ok().map(|hash| hash.to_string()),
            origin: read.origin,
            state: endings.as_ref().map(|endings| endings.state().to_string()),
            reason: endings.as_ref().and_then(|endings| endings.reason()).map(str::to_owned),
            history,
            document: (!self.history).then(|| document.value().clone()),
        };
        if self.history {
            return Ok(Success::new(data, printed));
        }
        let remark = endings.as_ref().map(standing);
        let shown = Success::new(data, document.source().text()).document();
        Ok(remark.into_iter().fold(shown, Success::remark))
    }
}
