//! `deed pack publish`: from now on the version exists and never changes.

use super::diff::compared;
use super::source::{linted, of_candidate};
use crate::args::Global;
use crate::commands::registry::{self, event, failure, recorded, stamp};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::output::Success;
use clap::Args;
use deed_pack::{Candidate, PackState, Purpose};
use deed_store::Registry;
use serde_json::json;
use std::path::{Path, PathBuf};

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
        check_bump(&registry, &candidate, &self.pack)?;
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

/// Compares with the highest version below that was published: its users must learn from the number what changed.
fn check_bump(registry: &Registry, candidate: &Candidate, folder: &Path) -> Result<(), Failure> {
    let own = candidate.pack_ref();
    let before = registry
        .list()
        .map_err(failure)?
        .into_iter()
        .filter(|p| p.state >= PackState::Published && p.pack_ref.pack_id == own.pack_id && p.pack_ref < *own)
        .map(|p| p.pack_ref)
        .max();
    let Some(before) = before else { return Ok(()) };
    let loaded = registry.load(&before, Purpose::Audit).map_err(failure)?;
    let (_, report) = compared(&of_candidate(&loaded.candidate)?, &files::pack_bundle(folder)?)?;
    if report.has_errors() { Err(Failure { exit: Exit::Findings, report }) } else { Ok(()) }
}
