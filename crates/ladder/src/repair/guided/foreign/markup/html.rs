//! Tables and lists of definitions of HTML.

use super::elements::{Element, elements, text_of};
use crate::repair::guided::foreign::node::{Node, Object};
use crate::repair::guided::tables::is_record;
use std::borrow::Cow;
use std::collections::HashSet;

/// Elements that only change how the text of a cell looks.
const LOOKS: [&str; 6] = ["b", "strong", "em", "i", "code", "span"];

/// The text of a cell.
fn cell<'t>(element: &Element<'t>) -> Option<Cow<'t, str>> {
    if let Some(text) = text_of(&element.pieces) {
        return Some(text);
    }
    let inside = elements(&element.pieces)?;
    match inside.as_slice() {
        [only] if LOOKS.contains(&only.name) => text_of(&only.pieces),
        _ => None,
    }
}

fn node(text: Cow<'_, str>) -> Node<'_> {
    if text.is_empty() { Node::Nothing } else { Node::Bare(text) }
}

/// `<dl>`: each term with its definitions.
pub(super) fn definitions<'t>(root: &Element<'t>) -> Option<Node<'t>> {
    let mut members: Vec<(Cow<'t, str>, Node<'t>)> = Vec::new();
    let mut term: Option<Cow<'t, str>> = None;
    let mut seen: HashSet<Cow<'t, str>> = HashSet::new();
    let mut is_open = false;
    for element in elements(&root.pieces)? {
        match element.name {
            // A term without a definition says nothing.
            "dt" if !is_open => {
                let name = without_colon(cell(element)?);
                // The same term again may be another record.
                seen.insert(name.clone()).then_some(())?;
                term = Some(name);
                is_open = true;
            }
            "dd" => {
                members.push((term.clone()?, node(cell(element)?)));
                is_open = false;
            }
            _ => return None,
        }
    }
    (!is_open && !members.is_empty()).then(|| Node::Object(Object::repeating(members)))
}

/// The name of a term or header, without the colon that may stand behind it.
fn without_colon(name: Cow<'_, str>) -> Cow<'_, str> {
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(name.trim_end_matches(':').trim_end()),
        Cow::Owned(name) => Cow::Owned(name.trim_end_matches(':').trim_end().to_owned()),
    }
}

/// A row: its cells, and whether each is a header.
type Row<'t> = Vec<(Cow<'t, str>, bool)>;

/// The readings of a table: the list of its rows below their headers, the object of its only row, or the object of rows
/// that each have a header and a value.
pub(super) fn table<'t>(root: &Element<'t>) -> Vec<Node<'t>> {
    let Some(rows) = rows(root) else { return Vec::new() };
    if rows.iter().all(|row| matches!(row.as_slice(), [(_, true), (_, false)])) && !rows.is_empty() {
        return facts(rows).into_iter().collect();
    }
    let Some((headers, below)) = rows.split_first() else { return Vec::new() };
    let no_headers = rows.iter().flatten().all(|(_, is_header)| !is_header);
    let is_head = headers.iter().all(|(_, is_header)| *is_header) || no_headers;
    let object = |row: &Row<'t>| {
        let is_plain = row.len() == headers.len() && row.iter().all(|(_, is_header)| !is_header);
        // An empty cell is a key that is left out.
        let cells = headers.iter().zip(row).filter(|(_, (cell, _))| !cell.is_empty());
        let members =
            cells.map(|((name, _), (cell, _))| (without_colon(name.clone()), Node::Bare(cell.clone()))).collect();
        is_plain.then(|| Node::Object(Object::plain(members)))
    };
    if below.iter().any(|row| !is_record(&row.iter().map(|(cell, _)| cell).collect::<Vec<_>>())) {
        return Vec::new();
    }
    let objects: Option<Vec<Node<'t>>> = below.iter().map(object).collect();
    let distinct = headers.iter().map(|(name, _)| name).collect::<HashSet<_>>().len() == headers.len();
    let Some(objects) = objects.filter(|objects| is_head && distinct && !objects.is_empty()) else { return Vec::new() };
    let mut nodes = Vec::new();
    if let [only] = objects.as_slice() {
        nodes.push(only.clone());
    }
    nodes.push(Node::List(objects));
    nodes
}

fn facts(rows: Vec<Row<'_>>) -> Option<Node<'_>> {
    let mut members = Vec::new();
    let mut seen = HashSet::new();
    for row in rows {
        let mut cells = row.into_iter().map(|(cell, _)| cell);
        let (name, value) = (without_colon(cells.next()?), cells.next()?);
        seen.insert(name.clone()).then_some(())?;
        members.push((name, node(value)));
    }
    Some(Node::Object(Object::plain(members)))
}

fn rows<'t>(root: &Element<'t>) -> Option<Vec<Row<'t>>> {
    let mut rows = Vec::new();
    for element in elements(&root.pieces)? {
        match element.name {
            "tr" => rows.push(row(element)?),
            "thead" | "tbody" => {
                for inner in elements(&element.pieces)? {
                    (inner.name == "tr").then_some(())?;
                    rows.push(row(inner)?);
                }
            }
            // A caption speaks of the table, and a foot sums it up.
            _ => return None,
        }
    }
    Some(rows)
}

fn row<'t>(element: &Element<'t>) -> Option<Row<'t>> {
    let cells = elements(&element.pieces)?.into_iter();
    cells
        .map(|cell_of| matches!(cell_of.name, "th" | "td").then(|| Some((cell(cell_of)?, cell_of.name == "th")))?)
        .collect()
}
