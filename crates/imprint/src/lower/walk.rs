//! Reads a filled template: values that are kept, places left untouched, leftover tokens.

use super::Supplied;
use super::finding::Finding;
use crate::grammar::{REMARK, Token, Word, is_token, unescaped, unescaped_key};
use crate::imprint::Imprint;
use crate::path::Path;
use crate::reach::Special;
use crate::template::NodeId;
use deed_canon::{Pointer, canonical_string};
use deed_diag::{codes, quote};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The result of the walk.
pub(super) struct Walked {
    /// The payload so far; none if nothing was filled in.
    pub(super) payload: Option<Value>,
    pub(super) notes: Notes,
}

/// Notes taken during the walk.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) findings: Vec<Finding>,
    pub(super) dropped: Vec<String>,
    /// Places of the payload that have a finding already.
    pub(super) spoken_of: BTreeSet<String>,
    /// Places of the payload that stand elsewhere in what was filled in.
    pub(super) moved: BTreeMap<String, String>,
    /// `AUTO` places that were met, whether or not anything was supplied for them.
    pub(super) autos: BTreeSet<String>,
    /// Values that were put in for them.
    pub(super) placed: BTreeSet<String>,
    /// Objects without a token of their own in which nothing was filled and nothing had to be: they are there if the
    /// schema asks for them.
    pub(super) hollow: Vec<(String, Value)>,
}

impl Notes {
    /// The place in the filled template that a place of the payload came from.
    pub(super) fn source(&self, pointer: &str) -> String {
        let mut prefix = pointer;
        loop {
            if let (Some(moved), Some(rest)) = (self.moved.get(prefix), pointer.strip_prefix(prefix)) {
                return format!("{moved}{rest}");
            }
            match prefix.rsplit_once('/') {
                Some((parent, _)) => prefix = parent,
                None => return pointer.to_owned(),
            }
        }
    }
}

/// The result for one value.
enum Step {
    Keep(Value),
    /// Nothing but tokens; `needed` if it must be there, with what it is if nothing within must be filled.
    Untouched {
        needed: bool,
        empty: Option<Value>,
    },
}

impl Step {
    fn unused() -> Self {
        Self::Untouched { needed: false, empty: None }
    }

    fn must() -> Self {
        Self::Untouched { needed: true, empty: None }
    }
}

/// Reads a filled template.
pub(super) fn walk(imprint: &Imprint, filled: &Value, supplied: &Supplied) -> Walked {
    let (special, nodes) = imprint.reach.root(&imprint.template);
    // Only where something is special must the values be seen as the payload has them.
    let plain = (!nodes.is_empty() || special.is_some()).then(|| plain(filled));
    let mut walker = Walker { imprint, supplied, notes: Notes::default() };
    let at = At { special, nodes: &nodes, plain: plain.as_ref(), path: &Path::ROOT, source: &Path::ROOT };
    let payload = match walker.value(filled, &at) {
        Step::Keep(payload) => Some(payload),
        Step::Untouched { empty: Some(empty), .. } => Some(empty),
        Step::Untouched { needed: false, .. } if filled.is_object() => Some(Value::Object(Map::new())),
        Step::Untouched { .. } => {
            if walker.notes.findings.is_empty() {
                let finding = Finding::new(codes::UNFILLED_TOKEN, String::new(), "nothing was filled in");
                walker.notes.findings.push(finding.help("replace each `{FILL…}` by a value"));
            }
            None
        }
    };
    Walked { payload, notes: walker.notes }
}

/// The same value with all keys and texts as they will be.
fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(unescaped(text).to_owned()),
        Value::Array(items) => Value::Array(items.iter().map(plain).collect()),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, value)| (unescaped_key(key).to_owned(), plain(value))).collect())
        }
        other => other.clone(),
    }
}

struct Walker<'i> {
    imprint: &'i Imprint,
    supplied: &'i Supplied,
    notes: Notes,
}

/// The position of the walk.
struct At<'w> {
    special: Option<Special>,
    nodes: &'w [NodeId],
    plain: Option<&'w Value>,
    /// In the payload.
    path: &'w Path<'w>,
    /// In what was filled in.
    source: &'w Path<'w>,
}

