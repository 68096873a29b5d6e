//! Tables whose headers are the declared keys: Markdown, CSV and lines with tabs. Each row is an object.

use super::Judge;
use super::foreign::{Node, Object, fitted};
use super::lines::body;
use crate::excerpt::excerpt;
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::outer::{Side, strip};
use crate::repair::strict;
use std::borrow::Cow;

/// Longer texts are not read so.
const LARGEST: usize = 1 << 20;
/// Fewer columns are no table.
const LEAST_COLUMNS: usize = 2;

/// The readings of a text as a table: the list of its rows, the object of its only row, and the object of a table of
/// keys and values.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    if text.len() > LARGEST {
        return Vec::new();
    }
    let part = body(text);
    let inner = excerpt(text, part.clone());
    let Some((start, end, table)) = markdown(inner).or_else(|| delimited(inner, judge)) else { return Vec::new() };
    let (from, to) = (part.start + start, part.start + end);
    if table.rows.iter().any(|row| !is_record(row)) {
        return Vec::new();
    }
    let expected = judge.expected();
    let reading = |node: Node<'_>| {
        let json = fitted(&node, &expected)?;
        let value = strict::parse(&json).ok()?;
        let mut repairs = Vec::new();
        strip(text, 0..from, Side::Before, &mut repairs);
        repairs.push(Repair::replace(RepairKind::Table, from..to, json));
        strip(text, to..text.len(), Side::After, &mut repairs);
        Some(Reading { value, repairs })
    };
    let mut found = Vec::new();
    let names = names(&table, judge);
    if let Some(rows) = names.as_ref().and_then(|names| rows(&table, names)) {
        let only = rows.first().cloned().filter(|_| rows.len() == 1);
        found.push(Node::List(rows));
        found.extend(only);
    }
    found.extend(facts(&table, judge));
    found.into_iter().filter_map(reading).collect()
}

/// Headers and cells.
struct Table {
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The only Markdown table of a text, and where it stands.
fn markdown(text: &str) -> Option<(usize, usize, Table)> {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        lines.push((at, line));
        at += line.len() + 1;
    }
    let is_row = |line: &str| line.trim().starts_with('|') || line.matches('|').count() > 1;
    let first = lines.iter().position(|(_, line)| is_row(line))?;
    let table: Vec<&(usize, &str)> = lines.iter().skip(first).take_while(|(_, line)| is_row(line)).collect();
    if lines.iter().skip(first + table.len()).any(|(_, line)| is_row(line)) {
        return None;
    }
    let mut cells = table.iter().map(|(_, line)| cells_of(line));
    let (headers, ruler) = (cells.next()?, cells.next()?);
    let is_ruler = |cell: &String| cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':' | ' '));
    if !ruler.iter().all(is_ruler) || ruler.len() != headers.len() {
        return None;
    }
    let rows: Vec<Vec<String>> = cells.collect();
    let ((start, _), (last, line)) = (table.first()?, table.last()?);
    (!rows.is_empty()).then(|| (*start, last + line.len(), Table { headers, rows }))
}

/// The cells of a line of a Markdown table, without their marks of emphasis.
fn cells_of(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    let line = line.replace("\\|", "\u{1}");
    let cell = |cell: &str| cell.replace('\u{1}', "|").trim().trim_matches(['*', '`']).trim().to_owned();
    line.split('|').map(cell).collect()
}

/// A text whose lines are all rows with the same separator, below headers that are all declared.
fn delimited(text: &str, judge: &dyn Judge) -> Option<(usize, usize, Table)> {
    let start = text.len() - text.trim_start().len();
    let lines: Vec<&str> = text.trim().lines().collect();
    let skipped = lines.iter().position(|line| header(line, judge).is_some())?;
    // Before the headers stands nothing but a sentence that leads to them.
    let lead = lines.get(..skipped)?;
    if lead.iter().filter(|line| !line.trim().is_empty()).count() > 1 {
        return None;
    }
    let (separator, headers) = header(lines.get(skipped)?, judge)?;
    let rows: Option<Vec<Vec<String>>> = lines
        .get(skipped + 1..)?
        .iter()
        .filter(|line| !line.trim().is_empty())
        // A line that begins with the mark of a comment may be one.
        .map(|line| if line.trim_start().starts_with(['#', ';']) { None } else { Some(line) })
        .map(|line| split_row(line?, separator).filter(|row| row.len() == headers.len()))
        .collect();
    let rows = rows.filter(|rows| !rows.is_empty())?;
    let offset: usize = lead.iter().map(|line| line.len()).sum::<usize>() + lead.len();
    Some((start + offset, text.trim_end().len(), Table { headers, rows }))
}

