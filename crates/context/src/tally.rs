//! Counts of redactions and neutralizations in text from outside.

use crate::hydrate::Hydrated;
use crate::redacted::SHORTEST_NUMBER;
use crate::text::{self, Fence, Neutralized, prepare};
use deed_diag::Invariant as _;
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

    /// Redacts and neutralizes text from outside.
    pub(crate) fn prepare<'t>(&mut self, pack: &Hydrated, text: &'t str) -> Cow<'t, str> {
        prepare(text, &pack.redactor, &mut self.redactions, &mut self.neutral)
    }

    /// Renders any value but a text as canonical JSON. Each text in it is redacted by itself first, since JSON escapes
    /// could split a number.
    pub(crate) fn written(&mut self, pack: &Hydrated, value: &Value) -> String {
        deed_canon::canonical_string(&self.redacted(pack, value)).invariant("a hashed value has a canonical form")
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
                    // Two keys that are redacted alike are both kept.
                    let key = if out.contains_key(&hidden) { format!("{hidden} ({})", out.len()) } else { hidden };
                    let part = self.redacted(pack, part);
                    out.insert(key, part);
                }
                Value::Object(out)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// Renders a text from outside as a fenced block, with words beside the block's id.
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
            // The fence neutralizes it.
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

    /// Returns an entry for each rule of the pack, also if it redacted nothing.
    pub(crate) fn redactions<'a>(&self, pack: &'a Hydrated) -> Vec<LedgerRedaction<'a>> {
        let rules = pack.redactor.rules().zip(&self.redactions);
        rules.map(|(rule, count)| LedgerRedaction { count: *count, rule: Cow::Borrowed(rule) }).collect()
    }
}
