//! A value as another notation has it, before the schema types it.

use serde_json::Value;
use std::borrow::Cow;

/// A value of another notation.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::repair::guided) enum Node<'t> {
    /// A text in quotes, or one that its notation marks as text.
    Text(Cow<'t, str>),
    /// A number, in the digits of JSON.
    Number(Cow<'t, str>),
    Bool(bool),
    Null,
    /// A text without quotes, whose type the schema decides.
    Bare(Cow<'t, str>),
    /// A value that is JSON already.
    Written(String),
    /// The name of a constant, which stands for a value only where the schema lists it.
    Name(&'t str),
    /// An element or a member with nothing in it.
    Nothing,
    /// Brackets with nothing in them, which may be a list or an object.
    Empty,
    List(Vec<Node<'t>>),
    Object(Object<'t>),
}

/// The members of an object, in the order of the text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::repair::guided) struct Object<'t> {
    pub(in crate::repair::guided) members: Vec<(Cow<'t, str>, Node<'t>)>,
    /// Whether a member that stands several times is a list.
    pub(in crate::repair::guided) repeats: bool,
    /// Whether a key with dots is a path.
    pub(in crate::repair::guided) paths: bool,
}

impl<'t> Object<'t> {
    /// An object in which each key stands once.
    pub(in crate::repair::guided) fn plain(members: Vec<(Cow<'t, str>, Node<'t>)>) -> Self {
        Self { members, ..Self::default() }
    }

    /// An object in which a key that stands several times is a list.
    pub(super) fn repeating(members: Vec<(Cow<'t, str>, Node<'t>)>) -> Self {
        Self { members, repeats: true, ..Self::default() }
    }

    /// The object with its scalars alone: variants of a schema are told apart by keys and constants.
    pub(super) fn provisional(&self) -> Value {
        let scalar = |node: &Node<'_>| !matches!(node, Node::List(_) | Node::Object(_));
        let value = |node: &Node<'_>| if scalar(node) { node.provisional() } else { Value::Null };
        Value::Object(self.members.iter().map(|(key, node)| (key.clone().into_owned(), value(node))).collect())
    }
}

impl Node<'_> {
    /// The value by the notation alone, as far as it decides: it tells which variant of the schema is meant.
    pub(super) fn provisional(&self) -> Value {
        match self {
            Self::Text(text) | Self::Bare(text) => Value::from(text.as_ref()),
            Self::Number(digits) => serde_json::from_str(digits).unwrap_or(Value::Null),
            Self::Bool(value) => Value::Bool(*value),
            Self::Null | Self::Nothing | Self::Empty => Value::Null,
            Self::Written(json) => serde_json::from_str(json).unwrap_or(Value::Null),
            Self::Name(name) => Value::from(*name),
            Self::List(_) => Value::Array(Vec::new()),
            Self::Object(object) => object.provisional(),
        }
    }
}

/// The object of a list of pairs of a key and a value; none where an item is anything else.
pub(super) fn of_pairs(items: Vec<Node<'_>>) -> Option<Node<'_>> {
    let pair = |node| match node {
        Node::List(mut two) => {
            let value = two.pop()?;
            match (two.pop()?, two.is_empty()) {
                (Node::Text(key), true) => Some((key, value)),
                _ => None,
            }
        }
        _ => None,
    };
    let members: Option<Vec<_>> = items.into_iter().map(pair).collect();
    members.map(|members| Node::Object(Object::plain(members)))
}
