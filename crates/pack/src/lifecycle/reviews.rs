//! Checks that the required roles have signed off on exactly these documents.

use super::candidate::Candidate;
use super::history::{RecordWithEnvelope, ReviewRecord};
use super::trust::{SigningTime, Trust};
use super::verify::verify_review;
use deed_canon::KeyId;
use deed_diag::{Diagnostic, codes};
use deed_model::ReviewRole;

/// A sign-off that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedReview {
    /// The role.
    pub role: ReviewRole,
    /// The key.
    pub key_id: KeyId,
}

/// Returns one review for each required role, or a finding for each role without one.
///
/// A retired key's review counts if it was recorded before the key retired; a revoked key's never does.
pub(super) fn check_reviews(
    candidate: &Candidate,
    trust: &Trust,
    reviews: &[RecordWithEnvelope<ReviewRecord>],
) -> Result<Vec<CountedReview>, Vec<Diagnostic>> {
    let mut held = Vec::new();
    let mut faults = Vec::new();
    for role in candidate.required_reviews() {
        match review_of(candidate, trust, role, reviews) {
            Ok(review) => held.push(review),
            Err(why) => faults.push(missing(candidate, role, &why)),
        }
    }
    if faults.is_empty() { Ok(held) } else { Err(faults) }
}

/// Returns the keys with a valid review in a role.
pub(super) fn reviewers(
    candidate: &Candidate,
    trust: &Trust,
    role: ReviewRole,
    reviews: &[RecordWithEnvelope<ReviewRecord>],
) -> Vec<KeyId> {
    let own = reviews.iter().filter(|review| review.record.role == role);
    let valid = own.filter_map(|review| {
        verify_review(&review.envelope, trust, SigningTime::At(review.record.seq), candidate)
            .ok()
            .filter(|verified| verified.review.role == role)
    });
    valid.map(|verified| verified.key_id).collect()
}

fn review_of(
    candidate: &Candidate,
    trust: &Trust,
    role: ReviewRole,
    reviews: &[RecordWithEnvelope<ReviewRecord>],
) -> Result<CountedReview, Vec<Diagnostic>> {
    let mut why = Vec::new();
    for review in reviews.iter().filter(|r| r.record.role == role) {
        match verify_review(&review.envelope, trust, SigningTime::At(review.record.seq), candidate) {
            Ok(verified) if verified.review.role == role => {
                return Ok(CountedReview { role, key_id: verified.key_id });
            }
            // The envelope is about another role than its event, so it proves nothing.
            Ok(_) => {}
            Err(faults) => why.extend(faults),
        }
    }
    Err(why)
}

pub(super) fn missing(candidate: &Candidate, role: ReviewRole, why: &[Diagnostic]) -> Diagnostic {
    let message = match why.last() {
        None => format!("the `{role}` review of `{}` is missing", candidate.pack_ref()),
        Some(why) => format!("no `{role}` review of `{}` is valid: {}", candidate.pack_ref(), why.message),
    };
    Diagnostic::error(codes::REVIEW_MISSING, message)
        .stage("review")
        .at(candidate.place())
        .help(format!("review exactly these bytes with a key that is trusted for `{role}`"))
}
