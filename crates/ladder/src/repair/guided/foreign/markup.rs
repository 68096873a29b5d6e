//! Elements of markup: XML whose elements are named as properties, property lists, `<dl>` lists and tables of HTML.
//!
//! Attributes, text beside elements and entities that are not known say more than an object can, and leave no reading.

mod elements;
mod html;
mod plist;

use self::elements::{Element, Piece, siblings, text_of};
use super::cursor::{Comments, Cursor};
use super::node::{Node, Object};
use super::{Found, Part, starts};
use crate::repair::kind::RepairKind;
use std::borrow::Cow;

/// Names of elements that strike out what they hold.
const STRUCK: [&str; 4] = ["s", "del", "strike", "ins"];

/// The readings of a text that is nothing but elements: the inside of the only one, and all of them as members.
pub(super) fn read(part: Part<'_>) -> Vec<Found<'_>> {
    for start in starts(part.inner) {
        let mut cursor = Cursor::new(part.inner, start, Comments::default());
        let Some(pieces) = siblings(&mut cursor, 0) else { continue };
        if pieces.is_empty() {
            continue;
        }
        if !part.is_alone(start..cursor.pos) {
            return Vec::new();
        }
        let comments = std::mem::take(&mut cursor.passed);
        let found = |node| part.found(RepairKind::MarkupElements, node, start..cursor.pos, comments.clone());
        return nodes(&pieces).into_iter().map(found).collect();
    }
    Vec::new()
}

/// The values that the elements of a text may be.
fn nodes<'t>(pieces: &[Piece<'t>]) -> Vec<Node<'t>> {
    let mut elements = pieces.iter().filter_map(|piece| match piece {
        Piece::Element(element) => Some(element),
        Piece::Text(_) => None,
    });
    let only = elements.next().filter(|_| elements.next().is_none());
    match only {
        Some(root) if root.name == "plist" => plist::value(root).into_iter().collect(),
        Some(root) if root.name == "table" => html::table(root),
        Some(root) if root.name == "dl" => html::definitions(root).into_iter().collect(),
        Some(root) => {
            let inside = content(&root.pieces).filter(|node| matches!(node, Node::Object(_)));
            inside.into_iter().chain(content(pieces)).collect()
        }
        None => content(pieces).into_iter().collect(),
    }
}

/// What the pieces within an element are: members, or text whose type the schema decides.
fn content<'t>(pieces: &[Piece<'t>]) -> Option<Node<'t>> {
    let is_text = |piece: &Piece<'_>| matches!(piece, Piece::Text(_));
    if pieces.iter().all(is_text) {
        let text = text_of(pieces)?;
        return Some(if text.is_empty() { Node::Nothing } else { Node::Bare(text) });
    }
    let mut members: Vec<(Cow<'t, str>, Node<'t>)> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) if text.trim().is_empty() => {}
            Piece::Text(_) => return None,
            Piece::Element(element) => members.push((Cow::Borrowed(element.name), child(element)?)),
        }
    }
    Some(Node::Object(Object::repeating(members)))
}

fn child<'t>(element: &Element<'t>) -> Option<Node<'t>> {
    if STRUCK.contains(&element.name) {
        return None;
    }
    content(&element.pieces)
}
