//! What was hidden and made harmless in text from outside.

use crate::hydrate::Hydrated;
use crate::redacted::SHORTEST_NUMBER;
use crate::text::{self, Fence, Neutralized, prepare};
use deed_model::LedgerRedaction;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Counts for one stage.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    redactions: Vec<u64>,
    neutral: Neutralized,
}

impl Tally {
    pub(crate) fn new(pack: &Hydrated) -> Self {
        Self { redactions: vec![0; pack.redactor.rules().count()], neutral: Neutralized::default() }
    }

    /// Text from outside, with what must be hidden hidden and what could mislead made visible.
    pub(crate) fn prepare<'t>(&mut self, pack: &Hydrated, text: &'t str) -> Cow<'t, str> {
        prepare(text, &pack.redactor, &mut self.redactions, &mut self.neutral)
    }

    /// Anything but a text, as canonical JSON: each text in it is redacted by itself first, since what JSON escapes would
    /// tear a number apart.
    pub(crate) fn written(&mut self, pack: &Hydrated, value: &Value) -> String {
        deed_canon::canonical_string(&self.redacted(pack, value)).unwrap_or_default()
    }

    fn redacted(&mut self, pack: &Hydrated, value: &Value) -> Value {
        let mut hide = |text: &str| pack.redactor.redact(text, &mut self.redactions).into_owned();
        match value {
            Value::String(text) => Value::String(hide(text)),
            Value::Number(number) if number.as_u64().is_some_and(|n| n >= SHORTEST_NUMBER) => {
                let text = number.to_string();
                let hidden = hide(&text);
                if hidden == text { value.clone() } else { Value::String(hidden) }
            }
            Value::Array(items) => items.iter().map(|item| self.redacted(pack, item)).collect(),
            Value::Object(fields) => {
                let mut out = Map::new();
                for (key, part) in fields {
                    let hidden = pack.redactor.redact(key, &mut self.redactions).into_owned();
                    // Two keys that are hidden alike are both kept.
                    let key = if out.contains_key(&hidden) { format!("{hidden} ({})", out.len()) } else { hidden };
                    let part = self.redacted(pack, part);
                    out.insert(key, part);
                }
                Value::Object(out)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// A text from outside as a fenced block, with words about it beside the block's id.
    pub(crate) fn block<const N: usize>(
        &mut self,
        pack: &Hydrated,
        id: &str,
        words: [Option<&str>; N],
        text: &str,
    ) -> String {
        let body = self.prepare(pack, text);
        let mut out = String::with_capacity(body.len() + 80);
        let mut fence = Fence::open(id, &mut out);
        for word in words.into_iter().flatten() {
            // Made harmless where it is written.
            fence.word(&pack.redactor.redact(word, &mut self.redactions));
        }
        self.neutral.add(&fence.close(&body));
        out
    }

    /// Adds the counts of another stage.
    pub(crate) fn add(&mut self, other: &Self) {
        self.redactions.iter_mut().zip(&other.redactions).for_each(|(own, more)| *own += more);
        self.neutral.add(&other.neutral);
    }

    pub(crate) fn neutral(&self) -> deed_model::Neutralized {
        let text::Neutralized { bidi, control, fence, invisible } = self.neutral;
        deed_model::Neutralized { bidi, control, fence, invisible }
    }

    /// A line for each rule of the pack, also where it hid nothing.
    pub(crate) fn redactions<'a>(&self, pack: &'a Hydrated) -> Vec<LedgerRedaction<'a>> {
        let rules = pack.redactor.rules().zip(&self.redactions);
        rules.map(|(rule, count)| LedgerRedaction { count: *count, rule: Cow::Borrowed(rule) }).collect()
    }
}
