//! `deed pack publish`: from now on the version exists and never changes.

use super::source::linted;
use crate::args::Global;
use crate::commands::registry::{self, event, failure, recorded, stamp};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Publish a signed pack; the version never changes again.
#[derive(Debug, Args)]
pub(crate) struct Publish {
    /// The pack's folder.
    pack: PathBuf,
}

impl Publish {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (_, registry) = registry::open(global)?;
        let (candidate, _) = linted(&self.pack)?;
        let outcome = registry.publish(&candidate, &stamp(global)?).map_err(failure)?;
        let reference = candidate.pack_ref();
        let data = json!({
            "pack_ref": reference,
            "content_hash": candidate.content_hash(),
            "overlays": candidate.signed_overlays(),
            "event": event(&outcome),
        });
        Ok(Success::new(data, format!("{reference} {}\n", candidate.content_hash())).remark(recorded(&outcome)))
    }
}
