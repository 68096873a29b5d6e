//! Revoking a key.

use crate::error::RegistryError;
use crate::evidence::trust_of;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_canon::KeyId;
use deed_pack::may_revoke_key;

impl Registry {
    /// Revokes a key: all its signatures are invalid from now on, earlier ones too.
    ///
    /// # Errors
    /// The reason is empty, the key is unknown, or the registry cannot be written.
    pub fn revoke_key(&self, key_id: &KeyId, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let trust = trust_of(log, [key_id])?;
            Ok(Plan::bare(may_revoke_key(&trust, key_id, reason)?))
        })
    }
}
