//! `deed pack review`: a reviewer's sign-off.

use crate::args::Global;
use crate::commands::keys::role;
use crate::commands::recorded::event;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_app::packs;
use deed_model::ReviewRole;
use deed_pack::envelope_bytes;
use serde_json::json;
use std::path::PathBuf;

/// Sign off on a pack in a role: architecture, security, data or evaluation.
#[derive(Debug, Args)]
pub(crate) struct Review {
    /// The pack's folder.
    pack: PathBuf,
    /// In which role; may be given more than once.
    #[arg(long = "role", value_name = "ROLE", required = true, value_parser = role())]
    roles: Vec<ReviewRole>,
    /// The reviewer's key: a name, or a PEM file.
    #[arg(long)]
    key: String,
    /// What should be remembered of the review.
    #[arg(long)]
    note: Option<String>,
    /// Write each signed statement here too, as `<role>.review.json`, for verification offline.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Review {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let reviewed = packs::review(&session, &self.pack, &self.roles, &self.key, self.note.as_deref())?;
        let mut events = Vec::new();
        let mut remarks: Vec<String> = Vec::new();
        for (role, envelope, outcome) in &reviewed.reviews {
            remarks.push(format!("{role}: {outcome}"));
            events.push(json!({ "role": role, "event": event(outcome) }));
            if let Some(folder) = &self.out {
                let bytes = envelope_bytes(envelope).map_err(AppError::internal)?;
                files::write(&folder.join(format!("{role}.review.json")), &bytes, Existing::Replace, Access::Shared)?;
            }
        }
        let candidate = &reviewed.candidate;
        let reference = candidate.pack_ref();
        let required = candidate.required_reviews();
        let data = json!({
            "pack_ref": reference,
            "content_hash": candidate.content_hash(),
            "key_id": reviewed.key_id,
            "required_roles": required,
            "reviews": events,
        });
        Ok(Success::new(data, format!("{reference} {}\n", candidate.content_hash())).remark(remarks.join("\n")))
    }
}
