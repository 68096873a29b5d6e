//! Text → template: parses a template, written by hand or rendered before, into the graph.

use super::condition;
use super::escape::{REMARK, unescaped, unescaped_key};
use super::head::CLOSED;
use super::render::Anchors;
use super::token::{Token, Word, is_token};
use super::{is_simple, pattern_of};
use crate::template::{
    Bound, Bounds, Field, Group, GroupKind, KeyRule, Leaf, List, Node, NodeId, Object, Presence, Range, Rest, Shape,
    Template, Tuple, Types, Union, UnionKind,
};
use deed_canon::{Node as Tree, NodeKind, Pointer, parse_tree};
use deed_diag::Invariant;
use serde_json::Value;
use std::collections::BTreeMap;

/// The modifiers that have something after a colon.
pub(super) const MODIFIERS: [&str; 15] = [
    "format", "range", "length", "pattern", "step", "items", "keys", "default", "example", "not", "need", "with", "by",
    "of", "as",
];

/// The refusal of a text that is not a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TemplateError {
    /// The JSON pointer of the place in the document.
    pub pointer: String,
    /// The message, lowercase and without a final stop.
    pub message: String,
}

/// Reads a template: a head, if there is one, and the document beneath it.
pub(crate) fn parse(text: &str) -> Result<Template, TemplateError> {
    let (head, body) = match text.trim_start().chars().next() {
        Some('{' | '[' | '"') => ("", text),
        _ => text.split_once('\n').unwrap_or((text, "")),
    };
    let tree = parse_tree(body.as_bytes()).map_err(|error| TemplateError {
        pointer: String::new(),
        message: format!("the document cannot be read: {error}"),
    })?;
    let mut reader = Reader { nodes: Vec::new(), places: BTreeMap::new(), references: Vec::new() };
    let root = reader.value(&tree, String::new(), head.contains(CLOSED))?;
    reader.finish(root.node)
}

/// A value that was read, with the properties of its place.
struct Read {
    node: NodeId,
    presence: Presence,
    with: Vec<String>,
    items: Bounds,
    unique: bool,
    note: String,
}

impl Read {
    fn fill(node: NodeId) -> Self {
        Self {
            node,
            presence: Presence::Fill,
            with: Vec::new(),
            items: Bounds::default(),
            unique: false,
            note: String::new(),
        }
    }
}

struct Reader {
    nodes: Vec<Node>,
    places: BTreeMap<String, NodeId>,
    /// Nodes that stand for another, by its place.
    references: Vec<(NodeId, String, String)>,
}

/// The meaning of the segments of a token.
#[derive(Default)]
struct Said {
    leaf: Leaf,
    typed: Option<String>,
    values: Vec<Value>,
    nullable: bool,
    optional: bool,
    required: bool,
    closed: Option<bool>,
    rest: bool,
    items: Bounds,
    unique: bool,
    keys: Bounds,
    default: Option<Value>,
    example: Option<Value>,
    not: Vec<Value>,
    needs: Vec<Vec<Vec<String>>>,
    with: Vec<String>,
    by: Option<String>,
    of: Option<String>,
    label: Option<String>,
}

fn wrong<T>(at: &str, message: impl Into<String>) -> Result<T, TemplateError> {
    Err(TemplateError { pointer: at.to_owned(), message: message.into() })
}

impl Reader {
    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    fn value(&mut self, tree: &Tree, at: String, closed: bool) -> Result<Read, TemplateError> {
        let read = match &tree.kind {
            NodeKind::String(text) => self.token(text, &at)?,
            NodeKind::Object(members) => {
                let members: Vec<(&str, &Tree)> = members.iter().map(|m| (m.key.as_str(), &m.value)).collect();
                self.object(&members, &at, closed)?
            }
            NodeKind::Array(items) => self.list(items, &at, closed)?,
            _ => return wrong(&at, "a template has tokens where a payload has values"),
        };
        if let Some(label) = self.nodes.get(read.node.0).and_then(|node| node.label.clone()) {
            self.places.entry(label).or_insert(read.node);
        }
        self.places.insert(at, read.node);
        Ok(read)
    }

