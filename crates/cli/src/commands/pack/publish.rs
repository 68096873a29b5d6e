//! `deed pack publish`: from now on the version exists and never changes.

use super::accept::Accept;
use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{self, PublishedPack};
use deed_model::SignedOverlay;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Publish a signed pack; its version never changes. Runs the release gates first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack publish support
  deed pack publish support --accept policy --as security \\
      --reason \"the limit is meant\"")]
pub(crate) struct Publish {
    /// Folder of the pack.
    pack: PathBuf,
    #[command(flatten)]
    accept: Accept,
}

/// A version that is published.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PublishedVersion {
    /// The version.
    pack_ref: String,
    /// Its hash.
    content_hash: String,
    /// Its overlays.
    overlays: Vec<SignedOverlay>,
    /// The requests that were compared with the version before.
    compared: usize,
    /// The archives whose recordings were replayed.
    archives: Vec<String>,
    /// The regressions that are accepted on the record.
    accepted: Vec<String>,
    /// The event in the log; null where it was published before.
    event: Option<Recorded>,
}

impl Publish {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let published = packs::publish(&global.session(), &self.pack, &self.accept.acceptance())?;
        let PublishedPack { candidate, outcome, gated } = published;
        let reference = candidate.pack_ref();
        let data = PublishedVersion {
            pack_ref: reference.to_string(),
            content_hash: candidate.content_hash().to_string(),
            overlays: candidate.signed_overlays(),
            compared: gated.requests,
            archives: gated.archives.iter().map(|(name, _)| name.clone()).collect(),
            accepted: gated.accepted,
            event: event(&outcome),
        };
        Ok(Success::new(data, format!("{reference} {}\n", candidate.content_hash())).remark(outcome.to_string()))
    }
}
