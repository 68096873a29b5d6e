//! The statements that issuers and reviewers sign.

use super::candidate::Candidate;
use deed_canon::{CanonError, ContentHash, Statement, Subject};
use deed_model::{PACK_REVIEW_PREDICATE, PACK_SIGNATURE_PREDICATE, PackReview, PackSignature, ReviewRole};
use serde::Serialize;

/// The beginning of the name of a golden case among the subjects of a statement. No reference has a `/`.
pub(super) const GOLDEN: &str = "golden/";

/// Returns the issuer's statement: this document, with these overlays, is this version.
pub fn signature_statement(candidate: &Candidate) -> Result<Statement, CanonError> {
    let predicate = PackSignature {
        pack_ref: candidate.pack_ref().clone(),
        issuer: candidate.issuer().to_owned(),
        content_hash: candidate.content_hash(),
        overlays: candidate.signed_overlays(),
        golden: candidate.signed_golden(),
    };
    statement(candidate, PACK_SIGNATURE_PREDICATE, &predicate)
}

/// Returns a reviewer's statement: I reviewed this document, with these overlays, in this role.
pub fn review_statement(
    candidate: &Candidate,
    role: ReviewRole,
    note: Option<String>,
) -> Result<Statement, CanonError> {
    let predicate = PackReview {
        pack_ref: candidate.pack_ref().clone(),
        issuer: candidate.issuer().to_owned(),
        content_hash: candidate.content_hash(),
        overlays: candidate.signed_overlays(),
        golden: candidate.signed_golden(),
        role,
        note,
    };
    statement(candidate, PACK_REVIEW_PREDICATE, &predicate)
}

/// Returns the artifacts by plain digest, so that tools which know in-toto but not Deed can match the files.
pub(super) fn subjects(candidate: &Candidate) -> Vec<Subject> {
    let overlays = candidate.overlays().iter().map(|o| subject(o.overlay_ref().to_string(), o.sha256()));
    let golden = candidate.golden().iter().map(|g| subject(format!("{GOLDEN}{}", g.name()), g.sha256()));
    std::iter::once(subject(candidate.pack_ref().to_string(), candidate.sha256()))
        .chain(overlays)
        .chain(golden)
        .collect()
}

fn subject(name: String, sha256: ContentHash) -> Subject {
    Subject { name, digest: [("sha256".to_owned(), sha256.hex())].into() }
}

fn statement<P: Serialize>(candidate: &Candidate, kind: &str, predicate: &P) -> Result<Statement, CanonError> {
    let predicate = serde_json::to_value(predicate).map_err(|e| CanonError::NotJson(e.to_string()))?;
    Ok(Statement::new(subjects(candidate), kind, predicate))
}
