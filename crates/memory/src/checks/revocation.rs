//! Revocation: what was revoked never returns, whoever states it again.

use super::Subject;
use deed_model::RejectionReason;

pub(super) fn check(subject: Subject<'_>) -> Vec<RejectionReason> {
    let returns = subject.state.is_revoked(&subject.statement);
    returns.then_some(RejectionReason::RevokedBefore).into_iter().collect()
}
