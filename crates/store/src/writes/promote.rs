//! observed → promoted.

use crate::error::RegistryError;
use crate::evidence::{current_pin, full_history};
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::PackRef;
use deed_pack::{EnvironmentKey, may_promote};

impl Registry {
    /// Promotes the version that an environment has pinned.
    ///
    /// # Errors
    /// It is not pinned there, was not used there, may not be used, or the registry cannot be written.
    pub fn promote(
        &self,
        pack_ref: &PackRef,
        environment: &str,
        tenant_id: &str,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let key = EnvironmentKey {
                tenant_id: tenant_id.to_owned(),
                environment: environment.to_owned(),
                pack_id: pack_ref.pack_id.clone(),
            };
            Ok(Plan::bare(may_promote(&full_history(log, pack_ref)?, &current_pin(log, key)?)?))
        })
    }
}
