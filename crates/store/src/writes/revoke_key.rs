//! A key is not to be believed any more.

use crate::error::RegistryError;
use crate::evidence::trust_of;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_canon::KeyId;
use deed_pack::may_revoke_key;

impl Registry {
    /// Revokes a key: nothing that it ever signed holds from now on.
    pub fn revoke_key(&self, key_id: &KeyId, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let trust = trust_of(log, [key_id])?;
            Ok(Plan::bare(may_revoke_key(&trust, key_id, reason)?))
        })
    }
}