    /// A token that stands for a whole value.
    fn token(&mut self, text: &str, at: &str) -> Result<Read, TemplateError> {
        if !is_token(text) {
            return wrong(at, "this text is not a token");
        }
        let token = Token::read(text).or_else(|message| wrong(at, message))?;
        let said = said(&token, at)?;
        let mut node = Node::new(Shape::Any);
        (node.nullable, node.note, node.label) = (said.nullable, token.note.clone(), said.label);
        (node.default, node.example, node.not) = (said.default, said.example, said.not);
        let presence = match token.word {
            Word::Fill | Word::FillEnum => Presence::Fill,
            Word::Optional | Word::OptionalEnum => Presence::Optional,
            Word::Auto => Presence::Auto { required: said.required },
            Word::Ref if said.required => Presence::Fill,
            Word::Ref => Presence::Optional,
            _ => return wrong(at, format!("`{}` stands for a key, not for a value", token.word.as_str())),
        };
        node.shape = match token.word {
            Word::Ref => Shape::Any,
            Word::FillEnum | Word::OptionalEnum if said.values.is_empty() => {
                return wrong(at, "an enum lists its values");
            }
            Word::FillEnum | Word::OptionalEnum => Shape::Choice(said.values),
            _ => match said.typed.as_deref() {
                Some("any") if said.leaf == Leaf::default() => Shape::Any,
                Some("any" | "section") => Shape::Any,
                Some("never") => Shape::Never,
                Some("tuple") | None => return wrong(at, "a token says its type"),
                Some(_) => Shape::Leaf(said.leaf),
            },
        };
        let id = self.add(node);
        if token.word == Word::Ref {
            let kind = token.segments.first().map(String::as_str).unwrap_or_default();
            match kind {
                // Without `of` the whole template is meant.
                "circular" | "same" => self.references.push((id, said.of.unwrap_or_default(), at.to_owned())),
                "depth" => {
                    self.nodes.get_mut(id.0).invariant("a node id belongs to its template").stopped = true;
                }
                _ => return wrong(at, "a reference is `circular`, `same` or `depth`"),
            }
        }
        let note = if token.word == Word::Ref { token.note } else { String::new() };
        Ok(Read { node: id, presence, with: said.with, items: said.items, unique: said.unique, note })
    }

    fn object(&mut self, members: &[(&str, &Tree)], at: &str, closed: bool) -> Result<Read, TemplateError> {
        if let [(key, inner)] = members
            && is_token(key)
            && let Ok(token) = Token::read(key)
            && matches!(token.word, Word::OneOf | Word::AnyOf | Word::Serialized)
        {
            return self.wrapper(&token, inner, at, closed);
        }
        let mut object = Object { closed, ..Object::default() };
        let mut node = Node::new(Shape::Any);
        let mut read = Read::fill(NodeId(0));
        let mut anchors = Anchors::default();
        for (index, (key, value)) in members.iter().enumerate() {
            if *key == REMARK {
                let token = remark(value, index, at)?;
                let note = token.note.clone();
                header(&token, note, closed, (&mut object, &mut node, &mut read), at)?;
                continue;
            }
            if !is_token(key) {
                let inner = self.value(value, Pointer::push(at, key), object.closed)?;
                let name = unescaped_key(key).to_owned();
                object.fields.push(Field {
                    name,
                    node: inner.node,
                    presence: inner.presence,
                    with: inner.with,
                    note: inner.note,
                    shown: true,
                });
                continue;
            }
            let token = Token::read(key).or_else(|message| wrong(&Pointer::push(at, key), message))?;
            match token.word {
                Word::Fill | Word::Optional | Word::Auto if index == 0 => {
                    let note = match &value.kind {
                        NodeKind::String(note) => note.clone(),
                        _ => return wrong(at, "the first token of an object holds a note"),
                    };
                    header(&token, note, closed, (&mut object, &mut node, &mut read), at)?;
                }
                Word::Fill | Word::Optional | Word::Auto => {
                    return wrong(at, "the token of an object comes before its keys");
                }
                Word::Key => {
                    let said = said(&token, at)?;
                    let (mut name, rest) = (said.leaf, said.rest);
                    name.types = Types::STRING;
                    let anchor = anchors.next(Word::Key);
                    let inner = self.value(value, format!("{at}/{anchor}"), object.closed)?;
                    let rest = rest || name.pattern.is_none();
                    object.keys.push(KeyRule { name, node: inner.node, rest });
                }
                Word::OneOf | Word::AnyOf => {
                    let anchor = anchors.next(token.word);
                    let variants = self.variants(value, &format!("{at}/{anchor}"), object.closed)?;
                    object.groups.push(Group { kind: GroupKind::Union(union_kind(token.word)), variants });
                }
                Word::When | Word::Unless | Word::With => {
                    let anchor = anchors.next(token.word);
                    let kind = group_kind(&token, at)?;
                    let inner = self.value(value, format!("{at}/{anchor}"), object.closed)?;
                    object.groups.push(Group { kind, variants: vec![inner.node] });
                }
                Word::FillEnum | Word::OptionalEnum | Word::Serialized | Word::Ref => {
                    return wrong(at, format!("`{}` cannot stand among the keys of an object", token.word.as_str()));
                }
            }
        }
        node.shape = Shape::Object(object);
        read.node = self.add(node);
        Ok(read)
    }

