//! `deed keys trust`: which key may sign for which issuer, rotation and revocation.

use super::role;
use crate::args::Global;
use crate::commands::recorded::event;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::keys::public_key;
use deed_app::registry::{self, without_secret};
use deed_canon::KeyId;
use deed_model::{KeyStatus, ReviewRole, TrustedKey};
use serde_json::json;

/// Say what a key is believed for; with --replaces, rotate; with --revoke, believe it no longer.
#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// A key's name, its public PEM file, its public half in base64, or (for --revoke) its id.
    key: String,
    /// Whose packs it speaks for.
    #[arg(long, required_unless_present = "revoke")]
    issuer: Option<String>,
    /// It may sign packs of that issuer.
    #[arg(long, required_unless_present_any = ["roles", "revoke"])]
    sign: bool,
    /// It may review packs of that issuer in this role; may be given more than once.
    #[arg(long = "role", value_name = "ROLE", value_parser = role())]
    roles: Vec<ReviewRole>,
    /// It takes over from this key, which may sign nothing new from now on.
    #[arg(long, value_name = "KEY_ID")]
    replaces: Option<KeyId>,
    /// Believe nothing that it ever signed.
    #[arg(long, requires = "reason", conflicts_with_all = ["issuer", "sign", "roles", "replaces"])]
    revoke: bool,
    /// Why it is revoked.
    #[arg(long, requires = "revoke")]
    reason: Option<String>,
}

impl Trust {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let (home, registry) = session.registry()?;
        let stamp = session.stamp()?;
        if self.revoke {
            let id = match self.key.parse::<KeyId>() {
                Ok(id) => id,
                Err(_) => public_key(&home, &self.key)?.id(),
            };
            let reason = without_secret("--reason", self.reason.as_deref().unwrap_or_default())?;
            let outcome = registry.revoke_key(&id, reason, &stamp).map_err(registry::error)?;
            let data = json!({ "key_id": id, "status": "revoked", "reason": reason, "event": event(&outcome) });
            return Ok(Success::new(data, format!("{id}\n")).remark(outcome.to_string()));
        }
        let public = public_key(&home, &self.key)?;
        let mut roles = self.roles.clone();
        roles.sort_unstable();
        roles.dedup();
        let key = TrustedKey {
            key_id: public.id(),
            public_key: public,
            issuer: self.issuer.clone().unwrap_or_default(),
            may_sign: self.sign,
            review_roles: roles,
            status: KeyStatus::Active,
        };
        let outcome = registry.trust_key(&key, self.replaces.as_ref(), &stamp).map_err(registry::error)?;
        let data = json!({ "key": key, "replaces": self.replaces, "event": event(&outcome) });
        Ok(Success::new(data, format!("{}\n", key.key_id)).remark(outcome.to_string()))
    }
}
