//! `deed keys list`: one's own keys, and whose keys are believed for what.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::keys::{names, private_path, public_key};
use deed_app::registry;
use deed_model::{KeyStatus, TrustedKey};
use serde_json::json;
use std::fmt::Write as _;

/// List keys: those under `.deed/keys`, and those that the registry trusts.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print the trust store alone, as a document that others can verify with offline.
    #[arg(long)]
    export: bool,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, registry) = global.session().registry()?;
        let store = registry.trust_store().map_err(registry::error)?;
        let value = serde_json::to_value(&store).map_err(AppError::internal)?;
        if self.export {
            return Ok(Success::new(value.clone(), format!("{value:#}\n")));
        }
        let mut own = Vec::new();
        let mut text = String::new();
        for name in names(&home) {
            let key = public_key(&home, &name)?;
            let signs = private_path(&home, &name).is_file();
            let _ = writeln!(text, "own      {}  {name}{}", key.id(), if signs { "" } else { " (public half only)" });
            own.push(json!({ "name": name, "key_id": key.id(), "can_sign": signs }));
        }
        for key in &store.keys {
            let _ = writeln!(text, "trusted  {}  {}", key.key_id, described(key));
        }
        Ok(Success::new(json!({ "own": own, "trust_store": value }), text))
    }
}

fn described(key: &TrustedKey) -> String {
    let roles: Vec<String> = key.review_roles.iter().map(|r| format!("reviews {r}")).collect();
    let may = key.may_sign.then(|| "signs".to_owned()).into_iter().chain(roles).collect::<Vec<_>>().join(", ");
    let status = match &key.status {
        KeyStatus::Active => "active".to_owned(),
        KeyStatus::Retired { replaced_by } => format!("retired, replaced by {replaced_by}"),
        KeyStatus::Revoked { reason } => format!("revoked: {reason}"),
    };
    format!("for {}: {may} ({status})", key.issuer)
}
