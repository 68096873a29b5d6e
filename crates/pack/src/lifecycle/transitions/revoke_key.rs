//! A key is not to be believed any more, whenever it signed.

use super::super::transition::Transition;
use super::super::trust::Trust;
use super::reason;
use super::trust_key::{NOT_TO_REPLACE, refusal};
use deed_canon::KeyId;
use deed_diag::{Diagnostic, Place};
use deed_model::RegistryEvent;

/// Revokes a key that is active or retired.
pub fn may_revoke_key(trust: &Trust, key_id: &KeyId, why: &str) -> Result<Transition, Vec<Diagnostic>> {
    reason::given(why, "revoking a key", Place::file(format!("key:{key_id}")))?;
    match trust.get(key_id) {
        None => Err(vec![
            refusal(NOT_TO_REPLACE, key_id, format!("the key `{key_id}` is not known"))
                .help("`deed keys list` shows the keys that are; an unknown key is not believed anyway"),
        ]),
        Some(record) if record.revoked_at.is_some() => Ok(Transition::AlreadyDone),
        Some(_) => Ok(Transition::append(RegistryEvent::KeyRevoked { key_id: key_id.clone(), reason: why.to_owned() })),
    }
}
