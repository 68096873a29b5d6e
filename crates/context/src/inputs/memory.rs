//! Recalled memory.

use super::read::{self, Named, ReadInput};
use crate::refusal::Refusal;
use deed_diag::{Diagnostic, Document, codes};
use deed_model::{MemoryItem, MemoryOrigin, RecalledMemory};
use serde_json::Value;

/// The maximum number of memories of one compile.
const MOST: usize = 1_000_000;

/// Recalled memory: what the caller lists, and what the store recalled. Its order has no meaning.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    items: Vec<MemoryItem>,
    recalled: Vec<RecalledMemory>,
}

impl Memory {
    /// Creates memory that the caller lists. Its promotion is the caller's word, and the ledger says so.
    pub fn new(items: Vec<MemoryItem>) -> Self {
        Self { items, recalled: Vec::new() }
    }

    /// Adds what the store recalled: only its promotions are facts.
    #[must_use]
    pub fn with_recalled(mut self, recalled: Vec<RecalledMemory>) -> Self {
        self.recalled.extend(recalled);
        self
    }

    /// Returns the memories that the caller lists.
    pub fn items(&self) -> &[MemoryItem] {
        &self.items
    }

    /// Reads recorded memory: a list of the caller, and what the store recalled, if it was asked.
    pub(crate) fn from_recorded(listed: Value, recalled: Option<&Value>) -> Result<Self, Refusal> {
        let memory = Self::from_value(listed)?;
        match recalled {
            Some(recalled) => Ok(memory.with_recalled(read::typed(Self::NAME, recalled)?)),
            None => Ok(memory),
        }
    }

    /// Iterates over all memories with their origins.
    pub(crate) fn supplied(&self) -> impl Iterator<Item = (&MemoryItem, MemoryOrigin)> {
        let listed = self.items.iter().map(|item| (item, MemoryOrigin::File));
        let stored = |its: &'_ RecalledMemory| MemoryOrigin::Store { promotion: its.promotion };
        listed.chain(self.recalled.iter().map(move |its| (&its.item, stored(its))))
    }
}

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
        read::unread::<Self::Shape>(document, &[Named { at: "", what: "a memory", also: &[] }])
    }
}
