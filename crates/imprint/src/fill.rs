//! Payload → filled template: the document that a model would write for this payload.
//!
//! It is the exact inverse of lowering, and the law is checked with it: a payload filled in and lowered again
//! is the same payload.

use crate::grammar::{Token, Word, escaped, escaped_key};
use crate::imprint::Imprint;
use crate::path::Path;
use crate::reach::Special;
use crate::template::NodeId;
use deed_canon::canonical_string;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A filled template and the values that the system supplies.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    /// The document a model would hand back.
    pub document: Value,
    /// The values of `AUTO` places, by JSON pointer into the payload.
    pub supplied: BTreeMap<String, Value>,
}

/// Fills a template with a payload.
pub(crate) fn fill(imprint: &Imprint, payload: &Value) -> Filled {
    let (filled, opened) = fill_once(imprint, payload, Texts::Opened);
    // Opened text can make a value look like another variant. Then it is left as the text it is, which is right too.
    if opened && imprint.lower(&filled.document, &filled.supplied).payload.as_ref() != Some(payload) {
        return fill_once(imprint, payload, Texts::Kept).0;
    }
    filled
}

fn fill_once(imprint: &Imprint, payload: &Value, texts: Texts) -> (Filled, bool) {
    let mut filler = Filler { imprint, supplied: BTreeMap::new(), texts, opened: false };
    let (special, nodes) = imprint.reach.root(&imprint.template);
    let document = filler.value(payload, special, &nodes, &Path::ROOT);
    let Filler { supplied, opened, .. } = filler;
    (Filled { document, supplied }, opened)
}

/// The treatment of text that is sent as JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    /// It is shown as JSON.
    Opened,
    /// It is shown as the text it is.
    Kept,
}

struct Filler<'i> {
    imprint: &'i Imprint,
    supplied: BTreeMap<String, Value>,
    texts: Texts,
    /// True if any text was opened.
    opened: bool,
}

impl Filler<'_> {
    fn value(&mut self, value: &Value, special: Option<Special>, nodes: &[NodeId], path: &Path<'_>) -> Value {
        match special {
            Some(Special::Auto) => {
                self.supplied.insert(path.pointer(), value.clone());
                return Value::String(Token::new(Word::Auto).with("any").write());
            }
            Some(Special::Text { nullable }) => return self.text(value, nullable, nodes, path),
            None => {}
        }
        if self.imprint.wire_text(path)
            && let Some(inner) = value.as_str().and_then(unserialized)
        {
            return self.plain(&inner, nodes, path);
        }
        self.plain(value, nodes, path)
    }

    fn plain(&mut self, value: &Value, nodes: &[NodeId], path: &Path<'_>) -> Value {
        let (template, reach) = (&self.imprint.template, &self.imprint.reach);
        match value {
            Value::String(text) => Value::String(escaped(text).into_owned()),
            Value::Object(map) => {
                let mut filled = Map::new();
                for (key, child) in map {
                    let (special, inner) = reach.key(template, nodes, value, key);
                    filled.insert(escaped_key(key).into_owned(), self.value(child, special, &inner, &path.key(key)));
                }
                Value::Object(filled)
            }
            Value::Array(items) => {
                let mut filled = Vec::with_capacity(items.len());
                for (index, child) in items.iter().enumerate() {
                    let (special, inner) = reach.item(template, nodes, value, index);
                    filled.push(self.value(child, special, &inner, &path.index(index)));
                }
                Value::Array(filled)
            }
            other => other.clone(),
        }
    }

    /// Text that is JSON is shown as JSON, if writing it again gives the very same text and its content is valid.
    fn text(&mut self, value: &Value, nullable: bool, nodes: &[NodeId], path: &Path<'_>) -> Value {
        let valid = |inner: &Value| match nodes {
            [only] => self.imprint.inner_schema(*only).is_ok_and(|schema| schema.is_valid(inner) == Ok(true)),
            _ => true,
        };
        // Where null may stand, the text `null` is something else.
        let other = |inner: &Value| !(nullable && inner.is_null());
        let text = value.as_str().filter(|_| self.texts == Texts::Opened);
        match text.and_then(unserialized).filter(other).filter(valid) {
            Some(inner) => {
                self.opened = true;
                self.plain(&inner, nodes, path)
            }
            None => self.plain(value, &[], path),
        }
    }
}

/// The value behind a text that is the canonical form of something other than a text.
fn unserialized(text: &str) -> Option<Value> {
    let value = deed_canon::parse(text.as_bytes()).ok()?;
    let same = canonical_string(&value).is_ok_and(|again| again == text);
    (same && !value.is_string()).then_some(value)
}
