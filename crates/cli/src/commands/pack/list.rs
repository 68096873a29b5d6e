//! `deed pack list`: every version and where it stands.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::registry;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// List every version in the registry, its state and where it is pinned.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only versions of this pack.
    pack_id: Option<String>,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (_, registry) = global.session().registry()?;
        let mut text = String::new();
        let mut data: Vec<Value> = Vec::new();
        for entry in registry.list().map_err(registry::error)? {
            if self.pack_id.as_ref().is_some_and(|id| *id != entry.pack_ref.pack_id) {
                continue;
            }
            let environments: Vec<&str> = entry.pinned_in.iter().map(|p| p.environment.as_str()).collect();
            let reference = entry.pack_ref.to_string();
            let state = entry.state.to_string();
            let _ = write!(text, "{reference:<32} {state:<11} {}", entry.tenant_id.as_deref().unwrap_or("-"));
            if !environments.is_empty() {
                let _ = write!(text, "  in {}", environments.join(", "));
            }
            if let Some(reason) = &entry.reason {
                let _ = write!(text, "  ({reason})");
            }
            text.push('\n');
            data.push(json!({
                "pack_ref": reference,
                "state": state,
                "content_hash": entry.content_hash,
                "tenant_id": entry.tenant_id,
                "reviewed_by": entry.reviewed_by,
                "pinned_in": entry.pinned_in.iter().map(|p| json!({ "tenant_id": p.tenant_id, "environment": p.environment })).collect::<Vec<_>>(),
                "reason": entry.reason,
            }));
        }
        Ok(Success::new(Value::Array(data), text))
    }
}