impl Walker<'_> {
    fn find(&mut self, finding: Finding, at: &At<'_>) {
        self.notes.spoken_of.insert(at.path.pointer());
        self.notes.findings.push(finding);
    }

    fn value(&mut self, filled: &Value, at: &At<'_>) -> Step {
        match at.special {
            Some(Special::Auto) => return self.auto(filled, at),
            Some(Special::Text { nullable: true }) if filled.is_null() => {}
            Some(Special::Text { .. }) if !filled.is_string() => return self.text(filled, at),
            Some(Special::Text { .. }) | None => {}
        }
        match filled {
            Value::String(text) if is_token(text) => self.token(text, at),
            Value::String(text) => Step::Keep(Value::String(unescaped(text).to_owned())),
            Value::Array(items) => self.list(items, at),
            Value::Object(map) => self.object(map, at),
            other => Step::Keep(other.clone()),
        }
    }

    fn auto(&mut self, filled: &Value, at: &At<'_>) -> Step {
        let pointer = at.path.pointer();
        let left = filled.as_str().is_some_and(|text| Token::read(text).is_ok_and(|token| token.word == Word::Auto));
        if !left {
            let finding =
                Finding::new(codes::SYSTEM_SUPPLIED_VALUE, at.source.pointer(), "the system supplies this value");
            self.find(finding.help("leave the `{AUTO…}` token as it is, or leave the key out"), at);
        }
        self.notes.autos.insert(pointer.clone());
        match self.supplied.get(&pointer) {
            Some(value) => {
                self.notes.placed.insert(pointer);
                Step::Keep(value.clone())
            }
            None => Step::unused(),
        }
    }

    fn text(&mut self, filled: &Value, at: &At<'_>) -> Step {
        let inner = At { special: None, ..*at };
        let value = match self.value(filled, &inner) {
            Step::Keep(value) => value,
            untouched => return untouched,
        };
        let mut value = value;
        let supplied = super::place::within(self.imprint, &mut value, at.nodes, &at.path.pointer(), self.supplied);
        self.notes.placed.extend(supplied);
        super::judge::inside(self.imprint, &value, at.nodes, &at.path.pointer(), &mut self.notes);
        match canonical_string(&value) {
            Ok(text) => Step::Keep(Value::String(text)),
            Err(error) => {
                let finding = Finding::new(
                    codes::TEXT_OF_WRONG_FORM,
                    at.source.pointer(),
                    format!("it cannot be written as text: {error}"),
                );
                self.find(finding, at);
                Step::unused()
            }
        }
    }

    fn token(&mut self, text: &str, at: &At<'_>) -> Step {
        match Token::read(text) {
            Ok(token) => match token.word {
                Word::Fill | Word::FillEnum => Step::must(),
                Word::Optional | Word::OptionalEnum => Step::unused(),
                Word::Auto => self.auto(&Value::String(text.to_owned()), at),
                Word::Ref if token.segments.iter().any(|segment| segment == "required") => Step::must(),
                Word::Ref => Step::unused(),
                Word::OneOf | Word::AnyOf | Word::When | Word::Unless | Word::With | Word::Key | Word::Serialized => {
                    let finding = Finding::new(
                        codes::CHOICE_NOT_MADE,
                        at.source.pointer(),
                        format!("{} is not a value", quote(text)),
                    );
                    self.find(finding.help("replace it by what was chosen"), at);
                    Step::unused()
                }
            },
            Err(message) => {
                let finding = Finding::new(
                    codes::MALFORMED_TOKEN,
                    at.source.pointer(),
                    format!("{} begins like a token but is malformed: {message}", quote(text)),
                );
                self.find(finding.help("if it is meant as text, write a `\\` before it"), at);
                Step::unused()
            }
        }
    }

    fn list(&mut self, items: &[Value], at: &At<'_>) -> Step {
        let mut kept = Vec::with_capacity(items.len());
        let mut untouched: Vec<(usize, bool, Option<Value>)> = Vec::new();
        // The token before the items speaks for the list.
        let mut header: Option<bool> = None;
        for (index, item) in items.iter().enumerate() {
            let child = At {
                special: None,
                nodes: &[],
                plain: at.plain.and_then(|plain| plain.get(index)),
                path: &at.path.index(kept.len()),
                source: &at.source.index(index),
            };
            if kept.len() != index {
                self.notes.moved.insert(child.path.pointer(), child.source.pointer());
            }
            let step = match at.plain {
                Some(list) if !at.nodes.is_empty() => {
                    let (special, nodes) = self.imprint.reach.item(&self.imprint.template, at.nodes, list, index);
                    self.value(item, &At { special, nodes: &nodes, ..child })
                }
                _ => self.value(item, &child),
            };
            match step {
                Step::Keep(value) => kept.push(value),
                Step::Untouched { needed, .. } if is_header(item, index) => header = Some(needed),
                Step::Untouched { needed, empty } => untouched.push((index, needed, empty)),
            }
        }
        if kept.is_empty() && (header.is_some() || !untouched.is_empty()) {
            let needed = header.unwrap_or_else(|| untouched.iter().any(|(_, needed, _)| *needed));
            let hollow = untouched.iter().all(|(_, needed, empty)| !needed || empty.is_some());
            return Step::Untouched { needed, empty: (needed && hollow).then(|| Value::Array(Vec::new())) };
        }
        for (index, needed, _) in untouched {
            let place = at.path.index(index).pointer();
            if needed {
                let finding =
                    Finding::new(codes::UNFILLED_TOKEN, at.source.index(index).pointer(), "this item is not filled");
                self.notes.findings.push(finding.help("replace the token by a value, or leave the item out"));
            } else {
                self.notes.dropped.push(place);
            }
        }
        Step::Keep(Value::Array(kept))
    }

    fn object(&mut self, map: &Map<String, Value>, at: &At<'_>) -> Step {
        let mut object = Reading {
            kept: Map::new(),
            untouched: Vec::new(),
            header: false,
            needed: true,
            choice: false,
            whole: None,
        };
        for (key, value) in map {
            if key == REMARK {
                self.remark(value, at, &mut object);
            } else if is_token(key) {
                self.token_key(key, value, at, &mut object);
            } else {
                self.field(key, value, at, &mut object);
            }
        }
        if let Some(whole) = object.whole {
            if let Some(key) = object.kept.keys().next() {
                let message = format!("{} stands beside a variant that is not an object", quote(key));
                let finding = Finding::new(codes::CHOICE_NOT_MADE, at.source.pointer(), message);
                self.find(finding.help("keep what was chosen, in the place of the whole"), at);
            }
            return Step::Keep(whole);
        }
        if object.kept.is_empty() && (object.header || !object.untouched.is_empty()) {
            let hollow = object.untouched.iter().all(|(_, needed, empty)| !needed || empty.is_some());
            let empty = (object.needed && hollow && !object.choice).then(|| {
                let needed = object.untouched.into_iter().filter(|(_, needed, _)| *needed);
                Value::Object(
                    needed.filter_map(|(key, _, empty)| Some((unescaped_key(&key).to_owned(), empty?))).collect(),
                )
            });
            if let (false, Some(empty), true) = (object.header, &empty, object.needed) {
                self.notes.hollow.push((at.path.pointer(), empty.clone()));
                return Step::unused();
            }
            return Step::Untouched { needed: object.needed, empty };
        }
        for (key, needed, empty) in object.untouched {
            if let (true, Some(empty)) = (needed, empty) {
                object.kept.insert(unescaped_key(&key).to_owned(), empty);
                continue;
            }
            let path = at.path.key(unescaped_key(&key)).pointer();
            if needed {
                let finding = Finding::new(
                    codes::UNFILLED_TOKEN,
                    at.source.key(&key).pointer(),
                    format!("{} is not filled", quote(unescaped_key(&key))),
                );
                self.notes.findings.push(finding.help("replace the token by a value"));
                self.notes.spoken_of.insert(path);
            } else {
                self.notes.dropped.push(path);
            }
        }
        Step::Keep(Value::Object(object.kept))
    }

    fn field(&mut self, key: &str, value: &Value, at: &At<'_>, object: &mut Reading) {
        let name = unescaped_key(key);
        let child = At {
            special: None,
            nodes: &[],
            plain: at.plain.and_then(|plain| plain.get(name)),
            path: &at.path.key(name),
            source: &at.source.key(key),
        };
        if name != key {
            self.notes.moved.insert(child.path.pointer(), child.source.pointer());
        }
        let step = match at.plain {
            Some(plain) if !at.nodes.is_empty() => {
                let (special, nodes) = self.imprint.reach.key(&self.imprint.template, at.nodes, plain, name);
                self.value(value, &At { special, nodes: &nodes, ..child })
            }
            _ => self.value(value, &child),
        };
        match step {
            Step::Keep(value) => self.keep(name, value, &child, object),
            Step::Untouched { needed, empty } => object.untouched.push((key.to_owned(), needed, empty)),
        }
    }

    fn keep(&mut self, name: &str, value: Value, at: &At<'_>, object: &mut Reading) {
        if object.kept.insert(name.to_owned(), value).is_some() {
            let finding =
                Finding::new(codes::KEY_GIVEN_TWICE, at.source.pointer(), format!("{} is given twice", quote(name)));
            self.find(finding.help("once as it is and once within a variant: keep one of them"), at);
        }
    }

    /// Reads the remark of an object, left or overwritten: it is not part of the payload either way.
    fn remark(&mut self, value: &Value, at: &At<'_>, object: &mut Reading) {
        let Some(text) = value.as_str() else {
            let source = at.source.key(REMARK);
            let finding = Finding::new(
                codes::CHOICE_NOT_MADE,
                source.pointer(),
                "`//` is a remark of the template, and holds a value",
            );
            self.find(finding.help("leave it out; a key of that name is written `\\\\//`"), at);
            return;
        };
        object.header = true;
        if let Ok(token) = Token::read(text) {
            object.needed = matches!(token.word, Word::Fill);
        }
    }

    /// A key of the template itself that was left, or that holds what was chosen.
    fn token_key(&mut self, key: &str, value: &Value, at: &At<'_>, object: &mut Reading) {
        let source = at.source.key(key);
        let plain = at.plain.and_then(|plain| plain.get(key));
        let here = At { special: None, nodes: at.nodes, plain, path: at.path, source: &source };
        let token = match Token::read(key) {
            Ok(token) => token,
            Err(message) => {
                let finding = Finding::new(
                    codes::MALFORMED_TOKEN,
                    source.pointer(),
                    format!("the key {} begins like a token but is malformed: {message}", quote(key)),
                );
                self.find(finding.help("if it is meant as a key, write a `\\` before it"), &here);
                return;
            }
        };
        match token.word {
            Word::Fill | Word::Optional | Word::Auto if value.is_string() => {
                object.header = true;
                object.needed = token.word == Word::Fill;
            }
            Word::OneOf | Word::AnyOf | Word::When | Word::Unless | Word::With | Word::Serialized => {
                self.chosen(&token, value, &here, object);
            }
            _ => {
                if let Step::Keep(_) = self.value(value, &here) {
                    let finding = Finding::new(
                        codes::CHOICE_NOT_MADE,
                        source.pointer(),
                        format!("{} is not a key yet", quote(key)),
                    );
                    self.find(finding.help("replace it by the key that is meant"), &here);
                }
                object.header = true;
            }
        }
    }

    /// Reads the one value that was filled in under a union, a condition or a wrapper.
    fn chosen(&mut self, token: &Token, value: &Value, at: &At<'_>, object: &mut Reading) {
        object.header = true;
        if matches!(token.word, Word::OneOf | Word::AnyOf | Word::Serialized) {
            object.choice = true;
            object.needed &= !token.segments.iter().any(|segment| segment == "optional");
        }
        let union = matches!(token.word, Word::OneOf | Word::AnyOf);
        let variants: Vec<&Value> = match value {
            Value::Array(items) if union => items.iter().collect(),
            other => vec![other],
        };
        let before = self.notes.findings.len();
        let mut kept: Vec<Value> = Vec::new();
        let mut source = at.source.pointer();
        for (index, variant) in variants.into_iter().enumerate() {
            let within = at.source.index(index);
            let listed = union && value.is_array();
            let plain = if listed { at.plain.and_then(|plain| plain.get(index)) } else { at.plain };
            let inner = At { source: if listed { &within } else { at.source }, plain, ..*at };
            if let Step::Keep(value) = self.value(variant, &inner) {
                kept.push(value);
                source = inner.source.pointer();
            }
        }
        match kept.pop() {
            None => {
                // Unfilled tokens of variants that were not chosen are not findings.
                let mut index = 0;
                self.notes.findings.retain(|finding| {
                    index += 1;
                    index <= before || finding.code.as_str() != codes::UNFILLED_TOKEN.as_str()
                });
            }
            Some(Value::Object(fields)) if kept.is_empty() => {
                for (name, value) in fields {
                    let path = at.path.key(&name);
                    let child = At { path: &path, ..*at };
                    let moved = Pointer::push(&source, &name);
                    self.notes.moved.insert(path.pointer(), moved);
                    self.keep(&name, value, &child, object);
                }
            }
            Some(value) if kept.is_empty() => {
                self.notes.moved.insert(at.path.pointer(), source);
                object.whole = Some(value);
            }
            Some(_) => {
                let finding =
                    Finding::new(codes::CHOICE_NOT_MADE, at.source.pointer(), "several variants are filled in");
                self.find(finding.help("keep one of them, in the place of the whole"), at);
                // The place has its finding; the value is never used.
                object.whole = Some(Value::Null);
            }
        }
    }
}

/// An object as far as it was read.
struct Reading {
    kept: Map<String, Value>,
    untouched: Vec<(String, bool, Option<Value>)>,
    /// True if a key of the template itself was there.
    header: bool,
    /// True if it must be there, which holds unless its token says otherwise.
    needed: bool,
    /// True if something had to be chosen.
    choice: bool,
    /// The value that a wrapper stood for.
    whole: Option<Value>,
}

/// The token before the items of a list, left where it was.
fn is_header(item: &Value, index: usize) -> bool {
    let token = item.as_str().and_then(|text| Token::read(text).ok());
    let kind = token.as_ref().and_then(|token| token.segments.first()).map(String::as_str);
    index == 0 && matches!(kind, Some("array" | "tuple"))
}