    fn wrapper(&mut self, token: &Token, inner: &Tree, at: &str, closed: bool) -> Result<Read, TemplateError> {
        let said = said(token, at)?;
        let anchor = Anchors::default().next(token.word);
        let at = format!("{at}/{anchor}");
        let shape = if token.word == Word::Serialized {
            Shape::Text(self.value(inner, at, closed)?.node)
        } else {
            let variants = self.variants(inner, &at, closed)?;
            Shape::Union(Union { kind: union_kind(token.word), variants, by: said.by })
        };
        let mut node = Node::new(shape);
        (node.nullable, node.note, node.label) = (said.nullable, token.note.clone(), said.label);
        (node.default, node.example, node.not) = (said.default, said.example, said.not);
        let presence = if said.optional { Presence::Optional } else { Presence::Fill };
        let node = self.add(node);
        Ok(Read { presence, with: said.with, items: said.items, unique: said.unique, ..Read::fill(node) })
    }

    fn variants(&mut self, tree: &Tree, at: &str, closed: bool) -> Result<Vec<NodeId>, TemplateError> {
        let NodeKind::Array(items) = &tree.kind else { return wrong(at, "variants are listed in brackets") };
        let mut variants = Vec::new();
        for (index, item) in items.iter().enumerate() {
            variants.push(self.value(item, Pointer::push(at, &index.to_string()), closed)?.node);
        }
        Ok(variants)
    }

