//! Trusting a key.

use crate::error::RegistryError;
use crate::evidence::trust_of;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_canon::KeyId;
use deed_model::TrustedKey;
use deed_pack::may_trust_key;

impl Registry {
    /// Trusts a key for the uses it states; with `replaces`, the other key is retired.
    ///
    /// # Errors
    /// The key is known with another grant or status, the other key cannot be replaced, or the registry cannot be written.
    pub fn trust_key(
        &self,
        key: &TrustedKey,
        replaces: Option<&KeyId>,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let trust = trust_of(log, std::iter::once(&key.key_id).chain(replaces))?;
            Ok(Plan::bare(may_trust_key(&trust, key.clone(), replaces.cloned())?))
        })
    }
}
