//! Verification of the whole registry, from its first event.
//!
//! In order: the database's own pages and indexes; the chain; the head; every transition as if it were made again; every
//! stored file; every publication as of today. All findings are returned, not only the first; but after a broken chain
//! the rest would only report consequences, so that only the files are checked.
//!
//! Errors mean that something was damaged or tampered with. Warnings mean that the log is sound and that some version
//! can no longer be used, because a key that signed or reviewed it was revoked.
//!
//! The chain is not signed. An attacker who can write to the registry's folder can write another history with matching
//! hashes that verifies. The attacker cannot sign, so no document can be forged or altered that way; but a revocation
//! can be removed, and a key be trusted. `expected_head` detects that: a head that was recorded elsewhere must still be
//! one of the log's events.

mod chain;
mod database;
mod profiles;
mod publications;
mod replay;
mod stored;

use crate::error::RegistryError;
use crate::registry::Registry;
use deed_canon::{ChainHead, ContentHash};
use deed_diag::Diagnostic;

/// The result of verifying a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Errors for damage, warnings for versions that can no longer be used; empty if everything verifies.
    pub findings: Vec<Diagnostic>,
    /// The verified end of the log; `None` if the log is empty or its chain does not lead there.
    pub head: Option<ChainHead>,
    /// The number of events in the log.
    pub events: u64,
}

impl Registry {
    /// Verifies a snapshot of the registry. `expected_head` is a head that was recorded elsewhere, now or earlier.
    ///
    /// # Errors
    /// The database cannot be read. Damage is returned as findings.
    pub fn verify(&self, expected_head: Option<ContentHash>) -> Result<Verification, RegistryError> {
        self.read(|conn| {
            let mut findings = database::check(conn)?;
            let chain::ChainCheck { entries, head, events, findings: found } = chain::check(conn, expected_head)?;
            let sound = found.is_empty();
            findings.extend(found);
            if sound {
                let (state, found) = replay::check(&self.blobs, &entries);
                findings.extend(found);
                findings.extend(publications::check(&self.blobs, &state));
                findings.extend(profiles::check(&self.blobs, &state));
            }
            findings.extend(stored::check(&self.blobs, &entries));
            dedup(&mut findings);
            Ok(Verification { findings, head, events })
        })
    }
}

/// Removes duplicates: several checks find the same missing file.
fn dedup(findings: &mut Vec<Diagnostic>) {
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(findings.len());
    for finding in findings.drain(..) {
        let same = |k: &Diagnostic| k.code == finding.code && k.place == finding.place && k.message == finding.message;
        if !kept.iter().any(same) {
            kept.push(finding);
        }
    }
    *findings = kept;
}
