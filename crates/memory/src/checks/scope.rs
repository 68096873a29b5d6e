//! The scope: the pack's tenant, one subject where the pack shares no further, an intent that the pack has.

use super::Subject;
use crate::ANY;
use deed_model::{MemoryScope, RejectionReason};

pub(super) fn check(subject: Subject<'_>) -> Vec<RejectionReason> {
    let (proposal, rules) = (subject.proposal, subject.rules);
    let mut found = Vec::new();
    if proposal.tenant_id != rules.tenant_id {
        found.push(RejectionReason::OtherTenant);
    }
    if proposal.subject == ANY && rules.scope == MemoryScope::Subject {
        found.push(RejectionReason::AnySubject);
    }
    if proposal.intent_id != ANY && !rules.intents.contains(&proposal.intent_id) {
        found.push(RejectionReason::UnknownIntent);
    }
    found
}
