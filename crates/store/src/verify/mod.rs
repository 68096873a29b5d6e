//! The whole registry, checked from its first event.
//!
//! In order: the database's own pages and indexes; the chain; the head; every transition as if it were made
//! again; every stored file; every publication as it stands today. All findings come back, not the first;
//! but after a broken chain the rest would only speak of the consequences, so only the files are looked at.
//!
//! Errors mean that something was damaged or tampered with. Warnings mean that the log is sound and that
//! some version can no longer be used, because a key that stood behind it was revoked.
//!
//! The chain is not signed. Who can write to the registry's folder can write another history with hashes
//! that fit, leave out what he likes, and be found sound. He cannot sign: no document can be forged or
//! altered that way, but a revocation can be made to vanish, and a key to be trusted. Against that there is
//! `expected_head`: a head that was noted elsewhere must still be one of the log's events.

mod chain;
mod database;
mod publications;
mod replay;
mod stored;

use crate::error::RegistryError;
use crate::registry::Registry;
use deed_canon::{ChainHead, ContentHash};
use deed_diag::Diagnostic;

/// What a check of everything came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Everything that is wrong, or can no longer be used; nothing where all holds.
    pub findings: Vec<Diagnostic>,
    /// The log's end that was verified; nothing where the log is empty or its chain does not lead there.
    pub head: Option<ChainHead>,
    /// How many events the log has.
    pub events: u64,
}

impl Registry {
    /// Checks everything at one moment. `expected_head` is a head that was noted elsewhere, now or earlier.
    pub fn verify(&self, expected_head: Option<ContentHash>) -> Result<Verification, RegistryError> {
        self.read(|conn| {
            let mut findings = database::check(conn)?;
            let chain::Checked { entries, head, events, findings: found } = chain::check(conn, expected_head)?;
            let sound = found.is_empty();
            findings.extend(found);
            if sound {
                let (state, found) = replay::check(&self.blobs, &entries);
                findings.extend(found);
                findings.extend(publications::check(&self.blobs, &state));
            }
            findings.extend(stored::check(&self.blobs, &entries));
            dedup(&mut findings);
            Ok(Verification { findings, head, events })
        })
    }
}

/// A missing file is found by whoever needs it; it is reported once.
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
