//! Recalled memory.

use super::read::{self, ReadInput};
use crate::refusal::{Refusal, codes};
use deed_diag::{Diagnostic, Document};
use deed_model::MemoryItem;
use serde_json::Value;

/// How many memories one compile takes.
const MOST: usize = 1_000_000;

/// Recalled memory. Its order has no meaning.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    pub(crate) items: Vec<MemoryItem>,
}

impl Memory {
    /// Memories.
    pub fn new(items: Vec<MemoryItem>) -> Self {
        Self { items }
    }

    /// The memories as they were supplied.
    pub fn items(&self) -> &[MemoryItem] {
        &self.items
    }
}

const KEYS: [&str; 13] = [
    "id",
    "tenant_id",
    "subject",
    "intent_id",
    "tier",
    "class",
    "text",
    "entity",
    "predicate",
    "value",
    "promoted_at",
    "classification",
    "provenance",
];

impl ReadInput for Memory {
    type Shape = Vec<MemoryItem>;
    const NAME: &'static str = "memory";

    fn from_value(value: Value) -> Result<Self, Refusal> {
        if value.as_array().is_some_and(|items| items.len() > MOST) {
            return Err(Refusal::before(codes::TOO_MUCH, format!("more than {MOST} memories")));
        }
        read::typed(Self::NAME, &value).map(Self::new)
    }

    fn unknown_keys(document: &Document) -> Vec<Diagnostic> {
        read::unknown_in_items(document, &KEYS, "a memory")
    }
}
