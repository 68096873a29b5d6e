//! Property lists.

use super::elements::{Element, elements, text_of};
use crate::repair::guided::foreign::node::{Node, Object};
use crate::repair::mend::is_json_number;
use std::borrow::Cow;
use std::collections::HashSet;

/// The value of a property list.
pub(super) fn value<'t>(root: &Element<'t>) -> Option<Node<'t>> {
    let mut inside = elements(&root.pieces)?.into_iter();
    let only = inside.next().filter(|_| inside.next().is_none())?;
    typed(only)
}

fn typed<'t>(element: &Element<'t>) -> Option<Node<'t>> {
    let number = || text_of(&element.pieces).filter(|digits| is_json_number(digits)).map(Node::Number);
    match element.name {
        "dict" => {
            let mut members: Vec<(Cow<'t, str>, Node<'t>)> = Vec::new();
            let mut seen = HashSet::new();
            let mut inside = elements(&element.pieces)?.into_iter();
            while let Some(key) = inside.next() {
                let name = text_of(&key.pieces).filter(|_| key.name == "key")?;
                seen.insert(name.clone()).then_some(())?;
                members.push((name, typed(inside.next()?)?));
            }
            Some(Node::Object(Object::plain(members)))
        }
        "array" => elements(&element.pieces)?.into_iter().map(typed).collect::<Option<_>>().map(Node::List),
        "string" | "date" => text_of(&element.pieces).map(Node::Text),
        "integer" | "real" => number(),
        "true" => Some(Node::Bool(true)),
        "false" => Some(Node::Bool(false)),
        _ => None,
    }
}
