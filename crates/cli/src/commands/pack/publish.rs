//! `deed pack publish`: from now on the version exists and never changes.

use crate::args::Global;
use crate::commands::recorded::event;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{self, PublishedPack};
use serde_json::json;
use std::path::PathBuf;

/// Publish a signed pack; the version never changes again.
#[derive(Debug, Args)]
pub(crate) struct Publish {
    /// The pack's folder.
    pack: PathBuf,
}

impl Publish {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let PublishedPack { candidate, outcome } = packs::publish(&global.session(), &self.pack)?;
        let reference = candidate.pack_ref();
        let data = json!({
            "pack_ref": reference,
            "content_hash": candidate.content_hash(),
            "overlays": candidate.signed_overlays(),
            "event": event(&outcome),
        });
        Ok(Success::new(data, format!("{reference} {}\n", candidate.content_hash())).remark(outcome.to_string()))
    }
}
