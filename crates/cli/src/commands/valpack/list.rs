//! `deed valpack list`: the validation packs that can be named.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::valpacks;
use deed_model::Phase;
use deed_validation::PackOrigin;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the validation packs that ship, and those that a profile brings along.
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
    /// The phases that it may be used in.
    phases: Vec<Phase>,
    /// Its purpose.
    summary: String,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let listed = valpacks::listed(&global.session(), self.profile.as_deref())?;
        let width = listed.iter().map(|listed| listed.pack.pack_ref.len()).max().unwrap_or(0);
        let mut text = String::new();
        for pack in &listed {
            let (name, origin) = (&pack.pack.pack_ref, pack.origin.as_str());
            let _ = writeln!(text, "{name:<width$}  {origin:<8} {}", pack.pack.summary);
        }
        let data: Vec<ListedValidationPack> = listed
            .into_iter()
            .map(|listed| ListedValidationPack {
                pack_ref: listed.pack.pack_ref,
                content_hash: listed.hash.to_string(),
                origin: listed.origin,
                phases: listed.pack.phases,
                summary: listed.pack.summary,
            })
            .collect();
        Ok(Success::new(data, text))
    }
}