    fn list(&mut self, items: &[Tree], at: &str, closed: bool) -> Result<Read, TemplateError> {
        let header = match items.first().map(|first| &first.kind) {
            Some(NodeKind::String(text)) if is_token(text) => {
                let token = Token::read(text).or_else(|message| wrong(at, message))?;
                let said = said(&token, at)?;
                matches!(said.typed.as_deref(), Some("array" | "tuple")).then_some((token, said)).filter(|(_, said)| {
                    // A list of lists of which nothing is known has a token of type `array` for its one item.
                    said.typed.as_deref() == Some("tuple") || items.len() > 1
                })
            }
            _ => None,
        };
        let Some((token, said)) = header else {
            let [item] = items else { return wrong(at, "a list is written with one representative item") };
            let inner = self.value(item, Pointer::push(at, "0"), closed)?;
            let list = List { items: inner.node, count: inner.items, unique: inner.unique };
            let mut node = Node::new(Shape::List(list));
            node.note = inner.note;
            let node = self.add(node);
            return Ok(Read { presence: inner.presence, with: inner.with, ..Read::fill(node) });
        };
        let mut inner = Vec::new();
        for (index, item) in items.iter().enumerate().skip(1) {
            inner.push(self.value(item, Pointer::push(at, &index.to_string()), closed)?.node);
        }
        let shape = if said.typed.as_deref() == Some("tuple") {
            let rest = match (said.rest, said.closed) {
                (true, _) => match inner.pop() {
                    Some(id) => Rest::Of(id),
                    None => return wrong(at, "`rest` speaks of the last item, and there is none"),
                },
                (false, Some(true)) => Rest::Closed,
                (false, _) => Rest::Open,
            };
            Shape::Tuple(Tuple { items: inner, rest, count: said.items, unique: said.unique })
        } else {
            let [items] = inner.as_slice() else { return wrong(at, "a list is written with one representative item") };
            Shape::List(List { items: *items, count: said.items, unique: said.unique })
        };
        let mut node = Node::new(shape);
        (node.nullable, node.note, node.label) = (said.nullable, token.note.clone(), said.label);
        (node.default, node.example, node.not) = (said.default, said.example, said.not);
        let node = self.add(node);
        let presence = presence(token.word, said.required);
        Ok(Read { presence, with: said.with, ..Read::fill(node) })
    }

    /// Puts the shapes that are pointed at in the place of what points at them.
    fn finish(mut self, root: NodeId) -> Result<Template, TemplateError> {
        let mut stands_for: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for (id, of, at) in &self.references {
            match self.places.get(of) {
                Some(target) if target != id => stands_for.insert(*id, *target),
                _ => return wrong(at, format!("`{of}` is not a place of this template")),
            };
        }
        let resolve = |id: NodeId| {
            let mut id = id;
            // Chains are as long as there are references at most.
            for _ in 0..=stands_for.len() {
                match stands_for.get(&id) {
                    Some(target) => id = *target,
                    None => return id,
                }
            }
            id
        };
        for node in &mut self.nodes {
            match &mut node.shape {
                Shape::Object(object) => {
                    object.fields.iter_mut().for_each(|field| field.node = resolve(field.node));
                    object.keys.iter_mut().for_each(|rule| rule.node = resolve(rule.node));
                    object.groups.iter_mut().flat_map(|g| &mut g.variants).for_each(|id| *id = resolve(*id));
                }
                Shape::List(list) => list.items = resolve(list.items),
                Shape::Tuple(tuple) => {
                    tuple.items.iter_mut().for_each(|id| *id = resolve(*id));
                    if let Rest::Of(id) = &mut tuple.rest {
                        *id = resolve(*id);
                    }
                }
                Shape::Union(union) => union.variants.iter_mut().for_each(|id| *id = resolve(*id)),
                Shape::Text(inner) => *inner = resolve(*inner),
                Shape::Any | Shape::Never | Shape::Leaf(_) | Shape::Choice(_) => {}
            }
        }
        Ok(Template {
            nodes: self.nodes,
            root: resolve(root),
            title: String::new(),
            severity: String::new(),
            next: String::new(),
            unshown: Vec::new(),
        })
    }
}

/// Reads the first key of an object, `//`, which holds the object's own token or a note.
fn remark(value: &Tree, index: usize, at: &str) -> Result<Token, TemplateError> {
    let NodeKind::String(text) = &value.kind else { return wrong(at, "`//` holds a token or a note") };
    if index > 0 {
        return wrong(at, "the token of an object comes before its keys");
    }
    let token = match is_token(text) {
        true => Token::read(text).or_else(|message| wrong(&Pointer::push(at, REMARK), message))?,
        false => Token { note: unescaped(text).to_owned(), ..Token::new(Word::Fill) },
    };
    match token.word {
        Word::Fill | Word::Optional | Word::Auto => Ok(token),
        word => wrong(at, format!("`{}` says nothing of an object", word.as_str())),
    }
}

