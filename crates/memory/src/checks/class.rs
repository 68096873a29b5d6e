//! The class: one that the pack allows to be written.

use super::Subject;
use deed_model::RejectionReason;

pub(super) fn check(subject: Subject<'_>) -> Vec<RejectionReason> {
    let allowed = subject.rules.write_classes_allowed.contains(&subject.proposal.class);
    (!allowed).then_some(RejectionReason::ClassNotAllowed).into_iter().collect()
}
