//! Consent: personal data is kept only where the pack allows it, and only with a reference to the consent.

use super::Subject;
use crate::reference::is_reference;
use deed_model::RejectionReason;

pub(super) fn check(subject: Subject<'_>) -> Vec<RejectionReason> {
    let consent = subject.proposal.consent.as_deref();
    let mut found = Vec::new();
    if consent.is_some_and(|consent| !is_reference(consent)) {
        found.push(RejectionReason::MalformedConsent);
    }
    if subject.personal_data {
        if !subject.rules.pii_write_back_allowed {
            found.push(RejectionReason::PersonalDataNotAllowed);
        } else if consent.is_none() {
            found.push(RejectionReason::MissingConsent);
        }
    }
    found
}
