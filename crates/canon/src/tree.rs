//! A JSON value with the span of every part.

use crate::members::Members;
use serde_json::{Map, Number, Value};

/// A range of bytes in a source, end excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the span of `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

/// A value and the bytes it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The span of the value.
    pub span: Span,
    /// The value.
    pub kind: NodeKind,
}

/// The kind of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number that has a canonical form.
    Number(Number),
    /// A text.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// Members in source order; keys are distinct.
    Object(Members),
}

/// One key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The key.
    pub key: String,
    /// The span of the key.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// Returns the value without its spans.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            NodeKind::Null => Value::Null,
            NodeKind::Bool(b) => Value::Bool(*b),
            NodeKind::Number(n) => Value::Number(n.clone()),
            NodeKind::String(s) => Value::String(s.clone()),
            NodeKind::Array(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            NodeKind::Object(members) => {
                Value::Object(members.iter().map(|m| (m.key.clone(), m.value.to_value())).collect::<Map<_, _>>())
            }
        }
    }

    /// Returns the node that a JSON Pointer names, or the nearest one above it.
    ///
    /// A diagnostic about a missing part thus points at its parent.
    pub fn nearest(&self, pointer: &str) -> (&Node, Option<Span>) {
        let mut node = self;
        let mut key_span = None;
        for token in Pointer::tokens(pointer) {
            let next = match &node.kind {
                NodeKind::Object(members) => members.get_key(&token).map(|m| (&m.value, Some(m.key_span))),
                NodeKind::Array(items) => token.parse::<usize>().ok().and_then(|i| items.get(i)).map(|n| (n, None)),
                NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) | NodeKind::String(_) => None,
            };
            match next {
                Some((child, span)) => {
                    node = child;
                    key_span = span;
                }
                None => return (node, key_span),
            }
        }
        (node, key_span)
    }
}

/// JSON Pointers (RFC 6901): construction and parsing.
pub struct Pointer;

impl Pointer {
    /// Iterates over the unescaped tokens of a pointer.
    pub fn tokens(pointer: &str) -> impl Iterator<Item = String> + '_ {
        pointer.split('/').skip(1).map(Self::unescape)
    }

    /// Escapes a token.
    pub fn escape(token: &str) -> String {
        token.replace('~', "~0").replace('/', "~1")
    }

    /// Unescapes a token.
    pub fn unescape(token: &str) -> String {
        token.replace("~1", "/").replace("~0", "~")
    }

    /// Appends one token, escaped, to `base`.
    pub fn push(base: &str, token: &str) -> String {
        let mut out = String::with_capacity(base.len() + token.len() + 1);
        out.push_str(base);
        out.push('/');
        for c in token.chars() {
            match c {
                '~' => out.push_str("~0"),
                '/' => out.push_str("~1"),
                other => out.push(other),
            }
        }
        out
    }
}
