//! Retrieved evidence.

use super::read::{self, Named, ReadInput};
use crate::refusal::Refusal;
use deed_diag::{Diagnostic, Document, codes};
use deed_model::EvidenceItem;
use serde_json::Value;

/// The maximum number of pieces of evidence of one compile.
const MOST: usize = 1_000_000;

/// Retrieved evidence. Its order has no meaning.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    pub(crate) items: Vec<EvidenceItem>,
}

impl Evidence {
    /// Creates evidence. The order of the pieces' tags and conflicts has no meaning either.
    pub fn new(mut items: Vec<EvidenceItem>) -> Self {
        for item in &mut items {
            for list in [&mut item.tags, &mut item.conflicts_with] {
                list.sort_unstable();
                list.dedup();
            }
        }
        Self { items }
    }

    /// Returns the pieces as supplied.
    pub fn items(&self) -> &[EvidenceItem] {
        &self.items
    }
}

impl ReadInput for Evidence {
    type Shape = Vec<EvidenceItem>;
    const NAME: &'static str = "evidence";

    fn from_value(value: Value) -> Result<Self, Refusal> {
        if value.as_array().is_some_and(|items| items.len() > MOST) {
            return Err(Refusal::before(codes::COMPILE_TOO_LARGE, format!("more than {MOST} pieces of evidence")));
        }
        read::typed(Self::NAME, &value).map(Self::new)
    }

    fn unknown_keys(document: &Document) -> Vec<Diagnostic> {
        read::unread::<Self::Shape>(document, &[Named { at: "", what: "a piece of evidence", also: &[] }])
    }
}
