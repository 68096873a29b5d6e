//! A promoted memory in the form that the context compiler reads.

use crate::fold::MemoryRecord;
use deed_model::{MemoryFact, MemoryItem, MemoryProposal, PromotionBasis, RecalledMemory};

/// Returns a memory as the store recalls it: what was proposed, with the record of its promotion. None if it was not
/// promoted.
pub fn item_of(record: &MemoryRecord, proposal: &MemoryProposal) -> Option<RecalledMemory> {
    let promotion = record.promotion.as_ref()?;
    let fact = match (&proposal.entity, &proposal.predicate, &proposal.value) {
        (Some(entity), Some(predicate), Some(value)) => {
            Some(MemoryFact { entity: entity.clone(), predicate: predicate.clone(), value: value.clone() })
        }
        _ => None,
    };
    let reviewed = record.review.as_ref().filter(|_| promotion.basis == PromotionBasis::Review);
    let item = MemoryItem {
        id: record.memory_id.clone(),
        tenant_id: Some(proposal.tenant_id.clone()),
        subject: Some(proposal.subject.clone()),
        intent_id: Some(proposal.intent_id.clone()),
        tier: Some(promotion.tier.clone()),
        class: Some(proposal.class.clone()),
        text: proposal.text.clone(),
        fact,
        promoted_at: Some(promotion.at.clone()),
        classification: Some(proposal.classification.clone()),
        provenance: proposal.provenance.clone(),
        confidence: Some(proposal.confidence),
        reviewed_by: reviewed.map(|review| review.role.to_string()),
        consent: proposal.consent.clone(),
        personal_data: proposal.personal_data,
        corrects: proposal.corrects.clone(),
    };
    Some(RecalledMemory { item, promotion: promotion.event })
}
