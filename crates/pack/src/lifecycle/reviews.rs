//! Which of the required roles have signed off on the very documents.

use super::candidate::Candidate;
use super::history::{Recorded, ReviewRecord};
use super::trust::{Trust, When};
use super::verify::verify_review;
use deed_canon::KeyId;
use deed_diag::{Code, Diagnostic};
use deed_model::ReviewRole;

const REVIEW_MISSING: Code = Code::new("D1202");

/// A sign-off that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldReview {
    /// In which role.
    pub role: ReviewRole,
    /// By which key.
    pub key_id: KeyId,
}

/// One review for each required role, or a finding for each role that has none.
///
/// A retired key's review counts if it was recorded before the key retired; a revoked key's never does.
pub fn check_reviews(
    candidate: &Candidate,
    trust: &Trust,
    reviews: &[Recorded<ReviewRecord>],
) -> Result<Vec<HeldReview>, Vec<Diagnostic>> {
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

fn review_of(
    candidate: &Candidate,
    trust: &Trust,
    role: ReviewRole,
    reviews: &[Recorded<ReviewRecord>],
) -> Result<HeldReview, Vec<Diagnostic>> {
    let mut why = Vec::new();
    for review in reviews.iter().filter(|r| r.record.role == role) {
        match verify_review(&review.envelope, trust, When::At(review.record.seq), candidate) {
            Ok(verified) if verified.review.role == role => {
                return Ok(HeldReview { role, key_id: verified.key_id });
            }
            // The envelope speaks of another role than its event: the event proves nothing.
            Ok(_) => {}
            Err(faults) => why.extend(faults),
        }
    }
    Err(why)
}

pub(super) fn missing(candidate: &Candidate, role: ReviewRole, why: &[Diagnostic]) -> Diagnostic {
    let message = match why.last() {
        None => format!("the `{role}` review of `{}` is missing", candidate.pack_ref()),
        Some(why) => format!("no `{role}` review of `{}` holds: {}", candidate.pack_ref(), why.message),
    };
    Diagnostic::error(REVIEW_MISSING, message)
        .stage("review")
        .at(candidate.place())
        .help(format!("have a key that is trusted for `{role}` review these very bytes"))
}
