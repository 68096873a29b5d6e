//! The content: a text or a whole fact, of a reasonable size, with a confidence.

use super::Subject;
use deed_model::RejectionReason;

/// The size of the largest text or value, in bytes. A memory is a sentence or a fact; a document is evidence.
const LARGEST: usize = 8 * 1024;

pub(super) fn check(subject: Subject<'_>) -> Vec<RejectionReason> {
    let proposal = subject.proposal;
    let named = |part: &Option<String>| part.as_deref().is_some_and(|text| !text.trim().is_empty());
    let parts = [proposal.entity.is_some(), proposal.predicate.is_some(), proposal.value.is_some()];
    let whole = named(&proposal.entity) && named(&proposal.predicate) && proposal.value.is_some();
    let text = named(&proposal.text);
    let is_fact = whole && proposal.text.is_none();
    let is_text = text && parts == [false; 3];
    let mut found = Vec::new();
    if !is_fact && !is_text {
        found.push(RejectionReason::NoContent);
    }
    let texts = [&proposal.text, &proposal.entity, &proposal.predicate];
    let value = proposal.value.as_ref().map_or(0, |value| value.to_string().len());
    if texts.iter().filter_map(|text| text.as_ref()).map(String::len).chain([value]).any(|size| size > LARGEST) {
        found.push(RejectionReason::TooLarge);
    }
    if !(0.0..=1.0).contains(&proposal.confidence) {
        found.push(RejectionReason::ConfidenceOutOfRange);
    }
    found
}
