//! `deed pack sign`: the issuer's signature over the pack and its overlays.

use crate::args::Global;
use crate::commands::recorded::event;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_app::packs::{self, SignedPack};
use deed_pack::envelope_bytes;
use serde_json::json;
use std::path::PathBuf;

/// Sign a reviewed pack: a DSSE envelope around an in-toto statement.
#[derive(Debug, Args)]
pub(crate) struct Sign {
    /// The pack's folder.
    pack: PathBuf,
    /// The issuer's key: a name, or a PEM file.
    #[arg(long)]
    key: String,
    /// Write the envelope here too, for verification offline.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Sign {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let SignedPack { candidate, key_id, envelope, outcome } =
            packs::sign(&global.session(), &self.pack, &self.key)?;
        if let Some(path) = &self.out {
            let bytes = envelope_bytes(&envelope).map_err(AppError::internal)?;
            files::write(path, &bytes, Existing::Replace, Access::Shared)?;
        }
        let reference = candidate.pack_ref();
        let data = json!({
            "pack_ref": reference,
            "content_hash": candidate.content_hash(),
            "key_id": key_id,
            "envelope": envelope,
            "event": event(&outcome),
        });
        Ok(Success::new(data, format!("{reference} {}\n", candidate.content_hash())).remark(outcome.to_string()))
    }
}
