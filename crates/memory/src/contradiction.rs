//! Contradictions: promoted facts that state another value of the same entity and predicate.
//!
//! They are looked for in the whole tenant, whatever subject and intent the memories are for: a fact is about its entity.

use crate::CORRECTION;
use crate::fold::{MemoryRecord, MemoryState};
use deed_model::MemorySummary;
use jiff::Timestamp;

/// The promoted facts that a memory contradicts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Contradictions {
    /// Those that it outranks, as a correction, and that no person accepted.
    pub(crate) outranked: Vec<String>,
    /// Those that a person has to decide about.
    pub(crate) open: Vec<String>,
}

/// Finds what a memory contradicts at an instant. A correction outranks a fact that is none, and the memory that it names;
/// what a person accepted gives way only after a review.
pub(crate) fn contradictions(state: &MemoryState, summary: &MemorySummary, at: Timestamp) -> Contradictions {
    let mut found = Contradictions::default();
    let facts = summary.about.iter().flat_map(|about| state.of_fact(about));
    let named = |record: &MemoryRecord| summary.corrects.as_deref() == Some(record.memory_id.as_str());
    // It contradicts what it names, also where one of the two is a text.
    let elsewhere = |record: &&MemoryRecord| {
        record.summary.as_ref().is_some_and(|its| its.about.is_none() || its.about != summary.about)
    };
    let target = summary.corrects.as_deref().and_then(|id| state.get(id)).filter(elsewhere);
    for record in facts.chain(target).filter(|record| record.is_live(at)) {
        let Some(its) = record.summary.as_ref().filter(|its| its.statement != summary.statement) else { continue };
        let outranks = summary.class == CORRECTION && (its.class != CORRECTION || named(record));
        let list = if outranks && !record.was_reviewed() { &mut found.outranked } else { &mut found.open };
        list.push(record.memory_id.clone());
    }
    found.outranked.sort();
    found.open.sort();
    found
}

/// Finds the promoted memories whose place a memory takes without contradicting them: the one that it corrects, and those
/// that state the same for the same subject and intent.
pub(crate) fn replaced(state: &MemoryState, summary: &MemorySummary, at: Timestamp) -> Vec<String> {
    let same = state.of_statement(&summary.statement).filter(|record| is_for_the_same(record, summary));
    let corrected = summary.corrects.as_deref().and_then(|id| state.get(id));
    same.chain(corrected).filter(|record| record.is_live(at)).map(|record| record.memory_id.clone()).collect()
}

fn is_for_the_same(record: &MemoryRecord, summary: &MemorySummary) -> bool {
    let same = |its: &MemorySummary| its.subject == summary.subject && its.intent_id == summary.intent_id;
    record.summary.as_ref().is_some_and(same)
}
