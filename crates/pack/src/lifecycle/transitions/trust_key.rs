//! Trusting a key, perhaps as the replacement of another.

use super::super::transition::Transition;
use super::super::trust::Trust;
use deed_canon::KeyId;
use deed_diag::{Code, Diagnostic, Place, codes};
use deed_model::{KeyStatus, RegistryEvent, TrustedKey};

/// Trusts a key. Repeating the same grant changes nothing; another grant for a known key is refused, because it would
/// change the meaning of what the key signed before.
pub fn may_trust_key(trust: &Trust, key: TrustedKey, replaces: Option<KeyId>) -> Result<Transition, Vec<Diagnostic>> {
    let key = TrustedKey { status: KeyStatus::Active, ..key };
    if key.public_key.id() != key.key_id {
        let message = format!("the id of this public key is `{}`, not `{}`", key.public_key.id(), key.key_id);
        return Err(vec![refusal(codes::KEY_ID_MISMATCH, &key.key_id, message).help("name the key by its own id")]);
    }
    if let Some(known) = trust.get(&key.key_id) {
        let replaced = replaces.as_ref().is_none_or(|old| replaced_by(trust, old) == Some(&key.key_id));
        if known.key == key && replaced {
            return Ok(Transition::AlreadyDone);
        }
        let message = match &known.key.status {
            KeyStatus::Active => format!("the key `{}` is already trusted, for something else", key.key_id),
            KeyStatus::Retired { .. } => format!("the key `{}` is retired", key.key_id),
            KeyStatus::Revoked { .. } => format!("the key `{}` is revoked", key.key_id),
        };
        return Err(vec![
            refusal(codes::KEY_KNOWN_WITH_OTHER_GRANT, &key.key_id, message)
                .help("a key keeps its grant: create a new key, and let it replace this one if needed"),
        ]);
    }
    if let Some(old) = &replaces {
        may_take_over(trust, &key, old)?;
    }
    Ok(Transition::append(RegistryEvent::KeyTrusted { key, replaces }))
}

fn may_take_over(trust: &Trust, key: &TrustedKey, old: &KeyId) -> Result<(), Vec<Diagnostic>> {
    let message = match trust.get(old).map(|record| &record.key) {
        None => format!("the key `{old}` to be replaced is unknown"),
        Some(known) if known.status != KeyStatus::Active => {
            format!("the key `{old}` to be replaced is not active")
        }
        Some(known) if known.issuer != key.issuer => {
            format!("the key `{old}` signs for `{}`, not for `{}`", known.issuer, key.issuer)
        }
        Some(_) => return Ok(()),
    };
    Err(vec![
        refusal(codes::KEY_NOT_REPLACEABLE, old, message)
            .help("replace an active key of the same issuer, or trust the new key without replacing one"),
    ])
}

fn replaced_by<'a>(trust: &'a Trust, old: &KeyId) -> Option<&'a KeyId> {
    match &trust.get(old)?.key.status {
        KeyStatus::Retired { replaced_by } => Some(replaced_by),
        KeyStatus::Active | KeyStatus::Revoked { .. } => None,
    }
}

pub(super) fn refusal(code: Code, key_id: &KeyId, message: String) -> Diagnostic {
    Diagnostic::error(code, message).stage("trust").at(Place::file(format!("key:{key_id}")))
}
