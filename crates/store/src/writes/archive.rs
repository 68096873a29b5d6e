//! Named archives of recordings.

use crate::error::RegistryError;
use crate::evidence::archives;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_pack::{ArchiveRecord, may_forget_archive, may_name_archive};

impl Registry {
    /// Names an archive, or states anew what is in it.
    ///
    /// # Errors
    /// The name cannot be used, or the registry cannot be written.
    pub fn name_archive(&self, name: &str, record: &ArchiveRecord, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_name_archive(&archives(log)?, name, record)?)))
    }

    /// Ends the use of an archive.
    ///
    /// # Errors
    /// There is no such archive, the reason is empty, or the registry cannot be written.
    pub fn forget_archive(&self, name: &str, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_forget_archive(&archives(log)?, name, reason)?)))
    }
}
