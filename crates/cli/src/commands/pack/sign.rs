//! `deed pack sign`: the issuer's signature over the pack and its overlays.

use super::source::linted;
use crate::args::Global;
use crate::commands::keys::signing_key;
use crate::commands::registry::{self, event, failure, recorded, stamp};
use crate::failure::Failure;
use crate::files::{self, Access, Existing};
use crate::output::Success;
use clap::Args;
use deed_pack::{envelope_bytes, signature_statement};
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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (home, registry) = registry::open(global)?;
        let (candidate, _) = linted(&self.pack)?;
        let key = signing_key(&home, &self.key)?;
        let statement = signature_statement(&candidate).map_err(Failure::internal)?;
        let envelope = statement.sign(&key).map_err(Failure::internal)?;
        let outcome = registry.record_signature(&candidate, &envelope, &stamp(global)?).map_err(failure)?;
        if let Some(path) = &self.out {
            let bytes = envelope_bytes(&envelope).map_err(Failure::internal)?;
            files::write(path, &bytes, Existing::Replace, Access::Shared)?;
        }
        let reference = candidate.pack_ref();
        let data = json!({
            "pack_ref": reference,
            "content_hash": candidate.content_hash(),
            "key_id": key.public().id(),
            "envelope": envelope,
            "event": event(&outcome),
        });
        Ok(Success::new(data, format!("{reference} {}\n", candidate.content_hash())).remark(recorded(&outcome)))
    }
}
