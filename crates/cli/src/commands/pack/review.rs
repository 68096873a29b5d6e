//! `deed pack review`: a reviewer's sign-off.

use crate::args::Global;
use crate::commands::keys::role;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, Session, packs};
use deed_model::ReviewRole;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Sign a review of a pack in a role: architecture, security, data or evaluation.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack review support --role security --key acme
  deed pack review support --import proof/security.review.json")]
pub(crate) struct Review {
    /// Folder of the pack.
    pack: PathBuf,
    /// Role of the reviewer; repeat for several.
    #[arg(long = "role", value_name = "ROLE", required_unless_present = "import", value_parser = role())]
    roles: Vec<ReviewRole>,
    /// Key of the reviewer: a name, or a PEM file.
    #[arg(long, required_unless_present = "import")]
    key: Option<String>,
    /// Bring in a review that was signed elsewhere: a file, or a folder of `*.review.json`; repeat for several.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["roles", "key", "note", "out"])]
    import: Vec<PathBuf>,
    /// Remark to store with the review.
    #[arg(long)]
    note: Option<String>,
    /// Folder to also write the signed statements to, as `ROLE.review.json`, for offline verification.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Reviews of a pack: signed here, or brought in with `--import`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Reviews {
    /// Signed here.
    Signed(ReviewedPack),
    /// Brought in from elsewhere.
    Imported {
        /// The version; null where no review was found.
        pack_ref: Option<String>,
        /// The files, with their events.
        imported: Vec<ImportedReview>,
    },
}

/// A review that was brought in.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ImportedReview {
    /// The file.
    file: String,
    /// The event in the log; null where it was recorded before.
    event: Option<Recorded>,
}

/// A pack that was reviewed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReviewedPack {
    /// The version.
    pack_ref: String,
    /// Its hash.
    content_hash: String,
    /// The key that signed.
    key_id: String,
    /// The roles whose reviews its policy demands.
    required_roles: Vec<ReviewRole>,
    /// The reviews that were recorded now.
    reviews: Vec<RecordedReview>,
}

/// A review that was recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RecordedReview {
    /// The role.
    role: ReviewRole,
    /// The event in the log; null where it was recorded before.
    event: Option<Recorded>,
}

impl Review {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let Some(key) = &self.key else { return self.import(&session) };
        let reviewed = packs::review(&session, &self.pack, &self.roles, key, self.note.as_deref())?;
        let mut events = Vec::new();
        let mut remarks: Vec<String> = Vec::new();
        for (role, envelope, outcome) in &reviewed.reviews {
            remarks.push(format!("{role}: {outcome}"));
            events.push(RecordedReview { role: *role, event: event(outcome) });
            if let Some(folder) = &self.out {
                packs::write_envelope(&folder.join(format!("{role}.review.json")), envelope)?;
            }
        }
        let candidate = &reviewed.candidate;
        let reference = candidate.pack_ref();
        let required = candidate.required_reviews();
        let data = ReviewedPack {
            pack_ref: reference.to_string(),
            content_hash: candidate.content_hash().to_string(),
            key_id: reviewed.key_id.to_string(),
            required_roles: required,
            reviews: events,
        };
        let text = format!("{reference} {}\n", candidate.content_hash());
        Ok(Success::new(Reviews::Signed(data), text).report(reviewed.warnings).remark(remarks.join("\n")))
    }

    /// Records reviews that were signed elsewhere.
    fn import(&self, session: &Session) -> Result<Success, AppError> {
        let imported = packs::import_review(session, &self.pack, &self.import)?;
        let mut text = String::new();
        let mut remarks: Vec<String> = Vec::new();
        for review in &imported {
            let _ = writeln!(text, "{} {}", review.candidate.pack_ref(), review.file.display());
            remarks.push(format!("{}: {}", review.file.display(), review.outcome));
        }
        let data = Reviews::Imported {
            pack_ref: imported.first().map(|review| review.candidate.pack_ref().to_string()),
            imported: imported
                .iter()
                .map(|r| ImportedReview { file: r.file.display().to_string(), event: event(&r.outcome) })
                .collect(),
        };
        Ok(Success::new(data, text).remark(remarks.join("\n")))
    }
}
