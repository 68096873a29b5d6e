//! The hashes by which memories are compared: what one states, and the fact that it is about.

use crate::spelling::{compared_name, compared_text, compared_value};
use deed_canon::{CanonError, ContentHash, hash_of};
use deed_model::{MEMORY_ABOUT_TAG, MEMORY_ID_TAG, MEMORY_STATEMENT_TAG, MemoryItem, MemoryProposal};
use serde_json::{Value, json};

/// Returns the hash of what a proposal states. A fact states its value about an entity of the tenant; a text states itself
/// about its subject. Spellings make no difference. Tier, intent and sources are not part of it.
pub(crate) fn statement(proposal: &MemoryProposal) -> Result<ContentHash, CanonError> {
    let fact = match (&proposal.entity, &proposal.predicate, &proposal.value) {
        (Some(entity), Some(predicate), Some(value)) => Some((entity.as_str(), predicate.as_str(), value)),
        _ => None,
    };
    stated(&proposal.tenant_id, fact, Some(&proposal.subject), proposal.text.as_deref())
}

/// Returns the hash of what a memory of a list states, as that of the proposal that it would come from.
pub(crate) fn statement_of(item: &MemoryItem) -> Result<ContentHash, CanonError> {
    let fact = item.fact.as_ref().map(|fact| (fact.entity.as_str(), fact.predicate.as_str(), &fact.value));
    stated(item.tenant_id.as_deref().unwrap_or_default(), fact, item.subject.as_deref(), item.text.as_deref())
}

fn stated(
    tenant: &str,
    fact: Option<(&str, &str, &Value)>,
    subject: Option<&str>,
    text: Option<&str>,
) -> Result<ContentHash, CanonError> {
    let stated = match fact {
        Some((entity, predicate, value)) => json!({
            "tenant_id": tenant, "entity": compared_name(entity), "predicate": compared_name(predicate),
            "value": compared_value(value),
        }),
        None => json!({
            "tenant_id": tenant, "subject": subject.map(compared_name), "text": text.map(compared_text),
        }),
    };
    hash_of(&MEMORY_STATEMENT_TAG, &stated)
}

/// Returns the hash of tenant, entity and predicate of a fact, whatever their spelling; none for a text.
pub(crate) fn about(proposal: &MemoryProposal) -> Result<Option<ContentHash>, CanonError> {
    let (Some(entity), Some(predicate)) = (&proposal.entity, &proposal.predicate) else { return Ok(None) };
    let about = json!([proposal.tenant_id, compared_name(entity), compared_name(predicate)]);
    hash_of(&MEMORY_ABOUT_TAG, &about).map(Some)
}

/// Returns the id of a memory: of its content, and of how often the same content was captured before.
pub(crate) fn memory_id(content: &ContentHash, earlier: u64) -> Result<String, CanonError> {
    Ok(deed_canon::derive_id("mem", &hash_of(&MEMORY_ID_TAG, &(content, earlier))?))
}