/// The separator and the names of a line of headers.
fn header(line: &str, judge: &dyn Judge) -> Option<(char, Vec<String>)> {
    [',', ';', '\t', '|'].into_iter().find_map(|separator| {
        let cells = split_row(line, separator)?;
        let known = cells.len() >= LEAST_COLUMNS && cells.iter().all(|cell| !cell.is_empty() && judge.knows(cell));
        known.then_some((separator, cells))
    })
}

/// The cells of a line; those in quotes may hold the separator.
fn split_row(line: &str, separator: char) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    let mut rest = line.trim_end_matches('\r');
    loop {
        let trimmed = rest.trim_start_matches(' ');
        if let Some(quoted) = trimmed.strip_prefix('"') {
            let mut cell = String::new();
            let mut chars = quoted.char_indices().peekable();
            let end = loop {
                let (at, c) = chars.next()?;
                match (c, chars.peek()) {
                    ('"', Some((_, '"'))) => {
                        chars.next();
                        cell.push('"');
                    }
                    ('"', _) => break at + 1,
                    _ => cell.push(c),
                }
            };
            cells.push(cell);
            let after = quoted.get(end..)?.trim_start_matches(' ');
            match after.strip_prefix(separator) {
                Some(next) => rest = next,
                None => return after.is_empty().then_some(cells),
            }
        } else {
            match rest.split_once(separator) {
                Some((cell, next)) => {
                    cells.push(cell.trim().to_owned());
                    rest = next;
                }
                None => {
                    cells.push(rest.trim().to_owned());
                    return Some(cells);
                }
            }
        }
    }
}

/// The keys that the headers of a table are; none where one is not declared, or two are the same.
fn names(table: &Table, judge: &dyn Judge) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for header in &table.headers {
        let name = judge.declared(header).or_else(|| judge.knows(header).then(|| header.clone()))?;
        if names.contains(&name) {
            return None;
        }
        names.push(name);
    }
    Some(names)
}

/// The rows as objects. An empty cell is a key that is left out.
fn rows<'t>(table: &'t Table, names: &'t [String]) -> Option<Vec<Node<'t>>> {
    let row = |cells: &'t Vec<String>| {
        let members = names.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
        let borrowed = |text: &'t String| Cow::Borrowed(text.as_str());
        let members = members.map(|(name, cell)| (borrowed(name), Node::Bare(borrowed(cell))));
        (cells.len() == names.len()).then(|| Node::Object(Object::plain(members.collect())))
    };
    table.rows.iter().map(row).collect()
}

/// The object of a table with two columns, a key and its value in each row.
fn facts<'t>(table: &'t Table, judge: &dyn Judge) -> Option<Node<'t>> {
    let mut members: Vec<(Cow<'t, str>, Node<'t>)> = Vec::new();
    for row in &table.rows {
        let [key, value] = row.as_slice() else { return None };
        let name = judge.declared(key)?;
        if value.is_empty() || members.iter().any(|(known, _)| known.as_ref() == name) {
            return None;
        }
        members.push((Cow::Owned(name), Node::Bare(Cow::Borrowed(value.as_str()))));
    }
    // Headers that are keys themselves make the rows objects.
    let generic = !table.headers.iter().any(|header| judge.knows(header));
    (generic && table.headers.len() == 2).then(|| Node::Object(Object::plain(members)))
}

/// Returns whether a row of a table is a record of its own: it neither sums up the others nor repeats one.
pub(super) fn is_record<T: AsRef<str>>(cells: &[T]) -> bool {
    const SUMS: [&str; 18] = [
        "total",
        "totals",
        "grand total",
        "subtotal",
        "sub-total",
        "sum",
        "summe",
        "gesamt",
        "gesamtsumme",
        "average",
        "avg",
        "mean",
        "median",
        "overall",
        "somme",
        "suma",
        "totale",
        "totaal",
    ];
    const DITTO: [&str; 9] = ["\"", "''", "\u{2033}", "\u{3003}", "\u{201d}", "ditto", "idem", "dto.", "^"];
    let mut cells = cells.iter().map(|cell| cell.as_ref().trim());
    let first = cells.clone().find(|cell| !cell.is_empty());
    let name = first.map(|first| first.trim_matches(['*', '_', ':', ' ']).to_lowercase());
    !name.is_some_and(|name| SUMS.contains(&name.as_str()))
        && !cells.any(|cell| DITTO.contains(&cell.to_lowercase().as_str()))
}
