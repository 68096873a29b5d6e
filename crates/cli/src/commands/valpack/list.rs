//! `deed valpack list`: the validation packs that can be named.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::objects::{self, ListedObject};
use deed_app::valpacks;
use deed_model::{ObjectKind, Phase};
use deed_validation::PackOrigin;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the validation packs that ship or are published, and those of a profile.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed valpack list
  deed valpack list --profile ./team.yaml")]
pub(crate) struct List {
    /// Profile whose own packs are listed too.
    #[arg(long, value_name = "REF|FILE")]
    profile: Option<String>,
}

/// A validation pack that can be named.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedValidationPack {
    /// Its reference.
    pack_ref: String,
    /// Its hash.
    content_hash: String,
    /// Its origin.
    origin: PackOrigin,
    /// Its state in the registry, such as `published`; null where it is not published.
    state: Option<String>,
    /// The reason why it may not be used: it ended, or its signature is no longer valid.
    reason: Option<String>,
    /// The published profiles that may still be used and name it.
    named_by: Vec<String>,
    /// The phases that it may be used in.
    phases: Vec<Phase>,
    /// Its purpose.
    summary: String,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let published = objects::listed(&session, ObjectKind::ValidationPack)?;
        let listed = valpacks::listed(&session, self.profile.as_deref())?;
        let mut data: Vec<ListedValidationPack> = Vec::new();
        for found in listed {
            let known = published.iter().find(|known| known.object.name == found.pack.pack_ref);
            let known = known.filter(|_| found.origin != PackOrigin::Shipped);
            data.push(ListedValidationPack {
                content_hash: found.hash.to_string(),
                origin: found.origin,
                phases: found.pack.phases,
                summary: found.pack.summary,
                pack_ref: found.pack.pack_ref,
                ..of_registry(known)
            });
        }
        // What cannot be proven has no document to read.
        let unproven = published.iter().filter(|known| known.candidate.is_none());
        data.extend(unproven.map(|known| of_registry(Some(known))));
        let width = data.iter().map(|listed| listed.pack_ref.len()).max().unwrap_or(0);
        let mut text = String::new();
        for listed in &data {
            let state = listed.state.as_deref().unwrap_or(listed.origin.as_str());
            let reason = listed.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
            let _ = writeln!(text, "{:<width$}  {state:<8} {}{reason}", listed.pack_ref, listed.summary);
        }
        Ok(Success::new(data, text))
    }
}

/// Returns what the registry knows of a pack, for a row whose other fields its document gives.
fn of_registry(known: Option<&ListedObject>) -> ListedValidationPack {
    ListedValidationPack {
        pack_ref: known.map_or_else(String::new, |known| known.object.name.clone()),
        content_hash: known.map_or_else(String::new, |known| known.content_hash.to_string()),
        origin: PackOrigin::Published,
        state: known.map(|known| known.state.to_string()),
        reason: known.and_then(|known| known.reason.clone()),
        named_by: known.iter().flat_map(|known| &known.named_by).map(ToString::to_string).collect(),
        phases: Vec::new(),
        summary: String::new(),
    }
}
