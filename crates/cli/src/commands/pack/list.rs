//! `deed pack list`: every version with its state.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::{AppError, packs};
use deed_model::ReviewRole;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List every version in the registry, its state and where it is pinned.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack list
  deed pack list ctxpack.support")]
pub(crate) struct List {
    /// List only versions of this pack.
    pack_id: Option<String>,
}

/// A version in the registry.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedPack {
    /// The version.
    pack_ref: String,
    /// Its state, such as `published`.
    state: String,
    /// The hash of the document; null where none is stored.
    content_hash: Option<String>,
    /// The tenant that owns it.
    tenant_id: Option<String>,
    /// The roles that have reviewed it.
    reviewed_by: Vec<ReviewRole>,
    /// The environments that have it pinned.
    pinned_in: Vec<PinnedIn>,
    /// The reason of its deprecation or revocation.
    reason: Option<String>,
}

/// An environment that has a version pinned.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PinnedIn {
    /// The tenant.
    tenant_id: String,
    /// The environment.
    environment: String,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let mut text = String::new();
        let mut data = Vec::new();
        for entry in packs::versions(&global.session(), self.pack_id.as_deref())? {
            let environments: Vec<&str> = entry.pinned_in.iter().map(|p| p.environment.as_str()).collect();
            let reference = entry.pack_ref.to_string();
            let state = entry.state.to_string();
            let tenant = entry.tenant_id.as_deref().unwrap_or("-");
            let pinned = match environments.is_empty() {
                true => String::new(),
                false => format!("  in {}", environments.join(", ")),
            };
            let reason = entry.reason.as_ref().map_or_else(String::new, |reason| format!("  ({reason})"));
            let _ = writeln!(text, "{reference:<32} {state:<11} {tenant}{pinned}{reason}");
            let pinned = |pin: &deed_pack::PinnedEnvironment| PinnedIn {
                tenant_id: pin.tenant_id.clone(),
                environment: pin.environment.clone(),
            };
            data.push(ListedPack {
                pack_ref: reference,
                state,
                content_hash: entry.content_hash.map(|hash| hash.to_string()),
                pinned_in: entry.pinned_in.iter().map(pinned).collect(),
                tenant_id: entry.tenant_id,
                reviewed_by: entry.reviewed_by,
                reason: entry.reason,
            });
        }
        Ok(Success::new(data, text))
    }
}
