//! The source of a payload: the input, and the parts of a text that reading it left out.

use super::Input;
use crate::repair::Literals;
use deed_model::TextRepairs;
use serde_json::Number;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The input of a climb with the facts about its text that rungs above the reading use.
pub(crate) struct Source<'c> {
    pub(crate) input: Input<'c>,
    /// The repairs of the text.
    pub(crate) repairs: TextRepairs,
    /// Text around and within the value that was removed when it was read.
    pub(crate) removed: Vec<&'c str>,
    /// Objects and lists that were open where the text was cut off, so that more of them may have followed.
    pub(crate) cut: Vec<String>,
    /// Keys whose defaults were refused, which stay missing if the result climbs again.
    pub(crate) withheld: BTreeSet<String>,
    /// The numbers of the text as they are written; collected when first asked for.
    literals: OnceCell<Literals>,
}

impl<'c> Source<'c> {
    pub(crate) fn new(input: Input<'c>) -> Self {
        Self {
            input,
            repairs: TextRepairs::default(),
            removed: Vec::new(),
            cut: Vec::new(),
            withheld: BTreeSet::new(),
            literals: OnceCell::new(),
        }
    }

    /// The notation of a number in the text; none where the text writes it in two ways.
    pub(crate) fn written(&self, number: &Number) -> Option<String> {
        match self.input {
            Input::Value(_) => Some(number.to_string()),
            Input::Text(text) => {
                let texts = self.repairs.parts().map(|(kind, at, inserted)| (kind.as_str(), at, inserted));
                self.literals.get_or_init(|| Literals::of(text, texts)).written(number)
            }
        }
    }

    /// Returns whether the text was cut off in the object at a place. Wrappers may have been removed since.
    pub(crate) fn was_cut_in(&self, object: &str) -> bool {
        self.cut.iter().any(|open| open == object || open.ends_with(object) && object.starts_with('/'))
            || (object.is_empty() && !self.cut.is_empty())
    }
}