/// Applies the segments of an object's own token.
fn header(
    token: &Token,
    note: String,
    closed: bool,
    (object, node, read): (&mut Object, &mut Node, &mut Read),
    at: &str,
) -> Result<(), TemplateError> {
    let said = said(token, at)?;
    object.closed = said.closed.unwrap_or(closed);
    (object.count, object.needs) = (said.keys, said.needs);
    (node.nullable, node.default, node.not) = (said.nullable, said.default, said.not);
    (node.label, node.example, node.note) = (said.label, said.example, note);
    read.presence = presence(token.word, said.required);
    (read.with, read.items, read.unique) = (said.with, said.items, said.unique);
    Ok(())
}

fn presence(word: Word, required: bool) -> Presence {
    match word {
        Word::Optional => Presence::Optional,
        Word::Auto => Presence::Auto { required },
        _ => Presence::Fill,
    }
}

fn union_kind(word: Word) -> UnionKind {
    if word == Word::OneOf { UnionKind::One } else { UnionKind::Any }
}

fn group_kind(token: &Token, at: &str) -> Result<GroupKind, TemplateError> {
    if token.word == Word::With {
        return match token.segments.as_slice() {
            [name] => Ok(GroupKind::With(name.clone())),
            [name, number] if is_number(number) => Ok(GroupKind::With(name.clone())),
            _ => wrong(at, "`WITH` names one key"),
        };
    }
    let segments = token.segments.iter().filter(|segment| !is_number(segment));
    match segments.map(|segment| condition::read(segment)).collect::<Option<Vec<_>>>() {
        Some(tests) if !tests.is_empty() => Ok(GroupKind::When { tests, negated: token.word == Word::Unless }),
        _ => wrong(at, "a condition is written `key=value`"),
    }
}

/// Returns true if a segment only tells one token from another like it.
fn is_number(segment: &str) -> bool {
    segment.strip_prefix('#').is_some_and(|number| number.parse::<usize>().is_ok())
}

/// A value as tokens have it: JSON if it reads as JSON, otherwise the text itself.
pub(super) fn read_value(text: &str) -> Value {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => value,
        Err(_) => Value::String(text.to_owned()),
    }
}

