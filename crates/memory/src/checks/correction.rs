//! A correction that names what it corrects: a promoted memory of the tenant, and of facts the same one.

use super::Subject;
use crate::CORRECTION;
use deed_model::RejectionReason;

pub(super) fn check(subject: Subject<'_>) -> Vec<RejectionReason> {
    let Some(corrects) = subject.proposal.corrects.as_deref() else { return Vec::new() };
    let mut found = Vec::new();
    if subject.proposal.class != CORRECTION {
        found.push(RejectionReason::NotACorrection);
    }
    let target = subject.state.get(corrects).filter(|record| record.promotion.is_some());
    let summary = target.and_then(|record| record.summary.as_ref());
    match summary.filter(|its| its.tenant_id == subject.proposal.tenant_id) {
        None => found.push(RejectionReason::CorrectsUnknown),
        Some(its) => {
            let elsewhere = its.about.is_some() && subject.about.is_some() && its.about != subject.about;
            found.extend(elsewhere.then_some(RejectionReason::CorrectsAnotherFact));
        }
    }
    found
}
