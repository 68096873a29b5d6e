//! Recalled memory.

use super::read::{self, ReadInput};
use crate::refusal::Refusal;
use deed_diag::{Diagnostic, Document, codes};
use deed_model::MemoryItem;
use serde_json::Value;

/// The maximum number of memories of one compile.
const MOST: usize = 1_000_000;

/// Recalled memory. Its order has no meaning.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    pub(crate) items: Vec<MemoryItem>,
}

impl Memory {
    /// Creates recalled memory.
    pub fn new(items: Vec<MemoryItem>) -> Self {
        Self { items }
    }

    /// Returns the memories as supplied.
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
            return Err(Refusal::before(codes::COMPILE_TOO_LARGE, format!("more than {MOST} memories")));
        }
        read::typed(Self::NAME, &value).map(Self::new)
    }

    fn unknown_keys(document: &Document) -> Vec<Diagnostic> {
        read::unknown_in_items(document, &KEYS, "a memory")
    }
}
