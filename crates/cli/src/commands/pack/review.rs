//! `deed pack review`: a reviewer's sign-off.

use super::source::linted;
use crate::args::Global;
use crate::commands::keys::{role, signing_key};
use crate::commands::registry::{self, event, failure, recorded, spoken, stamp};
use crate::failure::Failure;
use crate::files::{self, Access, Existing};
use crate::output::Success;
use clap::Args;
use deed_diag::{Code, Diagnostic};
use deed_model::ReviewRole;
use deed_pack::{envelope_bytes, review_statement};
use serde_json::json;
use std::path::PathBuf;

const PARTLY: Code = Code::new("D0025");

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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (home, registry) = registry::open(global)?;
        let (candidate, _) = linted(&self.pack)?;
        let key = signing_key(&home, &self.key)?;
        let stamp = stamp(global)?;
        let note = self.note.as_deref().map(|n| spoken("--note", n)).transpose()?;
        let mut events = Vec::new();
        let mut remarks: Vec<String> = Vec::new();
        for role in &self.roles {
            let statement = review_statement(&candidate, *role, note.map(str::to_owned)).map_err(Failure::internal)?;
            let envelope = statement.sign(&key).map_err(Failure::internal)?;
            let outcome = registry.record_review(&candidate, &envelope, &stamp).map_err(|error| {
                let mut refusal = failure(error);
                // Roles are recorded one by one: say which of them stand.
                if !remarks.is_empty() {
                    refusal.report.push(Diagnostic::info(PARTLY, format!("before that: {}", remarks.join("; "))));
                }
                refusal
            })?;
            remarks.push(format!("{role}: {}", recorded(&outcome)));
            events.push(json!({ "role": role, "event": event(&outcome) }));
            if let Some(folder) = &self.out {
                let bytes = envelope_bytes(&envelope).map_err(Failure::internal)?;
                files::write(&folder.join(format!("{role}.review.json")), &bytes, Existing::Replace, Access::Shared)?;
            }
        }
        let reference = candidate.pack_ref();
        let required = candidate.required_reviews();
        let data = json!({
            "pack_ref": reference,
            "content_hash": candidate.content_hash(),
            "key_id": key.public().id(),
            "required_roles": required,
            "reviews": events,
        });
        Ok(Success::new(data, format!("{reference} {}\n", candidate.content_hash())).remark(remarks.join("\n")))
    }
}
