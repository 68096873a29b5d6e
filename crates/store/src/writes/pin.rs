//! published → pinned; rollback is a pin of a lower version.

use crate::error::RegistryError;
use crate::evidence::{current_pin, history};
use crate::reads::prove;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::PackRef;
use deed_pack::{EnvironmentKey, may_pin};

impl Registry {
    /// Makes an environment of a tenant use a version from now on.
    ///
    /// # Errors
    /// The version may not be pinned or does not verify, or the registry cannot be written.
    pub fn pin(
        &self,
        pack_ref: &PackRef,
        environment: &str,
        tenant_id: &str,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let history = history(log, pack_ref)?;
            let key = EnvironmentKey {
                tenant_id: tenant_id.to_owned(),
                environment: environment.to_owned(),
                pack_id: pack_ref.pack_id.clone(),
            };
            let transition = may_pin(&history, &current_pin(log, key)?)?;
            prove(log, &self.blobs, &history)?;
            Ok(Plan::bare(transition))
        })
    }
}
