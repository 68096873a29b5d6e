//! Elements, text, comments and entities.

use crate::excerpt::excerpt;
use crate::repair::guided::foreign::cursor::Cursor;
use crate::repair::html::entity;
use std::borrow::Cow;

/// Elements within elements.
const DEEPEST: usize = 64;
/// Elements of HTML and property lists whose attributes say nothing of the value.
const STYLED: [&str; 20] = [
    "plist", "table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd", "ul", "ol", "li", "code", "strong", "b",
    "em", "i", "span", "div",
];

/// A part of what an element holds.
#[derive(Debug)]
pub(super) enum Piece<'t> {
    Text(Cow<'t, str>),
    Element(Element<'t>),
}

#[derive(Debug)]
pub(super) struct Element<'t> {
    pub(super) name: &'t str,
    pub(super) pieces: Vec<Piece<'t>>,
}

/// The elements that stand side by side at the top of a text.
pub(super) fn siblings<'t>(cursor: &mut Cursor<'t>, depth: usize) -> Option<Vec<Piece<'t>>> {
    let mut pieces = Vec::new();
    let mut end = cursor.pos;
    loop {
        cursor.run(char::is_whitespace);
        let rest = cursor.rest();
        if rest.starts_with("<?") || rest.starts_with("<!DOCTYPE") {
            let close = rest.find('>')?;
            // A document type may define entities of its own.
            if excerpt(rest, ..close).contains('[') {
                return None;
            }
            cursor.pos += close + 1;
        } else if rest.starts_with("<!--") {
            comment(cursor)?;
            end = cursor.pos;
        } else if rest.starts_with('<') && !rest.starts_with("</") {
            pieces.push(Piece::Element(element(cursor, depth)?));
            end = cursor.pos;
        } else {
            cursor.back(end);
            return Some(pieces);
        }
    }
}

fn comment(cursor: &mut Cursor<'_>) -> Option<()> {
    let rest = cursor.rest();
    let width = rest.find("-->")? + 3;
    cursor.passed.push(cursor.pos..cursor.pos + width);
    cursor.pos += width;
    Some(())
}

fn element<'t>(cursor: &mut Cursor<'t>, depth: usize) -> Option<Element<'t>> {
    if depth > DEEPEST {
        return None;
    }
    cursor.bump();
    let name = cursor.run(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'));
    let attributes = cursor.run(|c| c != '>' && c != '<');
    cursor.take(">").then_some(())?;
    let (attributes, is_empty) = match attributes.strip_suffix('/') {
        Some(rest) => (rest.trim(), true),
        None => (attributes.trim(), false),
    };
    if name.is_empty() || !is_plain(attributes, STYLED.contains(&name)) {
        return None;
    }
    let pieces = if is_empty { Vec::new() } else { inside(cursor, name, depth)? };
    Some(Element { name, pieces })
}

/// Returns whether attributes say nothing of what the element holds: namespaces, and in HTML how it looks.
fn is_plain(attributes: &str, is_styled: bool) -> bool {
    const LOOKS: [&str; 15] = [
        "class",
        "id",
        "style",
        "align",
        "valign",
        "width",
        "height",
        "border",
        "cellpadding",
        "cellspacing",
        "scope",
        "dir",
        "lang",
        "bgcolor",
        "version",
    ];
    /// Parts of a style or class by which what is shown is not what is meant.
    const DOUBT: [&str; 9] =
        ["none", "hidden", "line-through", "strik", "delet", "remov", "obsolete", "deprecat", "cancel"];
    let is_harmless = |name: &str, value: &str| {
        let value = value.to_lowercase();
        let is_old = value.split(|c: char| !c.is_alphanumeric()).any(|word| word == "old");
        let is_doubted = is_old || DOUBT.iter().any(|word| value.contains(word));
        let is_namespace = name == "xmlns" || name.starts_with("xmlns:");
        is_namespace || (is_styled && LOOKS.contains(&name) && !is_doubted)
    };
    let mut rest = Some(attributes).filter(|rest| !rest.is_empty());
    while let Some(written) = rest {
        match attribute(written) {
            Some((name, value, next)) if is_harmless(name, value) => rest = Some(next).filter(|next| !next.is_empty()),
            _ => return false,
        }
    }
    true
}

/// The name and value of the first attribute, and what stands behind it.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (name, behind) = text.split_once('=')?;
    let behind = behind.trim_start();
    let mark = behind.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    let (value, next) = behind.get(1..)?.split_once(mark)?;
    Some((name.trim(), value, next.trim_start()))
}

/// The pieces up to the tag that closes an element.
fn inside<'t>(cursor: &mut Cursor<'t>, name: &str, depth: usize) -> Option<Vec<Piece<'t>>> {
    let mut pieces = Vec::new();
    loop {
        let rest = cursor.rest();
        if rest.starts_with("</") {
            cursor.take("</");
            let closed = cursor.run(|c| c != '>');
            return (cursor.take(">") && closed.trim() == name).then_some(pieces);
        }
        if rest.starts_with("<!--") {
            comment(cursor)?;
        } else if let Some(data) = rest.strip_prefix("<![CDATA[") {
            let end = data.find("]]>")?;
            pieces.push(Piece::Text(Cow::Borrowed(data.get(..end)?)));
            cursor.pos += rest.len() - data.len() + end + 3;
        } else if rest.starts_with('<') {
            pieces.push(Piece::Element(element(cursor, depth + 1)?));
        } else {
            let text = cursor.run(|c| c != '<');
            // The text ended within the element.
            if text.is_empty() || cursor.peek().is_none() {
                return None;
            }
            pieces.push(Piece::Text(unescaped(text)?));
        }
    }
}

/// A text without entities; none where one is not known.
fn unescaped(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('&') {
        return Some(Cow::Borrowed(text));
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices('&') {
        let rest = excerpt(text, at..);
        if rest.starts_with("& ") {
            continue;
        }
        let (c, width) = entity(rest)?;
        out.push_str(text.get(from..at)?);
        out.push(c);
        from = at + width;
    }
    out.push_str(excerpt(text, from..));
    Some(Cow::Owned(out))
}

/// The text of pieces that hold nothing else, without the blanks around it.
pub(super) fn text_of<'t>(pieces: &[Piece<'t>]) -> Option<Cow<'t, str>> {
    let mut texts = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => Some(text),
        Piece::Element(_) => None,
    });
    let first = match texts.next() {
        None => return Some(Cow::Borrowed("")),
        Some(first) => first?,
    };
    if pieces.len() == 1 {
        return Some(match first {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        });
    }
    let mut all = first.clone().into_owned();
    for text in texts {
        all.push_str(text?);
    }
    Some(Cow::Owned(all.trim().to_owned()))
}

/// The elements of pieces that hold no text beside them.
pub(super) fn elements<'p, 't>(pieces: &'p [Piece<'t>]) -> Option<Vec<&'p Element<'t>>> {
    let mut found = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Element(element) => found.push(element),
            Piece::Text(text) if text.trim().is_empty() => {}
            Piece::Text(_) => return None,
        }
    }
    Some(found)
}
