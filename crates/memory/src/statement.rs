//! The hashes by which memories are compared: what one states, and the fact that it is about.

use deed_canon::{CanonError, ContentHash, hash_of};
use deed_model::{MEMORY_ABOUT_TAG, MEMORY_ID_TAG, MEMORY_STATEMENT_TAG, MemoryProposal};
use serde_json::json;

/// Returns the hash of what a proposal states. A fact states its value about an entity of the tenant; a text states itself
/// about its subject, whatever its blanks and capitals. Tier, intent and sources are not part of it.
pub(crate) fn statement(proposal: &MemoryProposal) -> Result<ContentHash, CanonError> {
    let tenant = &proposal.tenant_id;
    let stated = match (&proposal.entity, &proposal.predicate, &proposal.value) {
        (Some(entity), Some(predicate), Some(value)) => {
            json!({ "tenant_id": tenant, "entity": entity, "predicate": predicate, "value": value })
        }
        _ => json!({ "tenant_id": tenant, "subject": proposal.subject, "text": proposal.text.as_deref().map(folded) }),
    };
    hash_of(&MEMORY_STATEMENT_TAG, &stated)
}

/// Returns the hash of tenant, entity and predicate of a fact; none for a text.
pub(crate) fn about(proposal: &MemoryProposal) -> Result<Option<ContentHash>, CanonError> {
    let (Some(entity), Some(predicate)) = (&proposal.entity, &proposal.predicate) else { return Ok(None) };
    hash_of(&MEMORY_ABOUT_TAG, &json!([proposal.tenant_id, entity, predicate])).map(Some)
}

/// Returns the id of a memory: of its content, and of how often the same content was captured before.
pub(crate) fn memory_id(content: &ContentHash, earlier: u64) -> Result<String, CanonError> {
    Ok(deed_canon::derive_id("mem", &hash_of(&MEMORY_ID_TAG, &(content, earlier))?))
}

/// A text in small letters with single blanks.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
