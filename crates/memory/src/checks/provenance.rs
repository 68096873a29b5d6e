//! The sources: at least one, each a reference.

use super::Subject;
use crate::reference::is_reference;
use deed_model::RejectionReason;

pub(super) fn check(subject: Subject<'_>) -> Vec<RejectionReason> {
    let provenance = &subject.proposal.provenance;
    if provenance.is_empty() {
        return vec![RejectionReason::MissingProvenance];
    }
    let malformed = provenance.iter().any(|source| !is_reference(source));
    malformed.then_some(RejectionReason::MalformedProvenance).into_iter().collect()
}