fn said(token: &Token, at: &str) -> Result<Said, TemplateError> {
    let mut said = Said::default();
    let mut segments = token.segments.iter();
    let is_enum = matches!(token.word, Word::FillEnum | Word::OptionalEnum);
    if token.word == Word::Ref {
        segments.next();
    }
    for (index, segment) in segments.enumerate() {
        if is_modifier(segment, is_enum) {
            modifier(&mut said, segment, at)?;
        } else if is_enum {
            said.values.push(read_value(segment));
        } else if index == 0 && matches!(token.word, Word::Fill | Word::Optional | Word::Auto) {
            said.leaf.types = types(segment, at)?;
            said.typed = Some(segment.clone());
        } else if !is_number(segment) {
            return wrong(at, format!("`{}` is not a modifier", shown(segment)));
        }
    }
    Ok(said)
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Returns true if a segment is a modifier; among the values of an enum fewer words are.
fn is_modifier(segment: &str, is_enum: bool) -> bool {
    matches!(segment, "unique" | "nullable")
        || (!is_enum && matches!(segment, "optional" | "required" | "closed" | "open" | "rest"))
        || segment.split_once(':').is_some_and(|(name, _)| MODIFIERS.contains(&name))
}

fn types(text: &str, at: &str) -> Result<Types, TemplateError> {
    if matches!(text, "any" | "section" | "never" | "tuple") {
        return Ok(Types::ALL);
    }
    let mut types = Types::NONE;
    for name in text.split('/') {
        match Types::named(name) {
            Some(known) => types = types | known,
            None => return wrong(at, format!("`{}` is not a type", shown(name))),
        }
    }
    Ok(types)
}

fn modifier(said: &mut Said, segment: &str, at: &str) -> Result<(), TemplateError> {
    let (name, text) = segment.split_once(':').unwrap_or((segment, ""));
    match name {
        "unique" => said.unique = true,
        "nullable" => said.nullable = true,
        "optional" => said.optional = true,
        "required" => said.required = true,
        "closed" => said.closed = Some(true),
        "open" => said.closed = Some(false),
        "rest" => said.rest = true,
        "format" => said.leaf.format = Some(text.to_owned()),
        "range" => {
            said.leaf.range = range(text)
                .filter(|range| !range.is_void())
                .map_or_else(|| wrong(at, format!("`{}` is not a range", shown(text))), Ok)?
        }
        "length" => said.leaf.length = count(text, at)?,
        "items" => said.items = count(text, at)?,
        "keys" => said.keys = count(text, at)?,
        "step" => match serde_json::from_str(text) {
            Ok(step) => said.leaf.step = Some(step),
            Err(_) => return wrong(at, format!("`{}` is not a number", shown(text))),
        },
        "pattern" => {
            if !text.starts_with('/') && pattern_of(text).is_none() {
                return wrong(at, format!("`{}` is not a known pattern; write `/{}/`", shown(text), shown(text)));
            }
            said.leaf.pattern = Some(text.to_owned());
        }
        "default" => said.default = Some(read_value(text)),
        "example" => said.example = Some(read_value(text)),
        "not" => said.not.push(read_value(text)),
        "need" => {
            let groups: Vec<Vec<String>> =
                text.split('/').map(|group| group.split('+').map(str::to_owned).collect()).collect();
            if !groups.iter().flatten().all(|name| is_simple(name)) {
                return wrong(at, format!("`{}` is not a list of keys", shown(text)));
            }
            said.needs.push(groups);
        }
        "with" => said.with = text.split(',').map(str::to_owned).collect(),
        "by" => said.by = Some(text.to_owned()),
        "as" => said.label = Some(text.to_owned()),
        "of" => said.of = Some(text.to_owned()),
        _ => return wrong(at, format!("`{}` is not a modifier", shown(name))),
    }
    Ok(())
}

fn count(text: &str, at: &str) -> Result<Bounds, TemplateError> {
    let read = |part: &str| part.parse::<u64>().or_else(|_| wrong(at, format!("`{}` is not a count", shown(text))));
    match text.split_once('-') {
        None => read(text).map(|exact| Bounds { least: exact, most: Some(exact) }),
        Some((least, "")) => Ok(Bounds { least: read(least)?, most: None }),
        Some((least, most)) => {
            let bounds = Bounds { least: read(least)?, most: Some(read(most)?) };
            if bounds.is_void() { wrong(at, format!("nothing is within `{}`", shown(text))) } else { Ok(bounds) }
        }
    }
}

fn range(text: &str) -> Option<Range> {
    let mut range = Range::default();
    let rest = match text.strip_prefix("*-") {
        Some(rest) => rest,
        None => {
            let (bound, rest) = bound(text, '>')?;
            range.low = Some(bound);
            rest.strip_prefix('-')?
        }
    };
    if !rest.is_empty() {
        let (bound, tail) = bound(rest, '<')?;
        if !tail.is_empty() {
            return None;
        }
        range.high = Some(bound);
    }
    Some(range)
}

/// A number at the beginning of a text, and what follows it.
fn bound(text: &str, mark: char) -> Option<(Bound, &str)> {
    let (beyond, text) = text.strip_prefix(mark).map_or((false, text), |rest| (true, rest));
    let bytes = text.as_bytes();
    let mut end = usize::from(bytes.first() == Some(&b'-'));
    while let Some(byte) = bytes.get(end) {
        let after_e = end > 0 && matches!(bytes.get(end - 1), Some(b'e' | b'E'));
        let within =
            byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E') || (after_e && matches!(byte, b'+' | b'-'));
        if !within {
            break;
        }
        end += 1;
    }
    let (number, rest) = text.split_at_checked(end)?;
    Some((Bound { value: serde_json::from_str(number).ok()?, beyond }, rest))
}
