//! `deed profile show`: a profile as it was written.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::profiles::{self, ProfileOrigin};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Print an execution profile as it was written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile show strict-compliance
  deed profile show ./team-default.profile.yaml --json")]
pub(crate) struct Show {
    /// Profile: a shipped one such as strict-compliance, or a file such as ./team.yaml.
    profile: String,
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
    /// The document, as it was written.
    document: Value,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let read = profiles::profile(&global.session(), &self.profile)?;
        let document = &read.file.document;
        let data = ShownProfile {
            profile_ref: read.file.profile_ref().map(|reference| reference.to_string()),
            content_hash: read.file.content_hash().ok().map(|hash| hash.to_string()),
            origin: read.origin,
            document: document.value().clone(),
        };
        Ok(Success::new(data, document.source().text()).document())
    }
}
