//! Revocation of a key: nothing that it ever signed is trusted.

use super::super::transition::Transition;
use super::super::trust::Trust;
use super::reason;
use super::trust_key::refusal;
use deed_canon::KeyId;
use deed_diag::{Diagnostic, Place, codes};
use deed_model::RegistryEvent;

/// Revokes a key that is active or retired.
pub fn may_revoke_key(trust: &Trust, key_id: &KeyId, why: &str) -> Result<Transition, Vec<Diagnostic>> {
    reason::given(why, "revoking a key", Place::file(format!("key:{key_id}")))?;
    match trust.get(key_id) {
        None => Err(vec![
            refusal(codes::KEY_NOT_REPLACEABLE, key_id, format!("unknown key `{key_id}`"))
                .help("`deed keys list` lists the known keys; an unknown key is never trusted"),
        ]),
        Some(record) if record.revoked_at.is_some() => Ok(Transition::AlreadyDone),
        Some(_) => Ok(Transition::append(RegistryEvent::KeyRevoked { key_id: key_id.clone(), reason: why.to_owned() })),
    }
}
