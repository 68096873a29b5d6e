//! `deed keys list`: the keys of this project, and those that the registry trusts.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::{AppError, keys};
use deed_model::{KeyStatus, TrustStore, TrustedKey};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the keys under `.deed/keys`, and those that the registry trusts.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed keys list
  deed keys list --export > trust.json")]
pub(crate) struct List {
    /// Print the trust store alone, for offline verification with `deed pack verify --trust`.
    #[arg(long)]
    export: bool,
}

/// Keys; with `--export` the trust store alone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum KeyList {
    /// The trust store.
    Export(TrustStore),
    /// Own and trusted keys.
    All {
        /// Keys under `.deed/keys`.
        own: Vec<OwnKey>,
        /// Keys that the registry trusts.
        trust_store: TrustStore,
    },
}

/// A key under `.deed/keys`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OwnKey {
    /// Its name.
    name: String,
    /// Its id.
    key_id: String,
    /// True where the private half is there.
    can_sign: bool,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let store = keys::trust_store(&session)?;
        if self.export {
            let value = serde_json::to_value(&store).map_err(AppError::internal)?;
            return Ok(Success::new(KeyList::Export(store), format!("{value:#}\n")).document());
        }
        let mut own = Vec::new();
        let mut text = String::new();
        for key in keys::own_keys(&session.home()?)? {
            let (id, half) = (key.public.id(), if key.can_sign { "" } else { " (public half only)" });
            let _ = writeln!(text, "own      {id}  {}{half}", key.name);
            own.push(OwnKey { name: key.name, key_id: id.to_string(), can_sign: key.can_sign });
        }
        for key in &store.keys {
            let _ = writeln!(text, "trusted  {}  {}", key.key_id, described(key));
        }
        Ok(Success::new(KeyList::All { own, trust_store: store }, text))
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
    let person = key.person.as_ref().map_or_else(String::new, |person| format!(", {person}"));
    format!("for {}: {may} ({status}{person})", key.issuer)
}
