//! The classification: at most the pack's.

use super::Subject;
use deed_model::{Classification, RejectionReason};

pub(super) fn check(subject: Subject<'_>) -> Vec<RejectionReason> {
    match subject.proposal.classification.parse::<Classification>() {
        Err(()) => vec![RejectionReason::UnknownClassification],
        Ok(level) if level > subject.rules.data_classification => vec![RejectionReason::AboveClassification],
        Ok(_) => Vec::new(),
    }
}
