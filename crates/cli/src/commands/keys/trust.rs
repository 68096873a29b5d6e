//! `deed keys trust`: keys trusted to sign and review, rotation and revocation.

use super::role;
use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::keys::{TrustRequest, revoke, trust};
use deed_canon::KeyId;
use deed_diag::Invariant as _;
use deed_model::{ReviewRole, TrustedKey};
use schemars::JsonSchema;
use serde::Serialize;

/// Trust a key to sign or review packs of an issuer, rotate it, or revoke it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed keys trust acme --issuer tenant_acme --sign
  deed keys trust acme --issuer tenant_acme --role security
  deed keys trust acme --revoke --reason \"laptop stolen\"")]
pub(crate) struct Trust {
    /// Key: its name, a PEM file, its public half in base64, or (with --revoke) its id.
    key: String,
    /// Issuer whose packs the key may sign or review.
    #[arg(long, required_unless_present = "revoke")]
    issuer: Option<String>,
    /// Let the key sign packs of the issuer.
    #[arg(long, required_unless_present_any = ["roles", "revoke"])]
    sign: bool,
    /// Let the key review packs of the issuer in this role; repeat for several.
    #[arg(long = "role", value_name = "ROLE", value_parser = role())]
    roles: Vec<ReviewRole>,
    /// Person that the key belongs to [default: the one that it was generated for].
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
    /// Retire this key: it may sign nothing new from now on.
    #[arg(long, value_name = "KEY_ID")]
    replaces: Option<KeyId>,
    /// Revoke the key: nothing that it ever signed is accepted.
    #[arg(long, requires = "reason", conflicts_with_all = ["issuer", "sign", "roles", "replaces", "person"])]
    revoke: bool,
    /// Reason for the revocation, for the audit log.
    #[arg(long, requires = "revoke")]
    reason: Option<String>,
}

/// The event that was recorded about a key.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Trusted {
    /// It is revoked.
    Revoked {
        /// The key.
        key_id: String,
        /// Always `revoked`.
        status: String,
        /// The reason.
        reason: String,
        /// The event in the log; null where it was recorded before.
        event: Option<Recorded>,
    },
    /// It is trusted.
    Key {
        /// The key, and what it may do.
        key: Box<TrustedKey>,
        /// The key that it replaces.
        replaces: Option<String>,
        /// The event in the log; null where it was recorded before.
        event: Option<Recorded>,
    },
}

impl Trust {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        if let Some(reason) = &self.reason {
            let (id, outcome) = revoke(&session, &self.key, reason)?;
            let data = Trusted::Revoked {
                key_id: id.to_string(),
                status: "revoked".to_owned(),
                reason: reason.clone(),
                event: event(&outcome),
            };
            return Ok(Success::new(data, format!("{id}\n")).remark(outcome.to_string()));
        }
        let request = TrustRequest {
            key: self.key.clone(),
            issuer: self.issuer.clone().invariant("clap requires an issuer without `--revoke`"),
            may_sign: self.sign,
            review_roles: self.roles.clone(),
            replaces: self.replaces.clone(),
            person: self.person.clone(),
        };
        let (key, outcome) = trust(&session, &request)?;
        let text = format!("{}\n", key.key_id);
        let replaces = self.replaces.as_ref().map(ToString::to_string);
        let data = Trusted::Key { key: Box::new(key), replaces, event: event(&outcome) };
        Ok(Success::new(data, text).remark(outcome.to_string()))
    }
}
