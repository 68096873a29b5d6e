//! `deed pack sign`: the issuer's signature over the pack and its overlays.

use crate::args::Global;
use crate::commands::execution::shown::ShownEnvelope;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{self, SignedPack};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Sign a reviewed pack for its issuer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack sign support --key acme")]
pub(crate) struct Sign {
    /// Folder of the pack.
    pack: PathBuf,
    /// Key of the issuer: a name, or a PEM file.
    #[arg(long)]
    key: String,
    /// File to also write the signed envelope (DSSE) to, for offline verification.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A pack that was signed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SignedVersion {
    /// The version.
    pack_ref: String,
    /// Its hash.
    content_hash: String,
    /// The key that signed.
    key_id: String,
    /// The signed statement.
    envelope: ShownEnvelope,
    /// The event in the log; null where it was signed before.
    event: Option<Recorded>,
}

impl Sign {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let SignedPack { candidate, key_id, envelope, outcome } =
            packs::sign(&global.session(), &self.pack, &self.key)?;
        if let Some(path) = &self.out {
            packs::write_envelope(path, &envelope)?;
        }
        let reference = candidate.pack_ref();
        let data = SignedVersion {
            pack_ref: reference.to_string(),
            content_hash: candidate.content_hash().to_string(),
            key_id: key_id.to_string(),
            envelope: ShownEnvelope(envelope),
            event: event(&outcome),
        };
        Ok(Success::new(data, format!("{reference} {}\n", candidate.content_hash())).remark(outcome.to_string()))
    }
}
