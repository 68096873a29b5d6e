//! `INSERT INTO t (columns) VALUES (…), (…);`: one row is an object, several are a list.

use super::cursor::{Comments, Cursor};
use super::node::{Node, Object};
use super::number::number;
use super::strings::{Quote, string};
use super::{Found, Part, starts};
use crate::repair::kind::RepairKind;
use std::borrow::Cow;
use std::collections::HashSet;

const SQL: Comments = Comments { line: &["--"], block: &[("/*", "*/")] };

/// The readings of a text that is one statement: the list of its rows, and the object of its only one.
pub(super) fn read(part: Part<'_>) -> Vec<Found<'_>> {
    for start in starts(part.inner) {
        let mut cursor = Cursor::new(part.inner, start, SQL);
        let Some((mut rows, is_ended)) = rows(&mut cursor) else { continue };
        let end = cursor.passed.last().map_or(cursor.pos, |last| last.end.max(cursor.pos));
        if !part.is_alone(start..end) || holds_statement(part.inner, start, end) {
            return Vec::new();
        }
        let mut nodes = Vec::new();
        if let [only] = rows.as_slice() {
            nodes.push(only.clone());
        }
        // A list may go on where the statement has no end.
        if is_ended || part.is_fenced {
            nodes.push(Node::List(std::mem::take(&mut rows)));
        }
        let comments = std::mem::take(&mut cursor.passed);
        let found = |node| part.found(RepairKind::InsertRows, node, start..end, comments.clone());
        return nodes.into_iter().map(found).collect();
    }
    Vec::new()
}

/// Returns whether a text holds another statement beside the one that was read.
fn holds_statement(text: &str, start: usize, end: usize) -> bool {
    let beside = [text.get(..start), text.get(end..)];
    let words = ["insert into", "update ", "delete from", "values ("];
    beside.into_iter().flatten().any(|text| words.iter().any(|word| text.to_lowercase().contains(word)))
}

/// The rows of a statement, and whether a semicolon ends it.
fn rows<'t>(cursor: &mut Cursor<'t>) -> Option<(Vec<Node<'t>>, bool)> {
    cursor.gap();
    for word in ["insert", "into"] {
        keyword(cursor, word)?;
        cursor.gap();
    }
    name(cursor)?;
    while cursor.take(".") {
        name(cursor)?;
    }
    let columns = listed(cursor, name)?;
    cursor.gap();
    keyword(cursor, "values").or_else(|| keyword(cursor, "value"))?;
    let mut rows = Vec::new();
    loop {
        let values = listed(cursor, value)?;
        if values.len() != columns.len() {
            return None;
        }
        let members = columns.iter().cloned().zip(values).collect();
        rows.push(Node::Object(Object::plain(members)));
        let end = cursor.pos;
        cursor.gap();
        if !cursor.take(",") {
            let is_ended = cursor.take(";");
            if !is_ended {
                cursor.pos = end;
            }
            cursor.gap();
            let distinct = columns.iter().collect::<HashSet<_>>().len() == columns.len();
            return distinct.then_some((rows, is_ended));
        }
    }
}

/// A word of the language, in any letter case.
fn keyword(cursor: &mut Cursor<'_>, word: &str) -> Option<()> {
    let found = cursor.rest().get(..word.len())?;
    found.eq_ignore_ascii_case(word).then(|| cursor.pos += word.len())
}

/// The name of a table or column, in quotes or not.
fn name<'t>(cursor: &mut Cursor<'t>) -> Option<Cow<'t, str>> {
    let close = match cursor.peek()? {
        quote @ ('"' | '`') => quote,
        '[' => ']',
        _ => {
            let name = cursor.run(|c| c.is_alphanumeric() || c == '_');
            return (!name.is_empty()).then_some(Cow::Borrowed(name));
        }
    };
    cursor.bump();
    let name = cursor.run(|c| c != close && c != '\n');
    cursor.bump().filter(|c| *c == close && !name.is_empty())?;
    Some(Cow::Borrowed(name))
}

/// What brackets hold, parted by commas.
fn listed<'t, T>(cursor: &mut Cursor<'t>, read: fn(&mut Cursor<'t>) -> Option<T>) -> Option<Vec<T>> {
    cursor.gap();
    cursor.take("(").then_some(())?;
    let mut found = Vec::new();
    loop {
        cursor.gap();
        found.push(read(cursor)?);
        cursor.gap();
        if cursor.take(")") {
            return Some(found);
        }
        cursor.take(",").then_some(())?;
    }
}

fn value<'t>(cursor: &mut Cursor<'t>) -> Option<Node<'t>> {
    let start = cursor.pos;
    match cursor.peek()? {
        '\'' => return text(cursor),
        '0'..='9' | '-' | '+' | '.' => {
            let written = number(cursor, &[])?;
            // Without marks between digits and types behind them.
            let is_plain = cursor.text.get(start..cursor.pos) == Some(written.as_ref());
            return is_plain.then_some(Node::Number(written));
        }
        _ => {}
    }
    let word = cursor.run(|c| c.is_alphanumeric() || c == '_').to_ascii_uppercase();
    match word.as_str() {
        "NULL" => Some(Node::Null),
        "TRUE" => Some(Node::Bool(true)),
        "FALSE" => Some(Node::Bool(false)),
        "N" if cursor.peek() == Some('\'') => text(cursor),
        "DATE" | "TIMESTAMP" | "TIME" => {
            cursor.gap();
            text(cursor)
        }
        "ARRAY" => {
            cursor.take("[").then_some(())?;
            let mut items = Vec::new();
            loop {
                cursor.gap();
                if cursor.take("]") {
                    return Some(Node::List(items));
                }
                items.push(text(cursor)?);
                cursor.gap();
                (cursor.take(",") || cursor.rest().starts_with(']')).then_some(())?;
            }
        }
        _ => None,
    }
}

/// A text in single quotes. A backslash escapes in some databases and stands for itself in others.
fn text<'t>(cursor: &mut Cursor<'t>) -> Option<Node<'t>> {
    (cursor.peek() == Some('\'')).then_some(())?;
    string(cursor, Quote::Doubled).filter(|text| !text.contains('\\')).map(Node::Text)
}
