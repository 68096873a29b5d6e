//! A regression of a candidate that was accepted.

use crate::error::RegistryError;
use crate::evidence::history;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::PackRef;
use deed_pack::{AcceptedRegression, may_accept_regression};

impl Registry {
    /// Records that one finding about one document is accepted.
    ///
    /// # Errors
    /// The reason is empty, the document was not linted, or the registry cannot be written.
    pub fn accept_regression(
        &self,
        pack_ref: &PackRef,
        accepted: &AcceptedRegression,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_accept_regression(&history(log, pack_ref)?, accepted)?)))
    }
}
